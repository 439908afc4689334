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
	for i := root + 1; i < p.End(root); i++ {
		e := &p.nodes[i]
		if m[i] {
			i = p.End(i) - 1
			continue
		}
		if e.Type == html.ElementNode && listsLinks(e.Node) && isLinkList(&stats[i], &stats[root]) && !p.inMainRun(i) {
			m[i] = true
			i = p.End(i) - 1
		}
	}
}

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
