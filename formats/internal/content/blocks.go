package content

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// trimBlocks cuts a page of cards, posts or blocks of many sorts down to the element that holds nearly all of them, and what
// reads like an introduction beside the way down to it.
func (p *page) trimBlocks() {
	stats := p.measure(p.out)
	p.trimPosts(stats)
	if p.kind == Product {
		p.trimProduct(stats)
		stats = p.measure(p.out)
	}
	p.removeRepeatedLines(stats, true)
	p.removeRepeatedLines(stats, false)
	weights := p.weigh(stats)
	at := 0
	for weights[0] > 0 {
		next := p.heaviestBy(weights, at)
		if next < 0 || p.isPart(next) || isTab(p.nodes[next].Node) || isText(p.nodes[next].Node) ||
			!atLeast(weights[next], weights[0], blockShare) || !atLeast(stats[next].words, stats[0].words, blockWords) {
			break
		}
		for c := at + 1; c < p.End(at); c = p.End(c) {
			p.steps.Visit()
			above := c < next && heading(&p.nodes[c])                    // the content's own heading
			asked := p.kind == Forum && c < next && p.stats[c].prose > 0 // what the posts answer
			if c != next && !p.out[c] && !above && !asked && p.isAside(&stats[c]) {
				p.out[c] = true
			}
		}
		at = next
	}
}

// isPart reports one of several cards or posts: a long one is not the page.
func (p *page) isPart(i int) bool {
	parts := p.facts.runs.parts
	_, found := slices.BinarySearchFunc(parts, i, func(a part, i int) int { return a.at - i })
	return found
}

// isTab reports one of several panels of which one is shown at a time: they belong together.
func isTab(n *html.Node) bool { return attr(n, "role") == "tabpanel" }

// isText reports an element that holds a text rather than parts of a page: what stands beside it is of the same flow.
func isText(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Pre, atom.Blockquote, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Figure:
		return true
	}
	return false
}

// isAside reports that a block beside the one with the content is not about the same thing: one without a title, figures and
// sentences. Beside a thing for sale and beside posts, sentences are the shop's and the forum's.
func (p *page) isAside(s *stat) bool {
	if s.words == 0 || s.h1 > 0 || s.specs > 0 {
		return false
	}
	if s.headings > 0 && s.linkWords*2 < s.words && p.kind != Forum && p.kind != Product {
		return false
	}
	return s.marks == 0 || p.kind == Forum || p.kind == Product
}

const (
	blockShare = 90 // percent of a page's weight that the element with its content holds
	blockWords = 40 // percent of all words below which an element is not taken for the content, whatever its weight
)

// weigh sums up for every element that is left the words of its sentences, cards, posts and tables.
func (p *page) weigh(stats []stat) []int32 {
	p.steps.Add(2 * len(p.nodes))
	weights := make([]int32, len(p.nodes))
	for _, r := range p.facts.runs.parts {
		weights[r.at] = stats[r.at].words - stats[r.at].prose
	}
	for i := len(weights) - 1; i > 0; i-- {
		if p.nodes[i].DataAtom == atom.Table {
			weights[i] = stats[i].words - stats[i].prose
		}
		weights[p.parent(i)] += weights[i]
	}
	for i := range weights {
		weights[i] += stats[i].prose
	}
	return weights
}

func (p *page) heaviestBy(weights []int32, parent int) int {
	best, most := -1, int32(0)
	for c := parent + 1; c < p.End(parent); c = p.End(c) {
		p.steps.Visit()
		if !p.out[c] && weights[c] > most {
			best, most = c, weights[c]
		}
	}
	return best
}
