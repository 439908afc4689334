package content

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fewWords is what a page must hold besides the parts that stand apart from it; with less, these are the page.
const fewWords = 20

// setApart leaves out what stands apart from the page whatever it holds: consent boxes, dialogs, the site's footer. These
// come first because on short pages they hold most of the words, so that no share of them says anything. What is left
// becomes the page that all other rules measure.
func (p *page) setApart() {
	m := slices.Clone(p.all)
	removed, words := false, p.stats[0].words
	inside := 0 // end of the article or main part around
	for i := 0; i < len(p.nodes); i++ {
		p.steps.Visit()
		e := &p.nodes[i]
		if m[i] {
			i = p.End(i) - 1
			continue
		}
		if e.Type != html.ElementNode {
			continue
		}
		if e.DataAtom == atom.Article || e.DataAtom == atom.Main || e.DataAtom == atom.Blockquote {
			inside = max(inside, p.End(i))
		}
		least := max(1, min(fewWords, words/2))
		apart := p.standsApart(i, i < inside)
		if !apart && p.isConcealed(i) {
			apart, least = true, 1
		}
		if apart && words-p.stats[i].words >= least {
			m[i], removed = true, true
			words -= p.stats[i].words
			i = p.End(i) - 1
		}
	}
	if removed {
		p.remeasure(m)
	}
}

// standsApart reports a part that is not of the page's content, by its tag, role or a name of consent software.
func (p *page) standsApart(i int, inside bool) bool {
	n, s := p.nodes[i].Node, &p.stats[i]
	switch n.DataAtom {
	case atom.Html, atom.Body, atom.Main, atom.Article:
		return false
	case atom.Dialog:
		return !p.holdsTitle(s)
	case atom.Footer:
		return !inside && s.h1 == 0
	}
	if p.nodes[i].mark.signs&signApart != 0 {
		return true
	}
	for k := range n.Attr {
		switch a := &n.Attr[k]; a.Key {
		case "role":
			if (a.Val == "dialog" || a.Val == "alertdialog") && !p.holdsTitle(s) || a.Val == "contentinfo" && !inside && s.h1 == 0 {
				return true
			}
		case "aria-modal":
			if a.Val == "true" && !p.holdsTitle(s) {
				return true
			}
		}
	}
	return false
}

// holdsTitle reports that a part holds the page's title and much of its text, as when a whole page is shown in a dialog.
func (p *page) holdsTitle(s *stat) bool {
	root := &p.stats[0]
	return s.h1 > 0 && atLeast(s.words, root.words, tooMuch) || atLeast(s.prose, root.prose, tooMuchApart) && root.prose >= proseOfPage
}

const (
	tooMuchApart = 80  // percent of a page's prose that no dialog holds
	proseOfPage  = 200 // words of prose from which that share counts
)
