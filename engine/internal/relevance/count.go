package relevance

import (
	"math"

	"github.com/winnow-go/winnow/engine/internal/clip"
)

// Bounds of what is looked at.
const (
	maxWords = 32       // of a query
	maxText  = 16 << 10 // bytes of a query, and of each field of a doc
)

// The fields of a doc, as they are counted.
const (
	title = iota
	address
	description
	fields
)

// words are those of a query, numbered.
type words map[string]int

func newWords(query string) words {
	w := words{}
	s := splitter{query: true, word: func(word []byte, _ bool) {
		if _, ok := w[string(word)]; !ok && len(w) < maxWords {
			w[string(word)] = len(w)
		}
	}}
	s.split(clip.Bytes(query, maxText))
	return w
}

// counts are what there is to know of docs and a query.
type counts struct {
	words   int              // of the query
	lengths [][fields]uint32 // of each doc, in words
	hits    []hit            // by doc
}

// hit is a word of the query in a doc.
type hit struct {
	doc   uint32
	word  uint16
	times [fields]uint16
}

func count(w words, docs []Doc) *counts {
	c := &counts{words: len(w), lengths: make([][fields]uint32, len(docs))}
	var times [maxWords][fields]uint16
	var at int
	var field int
	s := splitter{word: func(word []byte, counts bool) {
		if counts {
			c.lengths[at][field]++
		}
		if n, ok := w[string(word)]; ok && times[n][field] < math.MaxUint16 {
			times[n][field]++
		}
	}}
	for i, d := range docs {
		at = i
		for field = range fields {
			s.parts = field == address
			s.split(d.text(field))
		}
		for n := range len(w) {
			if times[n] != [fields]uint16{} {
				c.hits = append(c.hits, hit{uint32(i), uint16(n), times[n]})
				times[n] = [fields]uint16{}
			}
		}
	}
	return c
}

func (d Doc) text(field int) string {
	switch field {
	case title:
		return clip.Bytes(d.Title, maxText)
	case address:
		return addressText(clip.Bytes(d.URL, maxText))
	}
	return clip.Bytes(d.Description, maxText)
}
