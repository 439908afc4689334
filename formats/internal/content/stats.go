package content

import (
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// stat is what a node and all below it hold, without what a mask leaves out.
type stat struct {
	words     int32 // words that a reader sees
	linkWords int32 // those of them inside links
	prose     int32 // words of blocks that read like sentences
	blocks    int32 // blocks that read like sentences
	anchors   int32 // links
	headings  int32 // h1 to h6
	h1        int32
	images    int32
	controls  int32 // form fields that are seen
	marks     int32 // sentence marks outside links
	specs     int32 // tables, definition lists and prices
	users     int32 // cards of users
	posts     int32 // what a user wrote
	metas     int32 // who wrote the text, and when
	weight    int32 // prose, where a long paragraph counts more than as many words in teasers

	// The text directly in the node, outside the blocks below it. Not summed up.
	direct      int32 // words
	directLinks int32 // those of them inside links
	reads       bool  // it reads like sentences
	run         int32 // children that do
	runWeight   int32 // the weight of these
}

// atLeast reports whether part is that many percent of whole, or more.
func atLeast(part, whole, percent int32) bool {
	return int64(part)*100 >= int64(whole)*int64(percent)
}

// A block reads like sentences from this many words outside links, if it also has a sentence mark.
const proseWords = 12

// unmarkedWords is the number of words from which it needs no mark: Thai, Lao and Khmer write sentences without.
const unmarkedWords = 30

// longProse is the number of words from which a paragraph weighs in full.
const longProse = 60

// memory is what measuring a page needs. It would be half of all that a page takes, so it is passed on to the next page.
type memory struct {
	all, now []stat
	kept     []bool
	lines    []byte
	around   []surroundings
	prints   []fingerprint
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// largestKept is the number of nodes up to which memory is passed on.
const largestKept = 100_000

func borrowMemory(nodes int) *memory {
	m := memories.Get().(*memory)
	if cap(m.kept) < nodes {
		m.all, m.now, m.kept = make([]stat, nodes), make([]stat, nodes), make([]bool, nodes)
		m.around, m.prints = make([]surroundings, nodes), make([]fingerprint, nodes)
	}
	m.all, m.now, m.kept = m.all[:nodes], m.now[:nodes], m.kept[:nodes]
	m.around, m.prints = m.around[:nodes], m.prints[:nodes]
	return m
}

func (m *memory) giveBack() {
	if cap(m.kept) <= largestKept && cap(m.lines) <= largestKept {
		memories.Put(m)
	}
}

// measure sums up what a mask keeps. The answer holds until the next call.
func (p *page) measure(m Mask) []stat {
	p.measureInto(p.memory.now, m)
	return p.memory.now
}

// remeasure makes m what the page's own figures are about.
func (p *page) remeasure(m Mask) {
	p.all, p.stats = m, p.memory.all
	p.measureInto(p.stats, m)
}

// measureInto sums up every node in one pass from the end of the list to its start.
func (p *page) measureInto(stats []stat, m Mask) {
	t, kept := p.Tree, p.kept(m)
	clear(stats)
	t.prose(kept, stats)
	t.steps.Add(len(t.nodes))
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if !kept[i] {
			continue
		}
		if e := &t.nodes[i]; e.Type == html.TextNode && i > 0 { // as are half of all nodes; it has words and nothing else
			stats[i].ofText(e, &stats[e.parent])
			continue
		}
		own(&t.nodes[i], &stats[i])
		if p := t.parent(i); p >= 0 {
			stats[p].add(&stats[i])
			stats[p].follow(&stats[i])
		}
	}
}

// kept resolves the mask for every node, those below a node left out included. The answer holds until the next call, and
// until the next measuring.
func (p *page) kept(m Mask) []bool {
	p.steps.Add(len(p.nodes))
	kept := p.memory.kept
	for i := 0; i < len(kept); i++ {
		if m[i] {
			end := p.End(i)
			clear(kept[i:end])
			i = end - 1
			continue
		}
		kept[i] = true
	}
	return kept
}

// ofText enters the words of a text, and adds them to those of what it is in.
func (s *stat) ofText(e *node, around *stat) {
	s.words = e.words
	around.words += e.words
	if e.inLink {
		s.linkWords = e.words
		around.linkWords += e.words
	}
}

func own(e *node, s *stat) {
	s.words += e.words
	if e.inLink {
		s.linkWords += e.words
	}
	if e.mark.signs != 0 {
		s.users += int32(e.mark.signs & signUser / signUser)
		s.posts += int32(e.mark.signs & signPost / signPost)
		s.metas += int32(e.mark.signs & signMeta / signMeta)
		s.specs += int32(e.mark.signs & signPrice / signPrice)
	}
	switch e.DataAtom {
	case atom.A:
		s.anchors++
	case atom.H1:
		s.h1++
		s.headings++
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		s.headings++
	case atom.Time:
		s.metas++
	case atom.Table, atom.Dl:
		s.specs++
	case atom.Img:
		s.images++
	case atom.Input, atom.Select, atom.Textarea:
		if attr(e.Node, "type") != "hidden" {
			s.controls++
		}
	}
}

// prose enters for each block what text is directly its own, and whether that reads like sentences.
func (t *Tree) prose(kept []bool, stats []stat) {
	t.steps.Add(2 * len(t.nodes))
	for i := range t.nodes {
		e := &t.nodes[i]
		if !kept[i] || e.words == 0 {
			continue
		}
		s := &stats[e.block]
		s.direct += e.words
		if e.inLink {
			s.directLinks += e.words
		} else {
			s.marks += e.marks
		}
	}
	for i := range stats {
		s := &stats[i]
		free := s.direct - s.directLinks
		if free >= proseWords && s.marks > 0 || free >= unmarkedWords && t.nodes[i].DataAtom != atom.Pre {
			s.reads = true
			s.blocks = 1
			s.prose = free
			s.weight = weightOf(s.prose)
		}
	}
}

func weightOf(prose int32) int32 { return prose * min(prose, longProse) / longProse }

// follow counts a child that reads like sentences itself.
func (s *stat) follow(child *stat) {
	if child.reads {
		s.run++
		s.runWeight += weightOf(child.direct - child.directLinks)
	}
}

func (s *stat) add(o *stat) {
	s.words += o.words
	s.linkWords += o.linkWords
	s.prose += o.prose
	s.blocks += o.blocks
	s.weight += o.weight
	s.anchors += o.anchors
	s.headings += o.headings
	s.h1 += o.h1
	s.images += o.images
	s.controls += o.controls
	s.marks += o.marks
	s.specs += o.specs
	s.users += o.users
	s.posts += o.posts
	s.metas += o.metas
}
