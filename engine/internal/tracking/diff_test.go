package tracking

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
			if got := diffOf(row.previous, row.current); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestWhole_isTheSmallestOfOneChunk(t *testing.T) {
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
			if got, want := whole(row.from, row.to).unified(), "--- previous.md\n+++ current.md\n"+row.want; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// raced is whether the race detector watches.
var raced bool

func TestDiff_ofTextsBeyondTheLimitIsOneChunk(t *testing.T) {
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
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
			parsed := rejoin(t, pair[0], pair[1], diffOf(pair[0], pair[1]))
			if got := len(parsed.Files[0].Chunks); got != 1 {
				t.Errorf("got %d chunks, want 1", got)
			}
		})
	}
	long := many(maxLines, "- %d\n")
	if got := len(rejoin(t, long, "- x\n"+long[4:]+"- y\n", diffOf(long, "- x\n"+long[4:]+"- y\n")).Files[0].Chunks); got != 1 {
		t.Errorf("one line beyond the limit: got %d chunks, want 1", got)
	}
	if got := len(rejoin(t, long, "- x\n"+long[4:len(long)-8]+"- y\n", diffOf(long, "- x\n"+long[4:len(long)-8]+"- y\n")).Files[0].Chunks); got != 2 {
		t.Errorf("at the limit: got %d chunks, want 2", got)
	}
}

func TestDiff_holdsItsPromisesOnRandomPages(t *testing.T) {
	d := newDice(t)
	for range soak(20_000) {
		p := d.page(20)
		q := p
		for range d.IntN(4) {
			q = d.change(q)
		}
		a, b := d.write(p), d.write(q)
		unified := diffOf(a, b)
		if (unified == "") != Same(a, b) || Same(a, b) != Same(b, a) {
			t.Fatalf("same: %v and %v, but the diff is %q:\n%q\n%q", Same(a, b), Same(b, a), unified, a, b)
		}
		if unified == "" {
			continue
		}
		rejoin(t, a, b, unified)
		rejoin(t, a, b, whole(normal(a), normal(b)).unified())
	}
}

// few is a random list of so many items that all occur many times.
func (d dice) few(items int) string {
	var out strings.Builder
	for range items {
		out.WriteString("- " + d.pick("bee", "hive", "wax") + d.pick("\n", "\n\n"))
	}
	return out.String()
}

func TestDiff_holdsItsPromisesWhereLinesRepeat(t *testing.T) {
	d := newDice(t)
	for range soak(20_000) {
		a := "x\n\n" + d.few(d.IntN(40)) + "\ny\n\n" + d.few(d.IntN(10))
		b := "x\n\n" + d.few(d.IntN(40)) + "\ny\n\n" + d.few(d.IntN(10))
		if unified := diffOf(a, b); unified != "" {
			rejoin(t, a, b, unified)
		}
	}
}

// Two far changes are two chunks even where no line is the only one of its kind.
func TestDiff_isSmallWhereLinesRepeat(t *testing.T) {
	menu := strings.Repeat("- Hives\n- Wax\n- Honey\n- Smokers\n- Veils\n- Gloves\n", 20)
	changed := strings.Replace(menu, "- Wax", "- Beeswax", 1)
	at := strings.LastIndex(changed, "- Veils")
	changed = changed[:at] + "- Hats\n" + changed[at:]
	parsed := rejoin(t, menu, changed, diffOf(menu, changed))
	if f := parsed.Files[0]; len(f.Chunks) != 2 || f.Additions != 2 || f.Deletions != 1 {
		t.Errorf("got %d chunks, %d additions, %d deletions; want 2, 2 and 1", len(f.Chunks), f.Additions, f.Deletions)
	}
}

func TestRefine_leavesARegionThatDiffersTooMuch(t *testing.T) {
	var a, b strings.Builder
	for i := range maxEdits {
		fmt.Fprintf(&a, "- a%d\n- same\n- same\n", i)
		fmt.Fprintf(&b, "- b%d\n- same\n- same\n", i)
	}
	s := anchored(normal(a.String()), normal(b.String()))
	before := s.unified()
	if _ = s.refine(t.Context()); s.unified() != before {
		t.Error("the region was refined")
	}
	rejoin(t, a.String(), b.String(), before)
}

func TestCommon_isALongestCommonSubsequence(t *testing.T) {
	d := newDice(t)
	list := func() []int {
		all := make([]int, d.IntN(12))
		for i := range all {
			all[i] = 1 + d.IntN(4)
		}
		return all
	}
	for range soak(100_000) {
		a, b := list(), list()
		pairs, last := common(a, b), pair{-1, -1}
		for _, p := range pairs {
			if p.x <= last.x || p.y <= last.y || a[p.x] != b[p.y] {
				t.Fatalf("got %v for %v and %v", pairs, a, b)
			}
			last = p
		}
		if want := longest(a, b); len(pairs) != want {
			t.Fatalf("got %d pairs for %v and %v, want %d", len(pairs), a, b, want)
		}
	}
}

// longest is the length of the longest common subsequence, by its definition.
func longest(a, b []int) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range b {
			switch {
			case i == 0:
			case a[i-1] == b[j]:
				table[i][j+1] = table[i-1][j] + 1
			default:
				table[i][j+1] = max(table[i-1][j+1], table[i][j])
			}
		}
	}
	return table[len(a)][len(b)]
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
	left, done := split(text), 0
	var out []string
	for _, c := range f.Chunks {
		start := c.OldStart
		was, becomes := sides(t, c)
		if back {
			start, was, becomes = c.NewStart, becomes, was
		}
		at := start - min(len(was), 1)
		if at < done || at+len(was) > len(left) || !slices.Equal(left[at:at+len(was)], was) {
			t.Fatalf("%s doesn't fit: it takes away\n%s", c.Content, strings.Join(was, ""))
		}
		out = append(append(out, left[done:at]...), becomes...)
		done = at + len(was)
	}
	return strings.Join(append(out, left[done:]...), "")
}

// sides are the lines of a chunk before and after. It fails unless each change has
// its own number and mark, and there are at most three unchanged lines at either end.
func sides(t *testing.T, c Chunk) (before, after []string) {
	t.Helper()
	oldLine, newLine := c.OldStart+1-min(c.OldLines, 1), c.NewStart+1-min(c.NewLines, 1)
	for _, change := range c.Changes {
		want := Change{Type: "normal", Normal: true, Ln1: oldLine, Ln2: newLine}
		switch {
		case change.Add:
			want = Change{Type: "add", Add: true, Ln: newLine}
		case change.Del:
			want = Change{Type: "del", Del: true, Ln: oldLine}
		}
		line := change.Content[1:] + "\n"
		if want.Content = map[string]string{"normal": " ", "add": "+", "del": "-"}[want.Type] + change.Content[1:]; change != want {
			t.Fatalf("got %+v, want %+v", change, want)
		}
		if !change.Add {
			before, oldLine = append(before, line), oldLine+1
		}
		if !change.Del {
			after, newLine = append(after, line), newLine+1
		}
	}
	changed := func(c Change) bool { return !c.Normal }
	if i := slices.IndexFunc(c.Changes, changed); i < 0 || i > 3 {
		t.Fatalf("%d unchanged lines before the first change of %s", i, c.Content)
	}
	if n := len(c.Changes); n > 3 && !slices.ContainsFunc(c.Changes[n-4:], changed) {
		t.Fatalf("more than three unchanged lines at the end of %s", c.Content)
	}
	return before, after
}

func TestDiff_gitAppliesIt(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil && os.Getenv("WINNOW_REQUIRE_TOOLS") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("git is not installed: patches are not tried with git apply, only with the test's own reader")
	}
	d, dir := newDice(t), t.TempDir()
	for i := range soak(2000) {
		p := d.page(20)
		q := d.change(d.change(p))
		a, b := d.write(p), d.write(q)
		unified := diffOf(a, b)
		if i%5 == 4 && unified != "" {
			unified = whole(normal(a), normal(b)).unified()
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

// diffOf is Diff under a context that doesn't end.
func diffOf(previous, current string) string {
	unified, err := Diff(context.Background(), previous, current)
	if err != nil {
		panic(err)
	}
	return unified
}

func TestDiff_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Diff(ctx, "a\n\nb", "a\n\nc"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
