package content

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	linkShare   = 80 // percent of an element's words that are link text, from which it is a list of links
	fewLinks    = 3  // fewer links are no list
	shortAnchor = 4  // words of a menu entry; longer ones on average are titles of a listing
)

// removeLinkLists leaves out elements that are little more than short links without prose: menus,
// tag lists, pagers, footers that no tag or name gives away.
func (p *page) removeLinkLists(m Mask, root int) {
	stats := p.measure(m)
	var lists []int
	words := int32(0)
	for i := root + 1; i < p.End(root); i++ {
		p.steps.Visit()
		e := &p.nodes[i]
		if m[i] {
			i = p.End(i) - 1
			continue
		}
		if e.Type != html.ElementNode || !listsLinks(e.Node) {
			continue
		}
		if isFilter(&stats[i], &stats[root]) {
			m[i] = true
			i = p.End(i) - 1
			continue
		}
		if isLinkList(&stats[i], &stats[root]) && !p.inMainRun(i) {
			lists = append(lists, i)
			words += stats[i].words
			i = p.End(i) - 1
		}
	}
	if root != 0 && (p.kind == Documentation || atLeast(words, stats[root].words, indexShare)) {
		return
	}
	for _, i := range lists {
		m[i] = true
	}
}

// indexShare is the share of the words of an element that clearly holds the content, in percent, from which lists of links in
// it are the content: an index.
const indexShare = 50

func listsLinks(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Div, atom.Section, atom.P, atom.Dl, atom.Form, atom.Table, atom.Center:
		return true
	}
	return false
}

func isLinkList(s, root *stat) bool {
	return s.anchors >= fewLinks &&
		s.prose == 0 && s.h1 == 0 &&
		atLeast(s.linkWords, s.words, linkShare) &&
		s.linkWords <= s.anchors*shortAnchor &&
		!atLeast(s.words, root.words, tooMuch)
}

// inMainRun reports that an element holds the longest run of cards with pictures of a listing, or is inside of it: what a
// listing lists may be nothing but links.
func (p *page) inMainRun(i int) bool {
	run := p.facts.runs.longest
	return p.kind == Listing && run > 0 && (i <= run && run < p.End(i) || run <= i && i < p.End(run))
}

// wordsOfChoice bounds the words of a filter for each of its fields.
const wordsOfChoice = 8

// isFilter reports fields to choose from with their labels and nothing else.
func isFilter(s, root *stat) bool {
	return s.controls >= leastAlike && s.words <= s.controls*wordsOfChoice && s.prose == 0 && s.h1 == 0 && s.images < leastAlike && s.specs == 0 &&
		!atLeast(s.words, root.words, tooMuch)
}
