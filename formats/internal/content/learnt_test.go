package content

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLearnt_goesByTheFeaturesThereAre(t *testing.T) {
	l, err := ParseLearnt(learntFile)
	if err != nil {
		t.Fatal(err)
	}
	tr := tree(t, "<h1>Bees</h1>"+strings.Repeat(prose, 3))
	x := tr.Example(tr.NewMask())
	if got, want := len(x.Features[0]), len(FeatureNames()); got != want {
		t.Errorf("a block has %d features, want %d", got, want)
	}
	if _, page := x.Judge(make([]float64, len(x.Features))); len(page) != len(PageFeatureNames()) {
		t.Errorf("a page has %d features, want %d", len(page), len(PageFeatureNames()))
	}
	if len(l.Figures) == 0 {
		t.Error("the file doesn't say what it gave")
	}
}

func TestParseLearnt_refusesOtherFeatures(t *testing.T) {
	for _, text := range []string{"", "{}", `{"blocks":{"features":["a"]},"pages":{"features":["b"]}}`} {
		if _, err := ParseLearnt([]byte(text)); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}

// What is learnt decides about lists and tables as wholes, and about lines of one name alike.
func TestEvened_unitsAreOfOneLikelihood(t *testing.T) {
	var cards strings.Builder
	for i := range 8 {
		fmt.Fprintf(&cards, `<div class="card"><a href="/%d"><img src="/%d.jpg"><h3>Oak hive number %d</h3></a><span>%d0 €</span></div>`, i, i, i, i)
	}
	tr := tree(t, "<h1>Hives</h1><div>"+cards.String()+"</div><table><tr><td>Weight</td><td>20 kg</td></tr></table>"+strings.Repeat(prose, 5))
	x := tr.Example(tr.NewMask())
	likely := make([]float64, len(x.Texts))
	for k := range likely {
		likely[k] = float64(k%7) / 7
	}
	even := x.view.evened(likely)
	of := make(map[string]float64)
	for k, text := range x.Texts {
		sort := ""
		switch {
		case strings.Contains(text, "Oak") || strings.Contains(text, "€"):
			sort = "card"
		case text == "Weight" || text == "20 kg":
			sort = "table"
		default:
			continue
		}
		if first, seen := of[sort]; seen && first != even[k] {
			t.Errorf("%q has %.3f, another line of its %s %.3f", text, even[k], sort, first)
		}
		of[sort] = even[k]
	}
	if len(of) != 2 {
		t.Errorf("got %v, want cards and a table", of)
	}
}

// A line among the paragraphs stays whatever is learnt of it, and so do tables and code.
func TestDecide_keepsTheLinesOfAText(t *testing.T) {
	tr := tree(t, "<main><h1>Bees</h1><p>Version 3.2</p>"+strings.Repeat(prose, 50)+"<ul><li>One</li></ul><div><p>Elsewhere</p><table><tr><td>Weight</td></tr></table><pre>go get</pre></div></main>")
	x := tr.Example(tr.NewMask())
	kept := x.view.decide(make([]float64, len(x.Texts)), 0.5)
	for k, text := range x.Texts {
		if want := text != "Elsewhere"; kept[k] != want {
			t.Errorf("%q is kept: %v, want %v", text, kept[k], want)
		}
	}
}

// A heading stays above what is kept.
func TestKeepHeadings(t *testing.T) {
	tr := tree(t, "<div><h2>First</h2><p>Kept</p><h2>Second</h2><h3>Third</h3><p>Gone</p><h2>Last</h2></div>")
	v := tr.Example(tr.NewMask()).view
	kept := []bool{false, true, false, false, false, false}
	v.keepHeadings(kept)
	if want := []bool{true, true, false, false, false, false}; !slices.Equal(kept, want) {
		t.Errorf("got %v, want %v", kept, want)
	}
}
