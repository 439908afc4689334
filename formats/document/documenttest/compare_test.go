package documenttest_test

import (
	"testing"

	"github.com/winnow-go/winnow/formats/document/documenttest"
)

// Every made page is its own best answer, and the same seed makes the same page.
func TestCompare_aPageIsItsOwnAnswer(t *testing.T) {
	for seed := range uint64(40) {
		made := documenttest.Make(seed)
		if again := documenttest.Make(seed); again != made {
			t.Fatalf("seed %d makes another page the second time", seed)
		}
		got, err := documenttest.Compare(made.Page, made.Page)
		if err != nil {
			t.Fatal(err)
		}
		if got.Order != 1 || got.Headings != 1 || got.Tables != 1 && got.Tables != documenttest.None {
			t.Errorf("seed %d (%s): got %+v, want 1 in each part", seed, made.Kind, got)
		}
	}
}

func TestCompare_scores(t *testing.T) {
	const want = "<h1>One</h1><p>first text</p><h2>Two</h2><p>second text</p><table><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>"
	for name, c := range map[string]struct {
		got  string
		want documenttest.Score
	}{
		"nothing":   {"", documenttest.Score{Order: 0, Headings: 1.0 / 5, Tables: 0}},
		"all":       {want, documenttest.Score{Order: 1, Headings: 1, Tables: 1}},
		"reversed":  {"<p>second text</p><h2>Two</h2><p>first text</p><h1>One</h1>", documenttest.Score{Order: 0, Headings: 0.4, Tables: 0}},
		"a level":   {"<h1>One</h1><p>first text</p><h1>Two</h1><p>second text</p>", documenttest.Score{Order: 1, Headings: 0.6, Tables: 0}},
		"a cell":    {"<h1>One</h1><p>first text</p><h2>Two</h2><p>second text</p><table><tr><td>a<td>x</tr><tr><td>c<td>d</tr></table>", documenttest.Score{Order: 1, Headings: 1, Tables: 1 - 1.0/7}},
		"no table":  {"<h1>One</h1><p>first text</p><h2>Two</h2><p>second text</p><p>a b c d</p>", documenttest.Score{Order: 1, Headings: 1 - 4.0/6/5, Tables: 0}},
		"two swaps": {"<p>first text</p><h1>One</h1><h2>Two</h2><p>second text</p>", documenttest.Score{Order: 4.0 / 6, Headings: 0.6, Tables: 0}},
	} {
		got, err := documenttest.Compare(want, c.got)
		if err != nil {
			t.Fatal(err)
		}
		if diff(got.Order, c.want.Order) || diff(got.Headings, c.want.Headings) || diff(got.Tables, c.want.Tables) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func diff(a, b float64) bool { return a-b > 0.001 || b-a > 0.001 }
