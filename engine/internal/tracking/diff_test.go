package tracking

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiff_isUnified(t *testing.T) {
	numbered := func(from, to int) string {
		var out strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&out, "- %d\n", i)
		}
		return out.String()
	}
	for _, row := range []struct{ name, previous, current, want string }{
		{"a changed block", "# A\n\nold  text\n\nend", "# A\n\nnew text\n\n\nend ", `--- previous.md
+++ current.md
@@ -1,5 +1,5 @@
 # A
 
-old text
+new text
 
 end
`},
		{"three lines of context", numbered(1, 20), numbered(1, 9) + "- x\n" + numbered(11, 20), `--- previous.md
+++ current.md
@@ -7,7 +7,7 @@
 - 7
 - 8
 - 9
-- 10
+- x
 - 11
 - 12
 - 13
`},
		{"two chunks", numbered(1, 20), "- x\n" + numbered(2, 19), `--- previous.md
+++ current.md
@@ -1,4 +1,4 @@
-- 1
+- x
 - 2
 - 3
 - 4
@@ -17,4 +17,3 @@
 - 17
 - 18
 - 19
-- 20
`},
		{"the first text", "", "a", `--- previous.md
+++ current.md
@@ -0,0 +1,1 @@
+a
`},
		{"no more text", "a", "\n", `--- previous.md
+++ current.md
@@ -1,1 +0,0 @@
-a
`},
		{"what doesn't count isn't shown", "a  b\n\n[c](https://c.example/?utm_source=1)", "a b\n\nd\n\n[c](https://c.example/)", `--- previous.md
+++ current.md
@@ -1,3 +1,5 @@
 a b
 
+d
+
 [c](https://c.example/)
`},
		{"the same", "a\n\nb", "a\n\n\nb", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := Diff(row.previous, row.current); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestOneChunk_isTheSmallestThatIsOne(t *testing.T) {
	for _, row := range []struct{ name, from, to, want string }{
		{"in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n9\n", "@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+x\n+y\n 6\n 7\n 8\n"},
		{"at the beginning", "1\n2\n", "x\n1\n2\n", "@@ -1,2 +1,3 @@\n+x\n 1\n 2\n"},
		{"at the end", "1\n2\n", "1\n", "@@ -1,2 +1,1 @@\n 1\n-2\n"},
		{"all of it", "1\n", "2\n", "@@ -1,1 +1,1 @@\n-1\n+2\n"},
		{"the first", "", "1\n", "@@ -0,0 +1,1 @@\n+1\n"},
		{"the last", "1\n", "", "@@ -1,1 +0,0 @@\n-1\n"},
		{"lines that end alike", "xa\na\n", "ya\na\n", "@@ -1,2 +1,2 @@\n-xa\n+ya\n a\n"},
		{"lines that begin alike", "a\nab\n", "a\nac\n", "@@ -1,2 +1,2 @@\n a\n-ab\n+ac\n"},
		{"repeated", "a\na\n", "a\na\na\n", "@@ -1,2 +1,3 @@\n a\n a\n+a\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, want := oneChunk(row.from, row.to), "--- previous.md\n+++ current.md\n"+row.want; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestDiff_ofTextsBeyondTheLimitIsOneChunk(t *testing.T) {
	many := func(n int, format string) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, format, i)
		}
		return out.String()
	}
	for name, pair := range map[string][2]string{
		"lines":       {many(maxLines+1, "- %d\n"), many(maxLines+1, "- x%d\n")},
		"bytes":       {many(100, "%d "+strings.Repeat("a", maxBytes/90)+"\n\n"), many(100, "x%d\n\n")},
		"one of them": {"a", many(maxLines+1, "- %d\n")},
		"unrelated":   {many(maxLines, "- %d\n"), many(maxLines, "- x%d\n")}, // at the limit: one chunk as well
	} {
		t.Run(name, func(t *testing.T) {
			parsed := rejoin(t, pair[0], pair[1], Diff(pair[0], pair[1]))
			if got := len(parsed.Files[0].Chunks); got != 1 {
				t.Errorf("got %d chunks, want 1", got)
			}
		})
	}
	long := many(maxLines, "- %d\n")
	if got := len(rejoin(t, long, "- x\n"+long[4:]+"- y\n", Diff(long, "- x\n"+long[4:]+"- y\n")).Files[0].Chunks); got != 1 {
		t.Errorf("one line beyond the limit: got %d chunks, want 1", got)
	}
	if got := len(rejoin(t, long, "- x\n"+long[4:len(long)-8]+"- y\n", Diff(long, "- x\n"+long[4:len(long)-8]+"- y\n")).Files[0].Chunks); got != 2 {
		t.Errorf("at the limit: got %d chunks, want 2", got)
	}
}

func TestDiff_holdsItsPromisesOnRandomPages(t *testing.T) {
	d := newDice(t)
	for range soak(50_000) {
		p := d.page(20)
		q := p
		for range d.IntN(4) {
			q = d.change(q)
		}
		a, b := d.write(p), d.write(q)
		unified := Diff(a, b)
		if (unified == "") != Same(a, b) || Same(a, b) != Same(b, a) {
			t.Fatalf("same: %v and %v, but the diff is %q:\n%q\n%q", Same(a, b), Same(b, a), unified, a, b)
		}
		if unified == "" {
			continue
		}
		rejoin(t, a, b, unified)
		rejoin(t, a, b, oneChunk(normal(a), normal(b)))
	}
}

// rejoin fails the test unless the parsed form of a diff takes the normalised
// form of previous to that of current, and back.
func rejoin(t *testing.T, previous, current, unified string) *Parsed {
	t.Helper()
	parsed, err := Parse(unified)
	if err != nil {
		t.Fatalf("%v in\n%.2000s", err, unified)
	}
	if len(parsed.Files) != 1 || parsed.Files[0].From != "previous.md" || parsed.Files[0].To != "current.md" {
		t.Fatalf("got files %+v", parsed.Files)
	}
	from, to := normal(previous), normal(current)
	if got := applied(t, parsed.Files[0], from, false); got != to {
		t.Fatalf("%.2000s\ntakes\n%.2000s\nto\n%.2000s\nnot\n%.2000s", unified, from, got, to)
	}
	if got := applied(t, parsed.Files[0], to, true); got != from {
		t.Fatalf("%.2000s\ntakes\n%.2000s\nback to\n%.2000s\nnot\n%.2000s", unified, to, got, from)
	}
	return parsed
}

// applied is text after the changes of a file; back undoes them.
func applied(t *testing.T, f File, text string, back bool) string {
	t.Helper()
	left := strings.SplitAfter(text, "\n")
	left = left[:len(left)-1]
	var out strings.Builder
	additions, deletions, next := 0, 0, 1 // next is the number of the first line left
	copyLine := func() {
		out.WriteString(left[0])
		left, next = left[1:], next+1
	}
	for _, c := range f.Chunks {
		start, lines := c.OldStart, c.OldLines
		if back {
			start, lines = c.NewStart, c.NewLines
		}
		for next < start+1-min(lines, 1) {
			copyLine()
		}
		oldLine, newLine := c.OldStart+1-min(c.OldLines, 1), c.NewStart+1-min(c.NewLines, 1)
		for _, change := range c.Changes {
			taken, given := change.Del, change.Add
			if back {
				taken, given = given, taken
			}
			checkNumbers(t, change, oldLine, newLine)
			switch {
			case change.Normal || taken:
				if len(left) == 0 || change.Content[1:]+"\n" != left[0] {
					t.Fatalf("line %d is not %q", next, change.Content)
				}
				if change.Normal {
					copyLine()
				} else {
					left, next = left[1:], next+1
				}
			case given:
				out.WriteString(change.Content[1:] + "\n")
			}
			if !change.Add {
				oldLine++
			}
			if !change.Del {
				newLine++
			}
			additions, deletions = additions+count(change.Add), deletions+count(change.Del)
		}
	}
	for len(left) > 0 {
		copyLine()
	}
	if additions != f.Additions || deletions != f.Deletions {
		t.Errorf("got %d additions and %d deletions, want %d and %d", f.Additions, f.Deletions, additions, deletions)
	}
	return out.String()
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func checkNumbers(t *testing.T, c Change, oldLine, newLine int) {
	t.Helper()
	want := Change{Type: "normal", Normal: true, Ln1: oldLine, Ln2: newLine, Content: c.Content}
	if c.Add {
		want = Change{Type: "add", Add: true, Ln: newLine, Content: c.Content}
	}
	if c.Del {
		want = Change{Type: "del", Del: true, Ln: oldLine, Content: c.Content}
	}
	if c != want || !strings.HasPrefix(c.Content, map[string]string{"normal": " ", "add": "+", "del": "-"}[c.Type]) {
		t.Fatalf("got %+v, want %+v", c, want)
	}
}

func TestDiff_gitAppliesIt(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed: patches are not tried with git apply, only with the test's own reader")
	}
	d, dir := newDice(t), t.TempDir()
	for i := range soak(3000) {
		p := d.page(20)
		q := d.change(d.change(p))
		a, b := d.write(p), d.write(q)
		unified := Diff(a, b)
		if i%5 == 4 && unified != "" {
			unified = oneChunk(normal(a), normal(b))
		}
		if unified != "" {
			gitApply(t, git, dir, normal(a), normal(b), unified)
		}
	}
}

// gitApply applies a patch to the file that git takes it to be for: of the two names
// it goes by the second. An empty side means a file that isn't there.
func gitApply(t *testing.T, git, dir, from, to, unified string) {
	t.Helper()
	file := filepath.Join(dir, "current.md")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if from != "" {
		if err := os.WriteFile(file, []byte(from), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), git, "apply", "-p0", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(unified)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s\nto\n%s", err, out, unified, from)
	}
	got, err := os.ReadFile(file)
	if err != nil && !(to == "" && errors.Is(err, os.ErrNotExist)) {
		t.Fatal(err)
	}
	if string(got) != to {
		t.Fatalf("git apply made\n%s\nnot\n%s\nfrom\n%s", got, to, unified)
	}
}
