package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestBlocks_cutMarkdownWhereReadersSeeIt(t *testing.T) {
	const (
		p = paragraph
		h = heading
	)
	cases := []struct {
		text string
		want []kind
	}{
		{"", nil},
		{" \n\n", nil},
		{"one\ntwo\n\nthree", []kind{p, p}},
		{"# a\ntext\n## b ##\n", []kind{h, p, h}},
		{"Title\n=====\ntext", []kind{h, p}},
		{"#nota heading", []kind{p}},
		{"text\n# a", []kind{p, h}},
		{"- a\n- b\n  more\n\n  still\n\n- c\n\ntext", []kind{list, list, p}},
		{"1. a\n2) b", []kind{list}},
		{"- a\n# b", []kind{list, h}},
		{"- a\n\n  ```\n  # no\n\n  - no\n  ```\n\nb", []kind{list, p}},
		{"| a | b |\n|---|:-:|\n| 1 | 2 |\ntext", []kind{table, p}},
		{"a | b\n--|--\n1 | 2", []kind{table}},
		{"a | b\nno table", []kind{p}},
		{"intro\n| a |\n|---|\n| 1 |", []kind{p, table}},
		{"```go\n# no heading\n\nmore\n```\nb", []kind{code, p}},
		{"~~~\n```\n~~~\nb", []kind{code, p}},
		{"```\nnever closed\n\n# a", []kind{code}},
		{"    indented\n\ntext", []kind{code, p}},
		{"> a\n> b\n\n> c", []kind{quote, quote}},
		{"a\n\n---\n\n* * *\n\nb", []kind{p, rule, rule, p}},
		{"![image](a.png)\n\n[link](b)\r\n\r\nlast", []kind{p, p, p}},
	}
	for _, c := range cases {
		var got []kind
		for _, b := range blocks(c.text) {
			got = append(got, b.kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.text, got, c.want)
		}
		checkBlocks(t, c.text)
	}
}

func TestBlocks_headingsHaveTheirLevel(t *testing.T) {
	found := blocks("# a\n\n### b\n\nc\n===\n\nd\n---\n")
	for i, want := range []int{1, 3, 1, 2} {
		if found[i].kind != heading || found[i].level != want {
			t.Errorf("block %d: got %+v, want a heading of level %d", i, found[i], want)
		}
	}
}

// checkBlocks: one after another, blocks are the text.
func checkBlocks(t *testing.T, text string) {
	t.Helper()
	at := 0
	for _, b := range blocks(text) {
		if b.start != at || b.body <= b.start || b.end < b.body || strings.TrimSpace(text[b.body:b.end]) != "" {
			t.Fatalf("%q: block %+v after %d", text, b, at)
		}
		at = b.end
	}
	if at != len(text) && strings.TrimSpace(text) != "" {
		t.Fatalf("%q: the blocks end at %d", text, at)
	}
}

func TestSentences_endWhereReadersStop(t *testing.T) {
	cases := []struct {
		text string
		want []string
	}{
		{"One. Two! Three?", []string{"One.", "Two!", "Three?"}},
		{"Dr. Who met Mr. X. They spoke.", []string{"Dr. Who met Mr. X. They spoke."}},
		{"It costs 3.50 today. Buy it.", []string{"It costs 3.50 today.", "Buy it."}},
		{"e.g. this one. That", []string{"e.g. this one.", "That"}},
		{"See [Part one. Two](http://a.example/b.c d). Next.", []string{"See [Part one. Two](http://a.example/b.c d).", "Next."}},
		{"Run `a. B` now. Then.", []string{"Run `a. B` now.", "Then."}},
		{"He said “Go.” She went.", []string{"He said “Go.”", "She went."}},
		{"これは文です。次の文です。", []string{"これは文です。", "次の文です。"}},
		{"Version 2. of it", []string{"Version 2. of it"}},
		{"No end", []string{"No end"}},
		{"  ", nil},
		{"Wait... what? Yes.", []string{"Wait... what?", "Yes."}},
	}
	for _, c := range cases {
		var got []string
		for _, s := range sentences(c.text, 0, len(c.text)) {
			got = append(got, c.text[s.start:s.end])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestQuotable_itemsTablesAndCodeAreWhole(t *testing.T) {
	text := "# Head\n\nOne. Two.\n\n- a. B\n  - nested\n- c\n\n| x |\n|---|\n| 1 |\n\n```\ncode. More\n```\n\n---\n"
	var got []string
	for _, p := range quotable(text) {
		got = append(got, text[p.start:p.end])
	}
	want := []string{"# Head", "One.", "Two.", "- a. B", "  - nested", "- c", "| x |\n|---|\n| 1 |", "```\ncode. More\n```"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("# a\n\n- b\n\n  ```\nc\n```\n| d |\n|--|\n")
	f.Add("a\r\n\r\n> b\n===\n~~~\n\xff")
	f.Add("a. B! 「c。」 d [e. F](g) `h. I`")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 {
			t.Skip("fuzzed input: over 20,000 bytes")
		}
		checkBlocks(t, text)
		last := 0
		pieces := quotable(text)
		all := map[int]bool{}
		for i, p := range pieces {
			if p.start < last && p.span != pieces[i-1].span || p.end <= p.start || p.end > len(text) {
				t.Fatalf("piece %d: %+v after %d", i, p.span, last)
			}
			last, all[i] = p.end, true
		}
		for _, s := range picked(text, pieces, all) {
			if s.start > s.end || s.end > len(text) {
				t.Fatalf("picked %+v", s)
			}
		}
		if pieces != nil && len(packs(pieces, minPackTokens)) == 0 {
			t.Fatal("no packs")
		}
	})
}

// longPage has n sections of a sentence each.
func longPage(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## Section %d\n\nThis is the text of section number %d of a page that is rather long.\n\n", i, i)
	}
	return b.String()
}
