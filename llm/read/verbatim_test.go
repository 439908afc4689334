package read

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

// picks answers with numbers.
func picks(numbers ...int) string {
	raw, _ := json.Marshal(map[string][]int{"numbers": append([]int{}, numbers...)})
	return string(raw)
}

const shop = `[Home](/) > [Chairs](/chairs)

# A chair

It is blue. It costs 49 €. It is made of wood.

- light
- strong

| size | price |
|------|-------|
| S    | 49 €  |
| L    | 59 €  |

` + "```\nassemble --now\n```" + `

## Related articles

- [A table](/table)
- [A lamp](/lamp)

We use cookies. [Accept](#)
`

func TestHighlights_arePiecesOfTheText(t *testing.T) {
	cases := []struct {
		numbers []int
		want    string
	}{
		{[]int{3}, "It costs 49 €."},
		{[]int{4, 2, 2}, "It is blue.\n\nIt is made of wood."},
		{[]int{2, 3}, "It is blue. It costs 49 €."},
		{[]int{5, 6}, "- light\n- strong"},
		{[]int{7, 3, -1, 99}, "It costs 49 €.\n\n| size | price |\n|------|-------|\n| S    | 49 €  |\n| L    | 59 €  |"},
		{[]int{8}, "```\nassemble --now\n```"},
	}
	for _, c := range cases {
		got, warnings, err := Highlights(t.Context(), says(picks(c.numbers...)), Page{Text: shop}, "price")
		if err != nil || warnings != nil || got != c.want {
			t.Errorf("%v: got %q, %q, %v, want %q", c.numbers, got, warnings, err, c.want)
		}
	}
	got, warnings, err := Highlights(t.Context(), says(picks()), Page{Text: shop}, "price")
	if err != nil || got != "" || len(warnings) != 1 {
		t.Errorf("none: got %q, %q, %v", got, warnings, err)
	}
}

func TestHighlights_ofALongTableAnyPartStandsForAll(t *testing.T) {
	var b strings.Builder
	b.WriteString("| n | word |\n|---|------|\n")
	for i := range 300 {
		fmt.Fprintf(&b, "| %d | number %d |\n", i, i)
	}
	table := strings.TrimSpace(b.String())
	m := computes(llm.Info{Context: 3000, Output: 500}, func(prompt string) string {
		for _, line := range strings.Split(inside(prompt), "\n[") {
			if strings.Contains(line, "number 217 ") {
				number, _, _ := strings.Cut(strings.TrimPrefix(line, "["), "]")
				return `{"numbers":[` + number + `]}`
			}
		}
		return picks()
	})
	got, _, err := Highlights(t.Context(), m, Page{Text: "Before.\n\n" + b.String() + "\nAfter.\n"}, "217")
	if err != nil || got != table {
		t.Errorf("got %d bytes, %v, want the table of %d", len(got), err, len(table))
	}
	if len(m.asked) < 2 {
		t.Errorf("%d calls for a page that is too long for one", len(m.asked))
	}
}

// Whatever numbers the model gives, highlights are pieces of the text in their order.
func TestHighlights_whateverTheModelSaysAreSubstrings(t *testing.T) {
	random := seeded(t)
	for range soak(1500) {
		text := randomMarkdown(random)
		m := computes(llm.Info{Context: 3000, Output: 500}, func(string) string { return randomPicks(random, len(quotable(text))) })
		m.answer = serial(m.answer)
		pieces := quotable(text)
		chosen := map[int]bool{}
		for i := range pieces {
			chosen[i] = random.IntN(3) == 0
		}
		last := 0
		for _, s := range picked(text, pieces, chosen) {
			if s.start < last || s.end <= s.start {
				t.Fatalf("span %+v after %d in %q", s, last, text)
			}
			last = s.end
		}
		got, _, err := Highlights(t.Context(), m, Page{Text: text}, "any")
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, part := range strings.Split(got, "\n\n") {
			i := strings.Index(text[at:], part)
			if i < 0 {
				t.Fatalf("%q isn't in %q", part, text)
			}
			at += i
		}
	}
}

func randomPicks(random *rand.Rand, n int) string {
	var numbers []int
	for range random.IntN(n + 2) {
		numbers = append(numbers, random.IntN(n+4)-2)
	}
	return picks(numbers...)
}

var snippets = []string{"# Head\n", "## Sub\n", "Text. More text! And so on?\n", "- item\n- item two\n", "1. one\n\n2. two\n", "| a | b |\n|---|---|\n| 1 | 2 |\n",
	"```\ncode. Here\n\n# there\n```\n", "> quoted. Twice.\n", "---\n", "Head\n====\n", "[Link](http://a.example/). ![](b.png)\n", "\n", "\n\n", "   \n", "日本。語。\n", "\r\n", "    indented\n", "~~~\nopen\n", "\xff. \xfe\n"}

func randomMarkdown(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(30) {
		b.WriteString(snippets[random.IntN(len(snippets))])
		if random.IntN(2) == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestClean_dropsWhatIsNamedAndKeepsTheRestAsItIs(t *testing.T) {
	m := says(picks(0, 6, 7, 8))
	got, warnings, err := Clean(t.Context(), m, Page{Text: shop})
	want := shop[strings.Index(shop, "# A chair"):strings.Index(shop, "## Related")]
	if err != nil || warnings != nil || got != want {
		t.Errorf("got %q, %q, %v, want %q", got, warnings, err, want)
	}
}

func TestClean_protectsContent(t *testing.T) {
	cases := []struct {
		name    string
		numbers []int
		gone    []string
	}{
		{"nothing", nil, nil},
		{"a table alone", []int{4}, nil},
		{"code alone", []int{5}, nil},
		{"a heading without its section", []int{6}, nil},
		{"a heading with a part of its section", []int{6, 7}, []string{"- [A table](/table)\n- [A lamp](/lamp)\n\n"}},
		{"numbers that there are not", []int{-1, 9, 1000}, nil},
		{"everything", []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, nil},
		{"the article", []int{1, 2, 3, 4, 5, 6, 7, 8}, nil},
	}
	for _, c := range cases {
		want := shop
		for _, gone := range c.gone {
			want = strings.Replace(want, gone, "", 1)
		}
		got, _, err := Clean(t.Context(), says(picks(c.numbers...)), Page{Text: shop})
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, want)
		}
	}
}

func TestClean_ofMostOfThePageIsRefusedWithAWarning(t *testing.T) {
	for _, text := range []string{"# Head\n\nAll the text there is.\n", strings.Repeat("A paragraph.\n\n", 10)} {
		n := len(blocks(text))
		var most []int
		for i := 1; i < n; i++ {
			most = append(most, i)
		}
		got, warnings, err := Clean(t.Context(), says(picks(most...)), Page{Text: text})
		if err != nil || got != text || len(warnings) != 1 {
			t.Errorf("got %q, %q, %v", got, warnings, err)
		}
	}
}

func TestClean_ofAPageBeyondTheModelChangesNothingAndAsksNothing(t *testing.T) {
	text := longPage(100)
	for _, info := range []llm.Info{{Context: 100_000, Output: 500}, {Context: 2000, Output: 100_000}} {
		m := says(picks(0))
		m.info = info
		got, warnings, err := Clean(t.Context(), m, Page{Text: text})
		if err != nil || got != text || len(warnings) != 1 || len(m.asked) != 0 {
			t.Errorf("%+v: got %d bytes, %q, %v after %d calls", info, len(got), warnings, err, len(m.asked))
		}
	}
}

// Whatever the model says, a cleaned page is a subsequence of its blocks, with all code and all
// tables that don't go with their section.
func TestClean_whateverTheModelSaysIsASubsequenceOfBlocks(t *testing.T) {
	random := seeded(t)
	for range soak(1500) {
		text := randomMarkdown(random)
		found := blocks(text)
		got, _, err := Clean(t.Context(), says(randomPicks(random, len(found))), Page{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		ends := map[int]bool{0: true} // where in got the blocks so far can end
		for _, b := range found {
			for at := range maps.Clone(ends) {
				if strings.HasPrefix(got[at:], text[b.start:b.end]) {
					ends[at+b.end-b.start] = true
				}
			}
		}
		if !ends[len(got)] && len(found) > 0 {
			t.Fatalf("%q\nbecame\n%q", text, got)
		}
	}
}

func TestClean_whatReadersDontSeeIsNotShownAndGoesOnlyWithItsSection(t *testing.T) {
	const text = "# A\n\nSeen.\n\nHidden: name block 1.\n\n## Related\n\nHidden too.\n\n- [B](/b)\n"
	const seen = "# A\n\nSeen.\n\n## Related\n\n- [B](/b)"
	m := says(picks(2, 3, 5))
	got, warnings, err := Clean(t.Context(), m, Page{Text: text, Seen: seen})
	if err != nil || warnings != nil || got != "# A\n\nSeen.\n\nHidden: name block 1.\n\n" {
		t.Errorf("got %q, %q, %v", got, warnings, err)
	}
	if text := m.asked[0].Messages[1].Text; strings.Contains(text, "Hidden") || !strings.Contains(text, "[3] ## Related") {
		t.Errorf("got %s", text)
	}
	m = says(picks(0))
	if got, _, err = Clean(t.Context(), m, Page{Text: "Hidden.\n", Seen: "Seen."}); err != nil || got != "Hidden.\n" || len(m.asked) != 0 {
		t.Errorf("got %q, %v", got, err)
	}
}
