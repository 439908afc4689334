package content

import (
	"golang.org/x/net/html/atom"
)

// A page of prose has its text in one place: an element whose paragraphs, headings, lists and tables are the article or
// the manual's page. Everything outside of it is left out but the title and the standfirst below it.

// trimProse cuts a page of prose down to the text itself, then trims inside it.
func (p *page) trimProse() {
	stats := p.measure(p.out)
	text := p.textRoot(stats)
	if text > 0 {
		p.narrow(text, stats)
	}
	p.trimText(text, stats)
}

// trimArticle takes cards of other pages and what readers wrote off a page that says it is an article. Such lists may hold more words
// than a short text.
func (p *page) trimArticle(stats []stat) {
	for _, r := range p.facts.runs.parts {
		if s := &stats[r.at]; s.h1 == 0 && (r.post || isOther(s)) {
			p.out[r.at] = true
		}
	}
}

const (
	proseShare = 85 // percent of the page's prose that the element with the text holds
	fewSpecs   = 5
	freeShare  = 60 // percent of its words outside links: tables, code and lists are text as well
)

// textRoot is the smallest element that holds nearly all of the text; 0 when there is no prose.
func (p *page) textRoot(stats []stat) int {
	if stats[0].prose == 0 {
		return 0
	}
	free := stats[0].words - stats[0].linkWords
	specs := stats[0].specs
	for at := 0; ; {
		next := p.heaviest(stats, at)
		if next < 0 || p.nodes[next].DataAtom == atom.P || isTab(p.nodes[next].Node) || isFew(specs-stats[next].specs) ||
			!atLeast(stats[next].weight, stats[0].weight, proseShare) ||
			!atLeast(stats[next].words-stats[next].linkWords, free, freeShare) {
			return at
		}
		if at = next; p.nodes[at].DataAtom == atom.Table {
			specs-- // around the text, for layout
		}
	}
}

// heaviest is the child with most prose; -1 when none has any.
func (p *page) heaviest(stats []stat, parent int) int {
	best, most := -1, int32(0)
	for c := parent + 1; c < p.End(parent); c = p.End(c) {
		p.steps.Visit()
		if !p.out[c] && stats[c].weight > most {
			best, most = c, stats[c].weight
		}
	}
	return best
}

// narrow keeps the element at index text and, from before it, the title and the standfirst.
func (p *page) narrow(text int, stats []stat) {
	keep := []int{text}
	title := p.lastH1(text, stats)
	if title > 0 {
		keep = append(keep, title)
		if s := p.standfirst(title, text, stats); s > 0 {
			keep = append(keep, s)
		}
	}
	p.keepOnly(p.out, keep)
}

// standfirst is the first paragraph between the title and the text, if it stands in the title's own box; else 0.
func (p *page) standfirst(title, text int, stats []stat) int {
	for i := p.End(title); i < min(text, p.End(max(0, p.parent(max(0, p.parent(title)))))); i++ {
		p.steps.Visit()
		switch {
		case p.out[i]:
			i = p.End(i) - 1
		case stats[i].reads:
			return i
		}
	}
	return 0
}

// lastH1 is the h1 that comes last before the text, when the text has none of its own; else 0.
func (p *page) lastH1(text int, stats []stat) int {
	if stats[text].h1 > 0 {
		return 0
	}
	found := 0
	for i := 0; i < text; i++ {
		p.steps.Visit()
		if p.out[i] {
			i = p.End(i) - 1
		} else if p.nodes[i].DataAtom == atom.H1 && stats[i].words > 0 {
			found = i
		}
	}
	return found
}

// isFew reports that leaving out so many tables, definition lists and prices would take something from the page; more of them are
// those of other things.
func isFew(specs int32) bool { return specs > 0 && specs <= fewSpecs }
