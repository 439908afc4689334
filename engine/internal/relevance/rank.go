package relevance

import (
	"cmp"
	"math"
	"slices"
)

// The parameters of BM25 in their usual values: how soon a repeated word counts no
// more, and how much a long text is held against its words.
const (
	k1 = 1.2
	b  = 0.75
)

// What a word counts in each field.
const (
	titleWeight       = 3
	urlWeight         = 2
	descriptionWeight = 1
)

var weights = [fields]float64{titleWeight, urlWeight, descriptionWeight}

// Doc is what is known of a page. Any part may be empty; of each only the first 16 KiB
// are looked at.
type Doc struct {
	// URL of the page, as it is; its scheme and "www." don't count.
	URL string
	// Title and Description as plain text.
	Title, Description string
}

// Rank gives the indexes of all docs, the best for the query first. Equals keep their
// order: all of them where the query has no word, and at the end those that have none
// of its words. Of the query the first 32 different words count. Time is linear in the
// text of the docs, but for the sorting. Safe for concurrent use.
func Rank(query string, docs []Doc) []int {
	order := make([]int, len(docs))
	for i := range order {
		order[i] = i
	}
	words := newWords(query)
	if len(words) == 0 {
		return order
	}
	scores := count(words, docs).scores()
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(scores[y], scores[x]) })
	return order
}

// Matching gives the indexes of the docs that have a word of the query, the best first, as [Rank] does.
func Matching(query string, docs []Doc) []int {
	var order []int
	scores := count(newWords(query), docs).scores()
	for i, score := range scores {
		if score > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(scores[y], scores[x]) })
	return order
}

// scores of all docs.
func (c *counts) scores() []float64 {
	scores := make([]float64, len(c.lengths))
	average := c.average()
	rarity := c.rarity()
	for _, h := range c.hits {
		var weight float64
		for f, n := range h.times {
			if n > 0 {
				length := float64(c.lengths[h.doc][f]) / average[f]
				weight += weights[f] * float64(n) / (1 - b + b*length)
			}
		}
		scores[h.doc] += rarity[h.word] * weight * (k1 + 1) / (weight + k1)
	}
	return scores
}

// average length of each field. One that is 0 has no words, so nothing is divided by it.
func (c *counts) average() (a [fields]float64) {
	for f := range a {
		var sum float64
		for _, l := range c.lengths {
			sum += float64(l[f])
		}
		a[f] = sum / float64(len(c.lengths))
	}
	return a
}

// rarity of each word: the fewer docs have it, the more it counts.
func (c *counts) rarity() []float64 {
	have := make([]float64, c.words)
	for _, h := range c.hits {
		have[h.word]++
	}
	for w, n := range have {
		have[w] = math.Log(1 + (float64(len(c.lengths))-n+0.5)/(n+0.5))
	}
	return have
}
