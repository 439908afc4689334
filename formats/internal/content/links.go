package content

import (
	"slices"

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
		if !isLinkList(&stats[i], &stats[root]) || p.inMainRun(i) || p.isEntry(i) {
			continue
		}
		if !p.ofText(i, stats) {
			lists = append(lists, i)
			words += stats[i].words
		}
		i = p.End(i) - 1
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

// isEntry reports one of the entries that most of the page consists of, or what is inside of one: titles with who and when, or how much.
func (p *page) isEntry(i int) bool {
	r := &p.facts.runs
	if !atLeast(r.entryWords, p.stats[p.root].words, entryShare) {
		return false
	}
	k, inside := slices.BinarySearch(r.entries, i)
	return inside || k > 0 && i < p.End(r.entries[k-1]) || k < len(r.entries) && r.entries[k] < p.End(i)
}

// entryShare is the share of the words, in percent, from which entries are what the page lists.
const entryShare = 40

// ofText reports a list of links that stands where the text does, below the page's title, or that leads to files.
func (p *page) ofText(i int, stats []stat) bool {
	n := p.nodes[i].Node
	if n.DataAtom != atom.Ul && n.DataAtom != atom.Ol && n.DataAtom != atom.P || p.nodes[i].mark.kind != none {
		return false
	}
	up := p.parent(i)
	return p.leadsToFiles(i) || up > 0 && stats[up].h1 > 0 && p.afterTitle(up, i)
}

// afterTitle reports that an h1 is a child of the same element, before another one.
func (p *page) afterTitle(parent, i int) bool {
	title, known := p.titles[parent]
	if !known {
		title = p.titleIn(parent)
		if p.titles == nil {
			p.titles = make(map[int]int)
		}
		p.titles[parent] = title
	}
	return title < i
}

// titleIn is the first h1 among the children of an element, its end for none.
func (p *page) titleIn(parent int) int {
	for c := parent + 1; c < p.End(parent); c = p.End(c) {
		p.steps.Visit()
		if p.nodes[c].DataAtom == atom.H1 {
			return c
		}
	}
	return p.End(parent)
}

// leadsToFiles reports that most of the links below an element lead to files.
func (p *page) leadsToFiles(i int) bool {
	files, links := 0, 0
	for k := i; k < p.End(i); k++ {
		p.steps.Visit()
		if n := p.nodes[k].Node; n.DataAtom == atom.A {
			links++
			if leadsToFile(n) {
				files++
			}
		}
	}
	return files*2 > links
}

// wordsOfChoice bounds the words of a filter for each of its fields.
const wordsOfChoice = 8

// isFilter reports fields to choose from with their labels and nothing else.
func isFilter(s, root *stat) bool {
	return s.controls >= minAlike && s.words <= s.controls*wordsOfChoice && s.prose == 0 && s.h1 == 0 &&
		s.images < minAlike && s.specs == 0 &&
		!atLeast(s.words, root.words, tooMuch)
}
