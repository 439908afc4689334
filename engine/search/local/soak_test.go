package local

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

// vocabulary is made of syllables, the first words far more often used than the last.
func vocabulary(random *rand.Rand) func() string {
	const syllables = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu"
	parts := strings.Fields(syllables)
	zipf := rand.NewZipf(random, 1.1, 5, 20_000)
	return func() string {
		n := int(zipf.Uint64())
		word := parts[n%30] + parts[n/30%30]
		if n >= 900 {
			word += parts[n/900%30]
		}
		return word
	}
}

// text has n words.
func text(word func() string, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = word()
	}
	return strings.Join(words, " ")
}

// Thousands of pages come, change and go; whatever is asked, the index finds what a look at every
// page finds, also after it was closed and others have changed the pages.
func TestSoak_theIndexIsWhatThePagesAre(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	word := vocabulary(random)
	s, dir, pages := newShelf(), t.TempDir(), soak(10_000)
	x := on(t, s, dir)
	start, searches := time.Now(), 0
	for i := range pages {
		url := fmt.Sprintf("https://a%d.example/%d", random.IntN(20), random.IntN(pages/2))
		if random.IntN(10) == 0 {
			s.remove(url)
		} else {
			s.put(search.Page{URL: url, Title: text(word, 5), Text: text(word, 20+random.IntN(100))})
		}
		switch {
		case i%(pages/10) == 7:
			checkAll(t, s, x, word)
			searches++
		case i == pages/2: // what happens to the pages meanwhile is seen when it is opened
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			s.index = nil
		case i == pages/2+pages/10:
			x = on(t, s, dir)
		}
	}
	checkAll(t, s, x, word)
	t.Logf("%d changes, %d pages, %d comparisons in %s", pages, len(s.pages), searches+1, time.Since(start))
}

// checkAll compares some searches with a look at every page.
func checkAll(t *testing.T, s *shelf, x *Index, word func() string) {
	t.Helper()
	if s.index == nil {
		return
	}
	for range 5 {
		query := word() + " " + word()
		var want []string
		for url, p := range s.pages {
			words := strings.Fields(p.Title + " " + p.Text)
			if !slices.ContainsFunc(strings.Fields(query), func(w string) bool { return !slices.Contains(words, w) }) {
				want = append(want, strings.TrimPrefix(url, "https://"))
			}
		}
		found, err := x.Search(t.Context(), search.Query{Text: query, Limit: search.MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		if len(want) >= search.MaxLimit || found.Warning != "" && len(want) == 0 {
			continue
		}
		if got := sorted(found.List); got != strings.Join(want, " ") {
			t.Fatalf("%s: got %d, want %d", query, len(found.List), len(want))
		}
	}
}

// BenchmarkIndex_build makes an index in a folder of 1000 pages of 300 words.
func BenchmarkIndex_build(b *testing.B) {
	word := vocabulary(rand.New(rand.NewPCG(1, 2)))
	s := newShelf()
	const pages = 1000
	for i := range pages {
		s.put(search.Page{URL: fmt.Sprintf("https://a.example/%d", i), Title: text(word, 5), Text: text(word, 300), Language: "en"})
	}
	for b.Loop() {
		x := on(b, s, b.TempDir())
		find(b, x, "bababa")
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(pages*b.N)/b.Elapsed().Seconds(), "pages/s")
}

// BenchmarkIndex_search asks for two words among 10,000 pages of 300.
func BenchmarkIndex_search(b *testing.B) {
	word := vocabulary(rand.New(rand.NewPCG(1, 2)))
	s := newShelf()
	for i := range 10_000 {
		s.put(search.Page{URL: fmt.Sprintf("https://a.example/%d", i), Title: text(word, 5), Text: text(word, 300), Language: "en"})
	}
	x := on(b, s, b.TempDir())
	find(b, x, "bababa")
	for b.Loop() {
		if _, err := x.Search(b.Context(), search.Query{Text: word() + " " + word()}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIndex_catchUp opens an index of 10,000 pages of which none has changed.
func BenchmarkIndex_catchUp(b *testing.B) {
	s, dir := newShelf(), b.TempDir()
	for i := range 10_000 {
		s.put(search.Page{URL: fmt.Sprintf("https://a.example/%d", i), Title: "Sack", Text: "barley"})
	}
	for b.Loop() {
		x := on(b, s, dir)
		find(b, x, "zymurgy")
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
