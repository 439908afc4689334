package llm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-go/winnow/llm"
)

func TestSplit_cutsAtTheBestPlace(t *testing.T) {
	words := func(n int, word string) string { return strings.TrimSpace(strings.Repeat(word+" ", n)) }
	for name, c := range map[string]struct {
		text   string
		tokens int
		want   []string
	}{
		"empty":      {"", 100, nil},
		"short":      {"one", 100, []string{"one"}},
		"headings":   {"# A\n" + words(12, "one") + "\n## B\n" + words(12, "two") + "\n", 20, []string{"# A\n" + words(12, "one") + "\n", "## B\n" + words(12, "two") + "\n"}},
		"paragraphs": {words(12, "one") + "\n\n" + words(12, "two"), 20, []string{words(12, "one") + "\n\n", words(12, "two")}},
		"lines":      {words(12, "one") + "\n" + words(12, "two"), 20, []string{words(12, "one") + "\n", words(12, "two")}},
		"sentences":  {words(12, "one") + ". " + words(12, "two") + ".", 20, []string{words(12, "one") + ". ", words(12, "two") + "."}},
		"code stays whole": {words(8, "one") + "\n```\na\n\n# no heading\n\nb\n```\n" + words(8, "two"), 20,
			[]string{words(8, "one") + "\n", "```\na\n\n# no heading\n\nb\n```\n", words(8, "two")}},
	} {
		if got := llm.Split(c.text, c.tokens, 0); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

func TestSplit_overlapRepeatsWholeSentences(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "Sentence number %d says this. ", i)
	}
	parts := llm.Split(text.String(), 60, 20)
	if len(parts) < 4 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, part := range parts[1:] {
		first, _, _ := strings.Cut(part, ". ")
		if !strings.HasPrefix(first, "Sentence number ") || !strings.Contains(parts[i], first) {
			t.Errorf("part %d does not begin with a sentence of the one before: %q", i+1, first)
		}
	}
}

func TestSplit_cutsWordsWithoutEnd(t *testing.T) {
	text := strings.Repeat("a", 1<<14) + strings.Repeat("語", 1<<13)
	checkSplit(t, text, 500, 100)
}

func FuzzSplit(f *testing.F) {
	f.Add("# A\n\ntext. More text! 語語語\n```\ncode\n```\n- x\n", 16, 4)
	f.Add(strings.Repeat("word ", 100)+strings.Repeat("x", 300)+"\xff\xfe", 20, 10)
	f.Add("~~~\n"+strings.Repeat("a\n\n", 50), 17, 8)
	f.Fuzz(func(t *testing.T, text string, tokens, overlap int) {
		if len(text) > 1<<14 {
			return
		}
		checkSplit(t, text, tokens, overlap)
	})
}

// checkSplit checks what holds of all texts.
func checkSplit(t *testing.T, text string, tokens, overlap int) {
	t.Helper()
	parts := llm.Split(text, tokens, 0)
	if got := strings.Join(parts, ""); got != text {
		t.Fatalf("the parts together are not the text: %q", parts)
	}
	with := llm.Split(text, tokens, overlap)
	for i, part := range slices.Concat(parts, with) {
		if n := llm.Tokens(part); n > max(tokens, 16) {
			t.Fatalf("part %d has %d tokens, more than %d: %q", i, n, tokens, part)
		}
		if utf8.ValidString(text) && !utf8.ValidString(part) {
			t.Fatalf("part %d is cut in a rune: %q", i, part)
		}
	}
	overlap = min(max(overlap, 0), max(tokens, 16)/2)
	own := llm.Split(text, max(tokens, 16)-overlap, 0)
	if len(with) < 2 || tokens-overlap < 16 {
		return
	}
	for i, part := range with[1:] { // the end of the one before, then its own
		before, ok := strings.CutSuffix(part, own[i+1])
		if !ok || !strings.HasSuffix(own[i], before) {
			t.Fatalf("part %d does not go on where the one before ended: %q", i+1, part)
		}
	}
}
