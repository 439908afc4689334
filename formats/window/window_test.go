package window

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/passages"
	"github.com/winnow-go/winnow/formats/tokens"
)

func texts(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{
		"one word":  strings.Repeat("磨坊位于河边", 300),
		"no breaks": strings.Repeat("x", 5000),
		"spaces":    strings.Repeat(" \n", 500) + "end",
		"code":      "# A\n\n```go\n" + strings.Repeat("x := 1 // one of many lines\n", 200) + "```\n\n## B\n\ntext\n",
		"headings":  strings.Repeat("# Heading\n\n", 300),
	}
	for _, pattern := range []string{"../testdata/markdown/*.out.md", "../testdata/main/*.out.md", "../passages/testdata/*.in.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			body, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all[f] = string(body)
		}
	}
	return all
}

// containing ranks passages that contain the query first.
func containing(query string, list []passages.Passage) (order []int) {
	for i := range list {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return strings.Count(list[b].Text, query) - strings.Count(list[a].Text, query)
	})
	return order
}

// words is a counter of another kind: parts that are joined can have fewer than both.
func words(text string) int { return len(strings.Fields(text)) + len(text)/8 }

// checkPages reads a text part by part.
func checkPages(t *testing.T, md string, limit int, count tokens.Counter) {
	t.Helper()
	var joined strings.Builder
	o := Options{Count: count}
	for from, n := 0, 0; ; n++ {
		part, w := Read(md, Budget{Tokens: limit, From: from}, o)
		if got := count.Or()(part); got > limit || got != w.Tokens {
			t.Fatalf("the part from %d has %d tokens, as it says %d, of %d", from, got, w.Tokens, limit)
		}
		if w.From != from || md[w.From:w.To] != part || n > len(md) {
			t.Fatalf("part %d is from %d to %d, want from %d: %q", n, w.From, w.To, from, part)
		}
		checkOutline(t, md, w)
		joined.WriteString(part)
		if from = w.Next; from == 0 {
			break
		}
		if part == "" {
			t.Fatalf("nothing from %d on", w.From)
		}
	}
	if joined.String() != md {
		t.Fatalf("the parts joined are %q, want %q", joined.String(), md)
	}
}

func checkOutline(t *testing.T, md string, w *Window) {
	t.Helper()
	if len(w.Outline) > MaxOutline {
		t.Fatalf("%d sections", len(w.Outline))
	}
	for i, s := range w.Outline {
		if s.From < 0 || s.From >= len(md) || s.Tokens < 1 || i > 0 && s.From <= w.Outline[i-1].From {
			t.Fatalf("section %d: %+v", i, s)
		}
		if w.Spans == nil && s.From >= w.From && s.From < w.To {
			t.Fatalf("section %d from %d is in the part, %d to %d", i, s.From, w.From, w.To)
		}
	}
	if w.Next > 0 && strings.TrimSpace(md[w.Next:]) != "" && len(w.Outline) == 0 {
		t.Fatalf("nothing says what follows %d", w.Next)
	}
}

// checkQuery reads what is relevant.
func checkQuery(t *testing.T, md, query string, limit int, count tokens.Counter) {
	t.Helper()
	part, w := Read(md, Budget{Tokens: limit, Query: query}, Options{Count: count, Rank: containing})
	if got := count.Or()(part); got > limit || got != w.Tokens {
		t.Fatalf("%d tokens, as it says %d, of %d", got, w.Tokens, limit)
	}
	checkOutline(t, md, w)
	rest, last := part, -1
	for _, s := range w.Spans {
		if s[0] <= last || s[1] <= s[0] {
			t.Fatalf("spans %v", w.Spans)
		}
		var ok bool
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, "\n"), strings.TrimLeft(md[s[0]:s[1]], "\n")); !ok {
			t.Fatalf("%q isn't where span %v says", rest, s)
		}
		last = s[1]
	}
	if w.Spans != nil && strings.TrimSpace(rest) != "" {
		t.Fatalf("%q is in no span", rest)
	}
}

func TestRead_neverExceedsItsBudgetAndLosesNothing(t *testing.T) {
	for name, md := range texts(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			for _, limit := range []int{MinTokens, 65, 100, 257, 1000} {
				for _, count := range []tokens.Counter{nil, words} {
					checkPages(t, md, limit, count)
					checkQuery(t, md, "the", limit, count)
				}
			}
		})
	}
}

func TestRead_isCutAtBlocksWithTheRestInAnOutline(t *testing.T) {
	para := "Barley is sown in March, when the frost is over and the ground is dry enough.\n\n"
	md := "# Mill\n\n" + para + "## Sowing\n\n" + para + para + "## Harvest\n\n" + para
	part, w := Read(md, Budget{Tokens: 64}, Options{})
	if want := "# Mill\n\n" + para + "## Sowing\n\n" + para; part != want || w.Next != len(want) {
		t.Errorf("got %q, %+v", part, w)
	}
	if got, want := fmt.Sprint(w.Outline), fmt.Sprintf("[{%d 2 Sowing 21} {%d 2 Harvest 27}]", len(part), strings.Index(md, "## Harvest")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	part, w = Read(md, Budget{Tokens: 64, From: w.Next}, Options{})
	if part != para+"## Harvest\n\n"+para || fmt.Sprint(w.Headings) != "[Mill Sowing]" || w.Next != 0 {
		t.Errorf("got %q, %+v", part, w)
	}
}

func TestRead_aQueryGivesWhatIsRelevantInReadingOrder(t *testing.T) {
	var md strings.Builder
	md.WriteString("# Book\n\n")
	for i := range 40 {
		fmt.Fprintf(&md, "## Chapter %d\n\nThis is about item-%d and little else, but it goes on for quite some time.\n\n", i, i)
	}
	md.WriteString("## Index\n\n| Item | Page |\n| --- | --- |\n")
	for i := range 100 {
		fmt.Fprintf(&md, "| item | %d |\n", i)
	}
	md.WriteString("| wanted-row | 7 |\n")
	part, w := Read(md.String(), Budget{Tokens: 100, Query: "item-31 "}, Options{Rank: containing})
	if !strings.HasPrefix(part, "# Book\n\n## Chapter 0\n\n") || !strings.Contains(part, "## Chapter 31\n\nThis is about item-31 ") || len(w.Spans) < 2 {
		t.Errorf("got %q, %+v", part, w)
	}
	part, _ = Read(md.String(), Budget{Tokens: 200, Query: "wanted-row"}, Options{Rank: containing})
	if !strings.Contains(part, "## Index\n\n| Item | Page |\n| --- | --- |\n| item | ") || !strings.HasSuffix(part, "| wanted-row | 7 |") {
		t.Errorf("got %q", part)
	}
}

func TestRead_headAndFootStandBesideThePart(t *testing.T) {
	md := texts(t)["code"]
	_, first := Read(md, Budget{Tokens: 200}, Options{})
	_, second := Read(md, Budget{Tokens: 200, From: first.Next}, Options{})
	if first.Head != "" || first.Foot != "```" || second.Head != "```go" || second.Foot != "```" {
		t.Errorf("got %q, %q and %q, %q", first.Head, first.Foot, second.Head, second.Foot)
	}
}

func TestRead_whatFitsStaysWhole(t *testing.T) {
	for _, b := range []Budget{{}, {Tokens: 100}, {Tokens: 100, Query: "x"}} {
		if part, w := Read("# A\n\nb\n", b, Options{Rank: containing}); part != "# A\n\nb\n" || (w == nil) != (b.Tokens == 0) || w != nil && (w.Next != 0 || w.Outline != nil) {
			t.Errorf("%+v: got %q, %+v", b, part, w)
		}
	}
	if part, w := Read("a", Budget{Tokens: 100, From: 7}, Options{}); part != "" || w.From != 1 || w.Next != 0 {
		t.Errorf("beyond the end: %q, %+v", part, w)
	}
}

func FuzzRead(f *testing.F) {
	for _, md := range texts(f) {
		f.Add(md, 80, "the")
	}
	f.Fuzz(func(t *testing.T, md string, limit int, query string) {
		limit = MinTokens + max(limit, -limit, 0)%1000
		if len(md) > 20_000 {
			return
		}
		checkPages(t, md, limit, nil)
		checkQuery(t, md, query, limit, nil)
	})
}
