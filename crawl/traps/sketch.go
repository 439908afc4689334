package traps

import (
	"hash/fnv"
	"iter"
	"net/http"
	"slices"
	"strings"
)

const (
	minWords    = 4   // of a text that can be compared
	maxPerPage  = 256 // blocks that are remembered of a page
	headerLines = 5   // blocks in which a page may say that there is none
)

// Sketch is what is remembered of a page's text. The zero value stands for a text that nothing is known of.
type Sketch struct {
	// Digest of the whole text: texts of the same words in the same order have the same, ids of sessions aside. Of one that says that there
	// is no page it leaves out what the address says. 0: there is too little of it.
	Digest uint64
	// NotFound: the text says that there is no page.
	NotFound bool
	// Blocks of the text by their hashes, without words of the address and of dates.
	Blocks []uint32
}

// Of makes the sketch of a page from its blocks, in order: its title, paragraphs, headings, items and cells, and the addresses of its
// pictures and media.
func Of(href string, blocks iter.Seq[string]) Sketch {
	var s Sketch
	at := readAddress(href)
	said, session, calendar := addressWords(href), sessions(href), at.calendar() != ""
	whole, own := fnv.New64a(), fnv.New64a()
	words, lines, missing := 0, 0, false
	for block := range blocks {
		fields := without(strings.Fields(block), session)
		if words += len(fields); len(fields) == 0 {
			continue
		}
		missing = missing || lines < headerLines && saysNotFound(block)
		lines++
		_, _ = whole.Write([]byte(strings.Join(fields, " ") + "\n"))
		if rest := strings.Join(ownWords(block, said, calendar), " "); rest != "" {
			_, _ = own.Write([]byte(rest + "\n"))
			s.add(uint32(hash(rest)))
		}
	}
	switch {
	case missing:
		s.Digest, s.NotFound = own.Sum64()^http.StatusNotFound, true
	case words >= minWords:
		s.Digest = whole.Sum64()
	}
	return s
}

func (s *Sketch) add(block uint32) {
	if len(s.Blocks) < maxPerPage && !slices.Contains(s.Blocks, block) {
		s.Blocks = append(s.Blocks, block)
	}
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}
