package local

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	scoring "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
)

// Passages have scores of their own, and not the library's: those count the rarity of a word twice, and less where a word could have
// been in more fields. A passage's score is BM25 over all its terms, with those of its headings and of its page's title, times the
// square root of how much of the query it has.

// The parameters of BM25.
const (
	saturation = 1.2
	byLength   = 0.75
)

// ranking has the scores of passages for a query, by their numbers in one reader.
type ranking struct {
	reader api.IndexReader
	scores map[uint64]*tally
}

// tally is what a passage has of a query.
type tally struct{ score, rarity float64 }

// rank scores the passages that have one word of a query at least. words are the terms that each word may be there as.
func (l *lengths) rank(ctx context.Context, r api.IndexReader, words [][]string) (ranking, error) {
	k := ranking{reader: r, scores: map[uint64]*tally{}}
	documents, mean, err := l.sizes(ctx, r)
	if err != nil || documents == 0 {
		return k, err
	}
	rarities := 0.0
	for _, terms := range words {
		has, err := matches(ctx, r, terms, mean)
		if err != nil {
			return k, err
		}
		n := float64(len(has))
		if n == 0 {
			continue
		}
		rarity := math.Log(1 + max(0, documents-n+0.5)/(n+0.5))
		rarities += rarity
		for number, weight := range has {
			t := k.scores[number]
			if t == nil {
				t = &tally{}
				k.scores[number] = t
			}
			t.score += rarity * weight
			t.rarity += rarity
		}
	}
	for _, t := range k.scores {
		t.score *= math.Sqrt(t.rarity / rarities)
	}
	return k, ctx.Err()
}

// lengths is what is known of the passages of a store.
type lengths struct {
	mu              sync.Mutex
	documents, mean float64
}

// sizes are how many passages there are, and how many terms one has on average: counted again when their number has changed by a tenth. The
// library counts the different terms of a field instead.
func (l *lengths) sizes(ctx context.Context, r api.IndexReader) (documents, mean float64, err error) {
	all, err := r.TermFieldReader(ctx, []byte(everyPassage), inTerms, false, true, false)
	if err != nil {
		return 0, 0, err
	}
	defer all.Close()
	const tolerance = 0.1
	documents = float64(all.Count())
	l.mu.Lock()
	defer l.mu.Unlock()
	if math.Abs(documents-l.documents) <= tolerance*l.documents {
		return documents, l.mean, nil
	}
	sum := 0.0
	next, err := all.Next(nil)
	for ; err == nil && next != nil; next, err = all.Next(next) {
		sum += lengthOf(next)
	}
	l.documents, l.mean = documents, max(1, sum/documents)
	return documents, l.mean, err
}

// lengthOf is how many terms a passage has.
func lengthOf(d *api.TermFieldDoc) float64 { return 1 / (d.Norm * d.Norm) }

// matches are the passages that have one of the terms, with the largest of their weights.
func matches(ctx context.Context, r api.IndexReader, terms []string, mean float64) (map[uint64]float64, error) {
	has := map[uint64]float64{}
	for _, term := range terms {
		found, err := r.TermFieldReader(ctx, []byte(term), inTerms, true, true, false)
		if err != nil {
			return nil, err
		}
		next, err := found.Next(nil)
		for ; err == nil && next != nil; next, err = found.Next(next) {
			times, length := float64(next.Freq), lengthOf(next)
			weight := times * (saturation + 1) / (times + saturation*(1-byLength+byLength*length/mean))
			number := next.ID.Value()
			has[number] = max(has[number], weight)
		}
		if err = cmp.Or(err, found.Close()); err != nil {
			return nil, err
		}
	}
	return has, ctx.Err()
}

// best are the ids of the best passages, at most limit. Only those among them are looked at; nil is all.
func (k ranking) best(limit int, among map[uint64]bool) (ids []string, err error) {
	type scored struct {
		number uint64
		score  float64
	}
	list := make([]scored, 0, len(k.scores))
	for number, t := range k.scores {
		if among == nil || among[number] {
			list = append(list, scored{number, t.score})
		}
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.number, b.number)) })
	for _, s := range list[:min(len(list), limit)] {
		id, err := k.reader.ExternalID(api.NewIndexInternalID(nil, s.number))
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// of are the numbers of a page's passages.
func (k ranking) of(key string) (among map[uint64]bool, err error) {
	among = map[uint64]bool{}
	err = eachWith(k.reader, byPage, key, func(_ string, internal api.IndexInternalID) error {
		among[internal.Value()] = true
		return nil
	})
	return among, err
}

// filtered visits the documents that a filter lets through.
func (s *store) filtered(ctx context.Context, r api.IndexReader, filter query.Query, visit func(api.IndexInternalID) error) error {
	searcher, err := filter.Searcher(ctx, r, s.index.Mapping(), scoring.SearcherOptions{Score: "none"})
	if err != nil {
		return err
	}
	defer searcher.Close()
	pool := &scoring.SearchContext{DocumentMatchPool: scoring.NewDocumentMatchPool(searcher.DocumentMatchPoolSize(), 0), IndexReader: r}
	for {
		hit, err := searcher.Next(pool)
		if err != nil || hit == nil {
			return err
		}
		if err := visit(hit.IndexInternalID); err != nil {
			return err
		}
		pool.DocumentMatchPool.Put(hit)
	}
}

// termsOf are the words of a query, each by the terms that it may be in a passage as: as it is, and its stems. Words that say
// nothing, in the language that has most of them, are left out unless all do.
func (x lookup) termsOf(r api.IndexReader, q search.Query, c compiled) (words [][]string, err error) {
	var all []string
	for _, t := range x.store.folded.Analyze([]byte(c.words)) {
		all = append(all, string(t.Term))
	}
	spoken, stop := x.store.stops.languageOf(all, q.Language)
	said := slices.DeleteFunc(slices.Clone(all), stop)
	if len(said) == 0 {
		said = all
	}
	seen := map[string]bool{}
	for _, word := range said {
		if seen[word] {
			continue
		}
		seen[word] = true
		terms, err := beginning(r, word)
		if err != nil {
			return nil, err
		}
		for _, l := range spoken {
			if stem := stemmerOf(l); stem != nil {
				terms = append(terms, safeStem(stem, word))
			}
		}
		slices.Sort(terms)
		words = append(words, slices.Compact(terms))
	}
	return words, nil
}

// beginning are the terms that a word is looked for as: it, and, of one character of a script without spaces, the pairs that it begins.
func beginning(r api.IndexReader, word string) (terms []string, err error) {
	terms = []string{word}
	if first, size := utf8.DecodeRuneInString(word); size != len(word) || !unspaced(first) {
		return terms, nil
	}
	pairs, err := r.FieldDictPrefix(inTerms, []byte(word))
	if err != nil {
		return nil, err
	}
	defer pairs.Close()
	for len(terms) < maxPairs {
		pair, err := pairs.Next()
		if err != nil || pair == nil {
			return terms, err
		}
		terms = append(terms, pair.Term)
	}
	return terms, nil
}

// maxPairs bounds the pairs of characters that a query's character is looked for in.
const maxPairs = 1000
