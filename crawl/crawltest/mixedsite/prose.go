package mixedsite

import (
	"math/rand/v2"
	"strings"
)

// words are what texts and names of pages are made of. None of them looks like a word that is a page's own.
var words = strings.Fields(`river valley harbour lantern copper meadow granite orchard winter autumn morning letter painter builder
	sailor market bridge garden window kitchen village mountain island forest railway journey question answer measure history language
	science weather colour number example picture machine library station theatre promise distance surface pattern barley engine
	feather glacier hammer ink journal kettle ladder mirror needle oven paper quarry ribbon saddle thunder`)

// fillers stand between them.
var fillers = strings.Fields(`the of and to in is that for it was on are as with they at be this from have by one had not but what all
	were when we there can an your which their said if do will each about how up out them then many some so these would other into has
	more two like him see time could no make than first been its who now people my made over did down only way find use may long
	little very after called just where most know`)

// Words of a page's own: each page has so many, of which scripts add the later ones.
const (
	ownWords  = 256
	lateWords = 160
)

// pen writes one part of a page. Each sentence has a word that stands nowhere else on the site: it is what the text is known by.
type pen struct {
	random    *rand.Rand
	next, end uint64
	shift     uint64
	used      []string // the own words that were written
}

// newPen writes what stands in the HTML of a page.
func newPen(seed uint64, id int) *pen { return penFor(seed, id, 0, lateWords) }

// newLatePen writes what scripts add to a page.
func newLatePen(seed uint64, id int) *pen { return penFor(seed, id, lateWords, ownWords) }

func penFor(seed uint64, id, from, end int) *pen {
	base := uint64(id) * ownWords
	stream := base + uint64(from)
	return &pen{random: rand.New(rand.NewPCG(seed, stream)), next: stream, end: base + uint64(end), shift: seed * 0x9e3779b97f4a7c15 >> 32}
}

// own is the page's next own word.
func (p *pen) own() string {
	if p.next >= p.end {
		panic("mixedsite: a page has too many sentences")
	}
	w := ownWord(p.next + p.shift)
	p.next++
	p.used = append(p.used, w)
	return w
}

const (
	consonants = "bdfghjklmnprstvz"
	vowels     = "aeiou"
	syllables  = uint64(len(consonants) * len(vowels))
	ownForms   = syllables * syllables * syllables * syllables
)

// ownWord makes four syllables of a number, other ones for each number below ownForms.
func ownWord(n uint64) string {
	const scatter = 15_485_863 // a prime that does not divide ownForms: neighbors get unlike words
	n = n % ownForms * scatter % ownForms
	var w [8]byte
	for i := 0; i < len(w); i += 2 {
		at := n % syllables
		w[i], w[i+1] = consonants[at/uint64(len(vowels))], vowels[at%uint64(len(vowels))]
		n /= syllables
	}
	return string(w[:])
}

func (p *pen) pick(list []string) string { return list[p.random.IntN(len(list))] }

// Sentence has 6 to 17 words, one of them the page's own.
func (p *pen) Sentence() string {
	list := make([]string, 6+p.random.IntN(12))
	for i := range list {
		list[i] = p.pick(fillers)
		if i%3 == 2 {
			list[i] = p.pick(words)
		}
	}
	list[p.random.IntN(len(list))] = p.own()
	return capital(strings.Join(list, " ")) + "."
}

// Text is some sentences.
func (p *pen) Text(sentences int) string {
	list := make([]string, sentences)
	for i := range list {
		list[i] = p.Sentence()
	}
	return strings.Join(list, " ")
}

// Name is one of the page's own words as a name.
func (p *pen) Name() string { return capital(p.own()) }

// Phrase is 2 or 3 words without one of the page's own: for labels, and for what readers do not see.
func (p *pen) Phrase() string {
	list := []string{p.pick(words), p.pick(words), p.pick(words)}
	return capital(strings.Join(list[p.random.IntN(2):], " "))
}

// Number is 1 to limit.
func (p *pen) Number(limit int) int { return 1 + p.random.IntN(limit) }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
