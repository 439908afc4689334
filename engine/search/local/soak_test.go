package local

import (
	"errors"
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

// Hundreds of pages come, change and go, thousands with WINNOW_SOAK=1; whatever is asked, the index finds what a look at every
// page finds, also after it was closed and others have changed the pages.
func TestSoak_theIndexIsWhatThePagesAre(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	word := vocabulary(random)
	s, dir, pages := newFakeCache(), t.TempDir(), soak(10_000)
	if pages < 10_000 {
		pages = 250
	}
	x := on(t, s, dir)
	start, compared := time.Now(), 0
	for i := range pages {
		url := fmt.Sprintf("https://a%d.example/%d", random.IntN(20), random.IntN(pages/2))
		if random.IntN(10) == 0 {
			s.remove(url)
		} else {
			s.put(search.Page{URL: url, Title: text(word, 5), Text: text(word, 20+random.IntN(100))})
		}
		switch {
		case i%(pages/10) == 7 && s.index == nil:
			checkClosed(t, x, word)
		case i%(pages/10) == 7:
			compared += checkAll(t, s, x, word)
		case i == pages/2: // what happens to the pages meanwhile is seen when it is opened
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			s.index = nil
		case i == pages/2+pages/10:
			x = on(t, s, dir)
		}
	}
	compared += checkAll(t, s, x, word)
	t.Logf("%d changes, %d pages, %d searches compared in %s", pages, len(s.pages), compared, time.Since(start))
}

// checkClosed requires that a closed index searches nothing.
func checkClosed(t *testing.T, x *Index, word func() string) {
	t.Helper()
	if _, err := x.Search(t.Context(), search.Query{Text: word()}); !errors.Is(err, search.ErrClosed) {
		t.Fatalf("a closed index: got %v, want ErrClosed", err)
	}
}

// checkAll compares some searches with a look at every page, and returns how many of them a page had to be found for: at least
// one, whose words are those of a page.
func checkAll(t *testing.T, s *fakeCache, x *Index, word func() string) (compared int) {
	t.Helper()
	queries := []string{s.words()}
	for range 5 {
		queries = append(queries, word()+" "+word())
	}
	for _, query := range queries {
		want := s.having(strings.Fields(query))
		found, err := x.Search(t.Context(), search.Query{Text: query, Limit: search.MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case len(want) == 0 && found.Warning != "": // pages with some of the words
			continue
		case len(want) >= search.MaxLimit && len(found.List) == search.MaxLimit: // any of those that have the words
			compared++
			continue
		case len(want) > 0:
			compared++
		}
		if got := sorted(found.List); got != strings.Join(want, " ") {
			t.Fatalf("%s: got %d, want %d", query, len(found.List), len(want))
		}
	}
	if compared == 0 {
		t.Fatalf("%q: no search had to find a page", queries)
	}
	return compared
}

// words returns the first and the last word of a page.
func (s *fakeCache) words() string {
	for _, p := range s.pages {
		words := strings.Fields(p.Title + " " + p.Text)
		return words[0] + " " + words[len(words)-1]
	}
	return ""
}

// having returns the URLs of the pages that have all words, sorted and without scheme.
func (s *fakeCache) having(words []string) (urls []string) {
	for url, p := range s.pages {
		has := strings.Fields(p.Title + " " + p.Text)
		if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(has, w) }) {
			urls = append(urls, strings.TrimPrefix(url, "https://"))
		}
	}
	slices.Sort(urls)
	return urls
}

// BenchmarkIndex_build makes an index in a folder of 1000 pages of 300 words.
func BenchmarkIndex_build(b *testing.B) {
	word := vocabulary(rand.New(rand.NewPCG(1, 2)))
	s := newFakeCache()
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
	s := newFakeCache()
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
	s, dir := newFakeCache(), b.TempDir()
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
