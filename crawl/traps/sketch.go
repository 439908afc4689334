package traps

import (
	"iter"
	"math/bits"
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
	// Blocks of the text by their hashes, without words of the address and of dates; only where the address is of a kind that compares them.
	Blocks []uint32
}

// sketcher reads a text.
type sketcher struct {
	Sketch
	session  []string
	said     map[string]bool
	calendar bool
	compared bool // the address is of a kind that compares blocks

	whole, own   digest
	words, lines int
}

// Of makes the sketch of a page from its blocks, in order: its title, paragraphs, headings, items and cells, and the addresses of its
// pictures and media, each with its white space folded to single spaces.
func Of(href string, blocks iter.Seq[string]) Sketch {
	at := readAddress(href)
	s := &sketcher{session: sessions(href), said: addressWords(href), calendar: at.calendar() != "", compared: at.compared()}
	s.whole, s.own = newDigest(), newDigest()
	for block := range blocks {
		s.read(block)
	}
	switch {
	case s.NotFound:
		s.Digest = uint64(s.own)
	case s.words >= minWords:
		s.Digest = uint64(s.whole)
	}
	return s.Sketch
}

func (s *sketcher) read(block string) {
	if block == "" {
		return
	}
	s.words += 1 + strings.Count(block, " ")
	s.whole.add(s.withoutSession(block), '\n')
	s.NotFound = s.NotFound || s.lines < headerLines && saysNotFound(block)
	if s.lines++; s.compared || s.NotFound || s.lines <= headerLines {
		s.readOwn(block)
	}
}

// withoutSession is a block without the words that hold a session's id.
func (s *sketcher) withoutSession(block string) string {
	if len(s.session) == 0 {
		return block
	}
	words := slices.DeleteFunc(strings.Fields(block), func(word string) bool { return holds(word, s.session) })
	return strings.Join(words, " ")
}

// readOwn reads what the address doesn't say.
func (s *sketcher) readOwn(block string) {
	words := ownWords(block, s.said, s.calendar)
	if len(words) == 0 {
		return
	}
	one := newDigest()
	for _, w := range words {
		one.add(w, ' ')
		s.own.add(w, ' ')
	}
	if b := uint32(one); s.compared && len(s.Blocks) < maxPerPage && !slices.Contains(s.Blocks, b) {
		s.Blocks = append(s.Blocks, b)
	}
}

// digest is of texts, in their order. It mixes eight bytes at a time.
type digest uint64

func newDigest() digest { return 14695981039346656037 }

// add takes in a text and the byte that ends it.
func (d *digest) add(s string, end byte) {
	h := uint64(*d)
	for ; len(s) >= 8; s = s[8:] {
		h = mixed(h ^ eight(s))
	}
	rest := uint64(end)
	for i := range len(s) {
		rest = rest<<8 | uint64(s[i])
	}
	*d = digest(mixed((h ^ rest) + uint64(len(s))))
}

func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func mixed(v uint64) uint64 {
	high, low := bits.Mul64(v^0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)
	return high ^ low
}

func hash(s string) uint64 {
	d := newDigest()
	d.add(s, 0)
	return uint64(d)
}
