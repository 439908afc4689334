package viewdiff

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const shop = `- navigation
  - link "One" [e1] url="/one"
  - link "Two" [e2] url="/two"
- main
  - heading "Goods" level="1"
  - list
    - listitem
      - text "first"
    - listitem
      - text "second"
      - button "Buy" [e3]
    - listitem
      - text "third"
  - form
    - textbox "Your name" [e4]
    - checkbox "Agree" [e5]
    - button "Send" [e6] disabled
- contentinfo
  - text "A shop since 1900, with a long footer that says where it is, when it is open, and how to come there by train"
  - text "Open on weekdays from nine to five, on Saturdays from ten to two, and never on Sundays or on holidays"
`

func TestBetween(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"a field is filled and a button wakes": {
			from: `[e4]
    - checkbox "Agree" [e5]
    - button "Send" [e6] disabled`,
			to: `[e4] value="Ada"
    - checkbox "Agree" [e5]
    - button "Send" [e6]`,
			want: ` - main
   - form
~    - textbox "Your name" [e4] value="Ada"
     - checkbox "Agree" [e5]
~    - button "Send" [e6]
`},
		"an item comes between others": {
			from: `    - listitem
      - text "third"`,
			to: `    - listitem
      - text "new [e77]"
    - listitem
      - text "third"`,
			want: ` - main
   - list
     - listitem
+      - text "new [e77]"
+    - listitem
`},
		"a part goes": {
			from: `  - form
    - textbox "Your name" [e4]
    - checkbox "Agree" [e5]
    - button "Send" [e6] disabled
`,
			want: ` - main
   - list
-  - form (and 3 lines in it)
`},
		"text without a reference changes": {
			from: `text "second"`, to: `text "2nd"`,
			want: ` - main
   - list
     - listitem
-      - text "second"
+      - text "2nd"
`},
		"the same": {},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Between(shop, strings.Replace(shop, c.from, c.to, 1))
			if got != c.want || !ok {
				t.Errorf("got %v\n%s\nwant\n%s", ok, got, c.want)
			}
		})
	}
}

func TestBetween_whatIsNearlyNewIsReadAsAWhole(t *testing.T) {
	if got, ok := Between(shop, "- main\n  - text \"elsewhere\"\n"); ok {
		t.Errorf("got %s", got)
	}
	if got, ok := Between(strings.Repeat("- text \"a\"\n", 5000), strings.Repeat("- text \"b\"\n", 5000)); ok {
		t.Errorf("got %d bytes", len(got))
	}
}

var insideGone = regexp.MustCompile(` \(and ([0-9]+) lines in it\)$`)

// check finds faults in what Between says of two texts: lines that come must be those of after, and the numbers must come out even.
func check(t *testing.T, before, after string) (shorter bool) {
	t.Helper()
	got, ok := Between(before, after)
	if !ok {
		return false
	}
	gone, changed := 0, 0
	var come []string
	for line := range strings.SplitSeq(strings.TrimSuffix(got, "\n"), "\n") {
		switch {
		case line == "":
		case line[0] == '-':
			if m := insideGone.FindStringSubmatch(line); m != nil {
				n, _ := strconv.Atoi(m[1])
				gone += n
			}
			gone++
		case line[0] == '~':
			changed++
			come = append(come, line[1:])
		case line[0] == '+':
			come = append(come, line[1:])
		}
	}
	from, to := strings.Split(before, "\n"), strings.Split(after, "\n")
	if len(from)-gone-changed+len(come) != len(to) {
		t.Fatalf("%d lines, of which %d go and %d change, %d come: not %d\n%s", len(from), gone, changed, len(come)-changed, len(to), got)
	}
	for _, line := range to {
		if len(come) > 0 && line == come[0] {
			come = come[1:]
		}
	}
	if len(come) > 0 {
		t.Fatalf("%q comes, but is not there in its order\n%s", come[0], got)
	}
	return true
}

func TestBetween_saysWhatComesAndCountsWhatGoes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shorter := 0
	for n := range 3000 {
		var lines []string
		for range 1 + r.IntN(60) {
			line := strings.Repeat("  ", r.IntN(4)) + "- text " + strconv.Quote(fmt.Sprint(r.IntN(9)))
			if r.IntN(2) == 0 {
				line = fmt.Sprintf("%s- button \"b\" [e%d] value=\"%d\"", strings.Repeat("  ", r.IntN(4)), 100+len(lines), r.IntN(3))
			}
			lines = append(lines, line)
		}
		before := strings.Join(lines, "\n")
		for range 1 + r.IntN(6) {
			i := r.IntN(len(lines))
			switch r.IntN(3) {
			case 0:
				lines = slices.Delete(lines, i, i+min(1+r.IntN(3), len(lines)-i-1))
			case 1:
				lines = slices.Insert(lines, i, fmt.Sprintf("  - link \"l\" [e%d]", 1000+n))
				n += 10000
			default:
				lines[i] += " focused"
			}
		}
		if check(t, before, strings.Join(lines, "\n")) {
			shorter++
		}
	}
	if shorter < 1000 {
		t.Errorf("only %d of 3000 were shorter", shorter)
	}
}

func FuzzBetween(f *testing.F) {
	f.Add(shop, strings.Replace(shop, "second", "2nd", 1))
	f.Add("", "- text \"a\"\n")
	f.Add("- b [e1]\n", "- b [e1]\n- b [e1] x")
	f.Fuzz(func(t *testing.T, before, after string) {
		got, ok := Between(before, after)
		if ok && len(got) > len(after)/2 || (got == "" && ok) != (before == after) {
			t.Fatalf("%v: %q", ok, got)
		}
	})
}
