package content

import (
	"sort"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// runs sums up the blocks that come again and again on a page: cards, each of which leads to a page of its own, and posts, each
// of which is what a user wrote.
type runs struct {
	cards, cardWords, cardProse int32
	posts, postWords, postProse int32
	parts                       []part // outermost, in document order
	longest                     int    // parent of the cards with pictures that hold most words; 0 is none
	pictured                    int32  // these cards
	entries                     []int  // parts with more than links: who, when, how much
	entryWords                  int32
	priced                      int32 // cards with a price
}

// part is one card or post.
type part struct {
	at   int
	post bool
}

// The bounds of a run.
const (
	minAlike   = 3   // members; two posts are enough
	cardMost   = 120 // words of an average card
	postLeast  = 8   // words of an average post
	signatures = 6   // sorts of children of one element that are distinguished
)

// runsBelow finds the outermost runs below root.
func runsBelow(t *Tree, m Mask, stats []stat, root int) runs {
	var r runs
	member := make(map[int]bool)
	most := int32(0)
	for i := root; i < t.End(root); i++ {
		t.steps.Visit()
		e := &t.nodes[i]
		if m[i] || stats[i].words == 0 || member[i] {
			i = t.End(i) - 1
			continue
		}
		if e.Type != html.ElementNode || e.DataAtom == atom.P || e.DataAtom == atom.Tr {
			continue
		}
		words, pictured := int32(0), int32(0)
		for _, p := range runsIn(t, m, stats, i) {
			r.add(p, &stats[p.at])
			member[p.at] = true
			words += stats[p.at].words
			if !p.post && stats[p.at].images > 0 {
				pictured++
			}
		}
		if pictured >= minAlike && words > most {
			r.longest, r.pictured, most = i, pictured, words
		}
	}
	return r
}

func (r *runs) add(p part, s *stat) {
	r.parts = append(r.parts, p)
	if s.anchors > 0 && s.prose == 0 && (s.metas > 0 || s.specs > 0 || s.users > 0) {
		r.entries = append(r.entries, p.at)
		r.entryWords += s.words
	}
	if p.post {
		r.posts++
		r.postWords += s.words
		r.postProse += s.prose
		return
	}
	if s.specs > 0 {
		r.priced++
	}
	r.cards++
	r.cardWords += s.words
	r.cardProse += s.prose
}

// alike sums up the children of one element that have the same tag and first class.
type alike struct {
	atom  atom.Atom
	class string
	stat  stat
	items int32
	cards int32 // those that look like a card
	posts int32 // those that look like a post
}

// runsIn gives the members of the runs among the children of an element.
func runsIn(t *Tree, m Mask, stats []stat, parent int) []part {
	var sorts [signatures]alike
	used := 0
	for c := parent + 1; c < t.End(parent); c = t.End(c) {
		t.steps.Add(2)
		if e := &t.nodes[c]; !m[c] && stats[c].words > 0 && inRuns(e) {
			if k := kindIndex(e, sorts[:used]); k < signatures {
				used = max(used, k+1)
				sorts[k].count(e, &stats[c])
			}
		}
	}
	var parts []part
	for c := parent + 1; c < t.End(parent); c = t.End(c) {
		e := &t.nodes[c]
		if m[c] || stats[c].words == 0 || !inRuns(e) {
			continue
		}
		if k := kindIndex(e, sorts[:used]); k < used {
			if post := sorts[k].isPosts(); post || sorts[k].isCards() {
				parts = append(parts, part{c, post})
			}
		}
	}
	return parts
}

// inRuns reports elements that can be members of a run.
func inRuns(e *node) bool {
	switch e.DataAtom {
	case atom.P, atom.Td, atom.Th, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Pre, atom.Dt, atom.Dd:
		return false
	}
	return e.Type == html.ElementNode && (isBlock(e.Node) || e.DataAtom == atom.A)
}

// kindIndex is the index of the sort that an element belongs to, or the next free one. Numbers in names don't count.
func kindIndex(e *node, sorts []alike) int {
	class := firstClass(e.Node)
	for k := range sorts {
		if sorts[k].atom == e.DataAtom && sorts[k].class == class {
			return k
		}
	}
	if len(sorts) < signatures {
		sorts = sorts[:len(sorts)+1]
		sorts[len(sorts)-1] = alike{atom: e.DataAtom, class: class}
		return len(sorts) - 1
	}
	return signatures
}

func firstClass(n *html.Node) string {
	class, _, _ := strings.Cut(strings.TrimSpace(attr(n, "class")), " ")
	return strings.TrimRight(class, "0123456789")
}

func (a *alike) count(e *node, s *stat) {
	a.items++
	a.stat.add(s)
	if s.anchors > 0 && (s.images > 0 || s.headings > 0 || atLeast(s.linkWords, s.words, 50)) || e.DataAtom == atom.A && s.words > 0 {
		a.cards++
	}
	if s.users > 0 || s.posts > 0 {
		a.posts++
	}
}

func (a *alike) isPosts() bool {
	return a.items >= minAlike-1 && atLeast(a.posts, a.items, 80) && a.stat.words >= a.items*postLeast
}

func (a *alike) isCards() bool {
	return a.items >= minAlike && atLeast(a.cards, a.items, 80) && a.stat.words <= a.items*cardMost
}

// inCard reports that an element is inside of a card, where a header or footer is the card's.
func (p *page) inCard(i int) bool {
	parts := p.facts.runs.parts
	k := sort.Search(len(parts), func(k int) bool { return parts[k].at >= i }) - 1
	return k >= 0 && i < p.End(parts[k].at) && !parts[k].post
}
