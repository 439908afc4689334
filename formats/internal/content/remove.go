package content

import (
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// kind is the sort of boilerplate that a rule takes an element for. It decides which guards apply.
type kind uint8

const (
	none    kind = iota
	control      // buttons, menus of choices: gone whatever they hold
	frame        // parts of the site's frame: banner, navigation, footer, side bar
	box          // boxes laid over or between the content: cookies, newsletter, share, related
	comment      // readers' comments
	form         // fields to fill in
	unshown      // not shown before a script says so
	review       // customers' reviews of a thing for sale
	action       // links that look like buttons
)

// removeBoilerplate leaves out what tags, roles and names mark as boilerplate under root, outermost first.
func (p *page) removeBoilerplate(m Mask, stats []stat, root int, named bool) {
	headEnd, thread := 0, 0 // ends of the heading and of the comments around
	for i := root + 1; i < p.End(root); i++ {
		p.steps.Visit()
		e := &p.nodes[i]
		if m[i] {
			i = p.End(i) - 1
			continue
		}
		if e.Type != html.ElementNode {
			continue
		}
		if heading(e) {
			headEnd = p.End(i)
		}
		if e.DataAtom == atom.Video || e.DataAtom == atom.Audio {
			p.leaveOutTexts(m, i) // what is said to browsers that can't play it
			i = p.End(i) - 1
			continue
		}
		if e.DataAtom == atom.Button && i < headEnd {
			continue // the title of a part that opens
		}
		if i < headEnd && e.mark.kind == frame {
			continue // a heading's own text, whatever it is called
		}
		k := classify(e, named)
		if k == comment && (i < thread || p.kind == Forum && atLeast(stats[i].words, stats[root].words, threadShare)) {
			thread = max(thread, p.End(i)) // in a forum they are the page, with all replies
			continue
		}
		if k == none || p.guarded(k, e.Node, i, &stats[i], &stats[root]) {
			continue
		}
		if (e.DataAtom == atom.Header || e.DataAtom == atom.Footer) && (p.inCard(i) || p.nodes[e.parent].DataAtom == atom.Blockquote) {
			continue // the card's, or who said it
		}
		m[i] = true
		i = p.End(i) - 1
	}
}

// leaveOutTexts leaves out all that has words below an element.
func (p *page) leaveOutTexts(m Mask, at int) {
	for c := at + 1; c < p.End(at); c = p.End(c) {
		p.steps.Visit()
		m[c] = m[c] || p.stats[c].words > 0
	}
}

// classify names the boilerplate that an element looks like. named says whether its class and id count.
func classify(e *node, named bool) kind {
	n := e.Node
	switch n.DataAtom {
	case atom.Body, atom.Html, atom.H1, atom.Article, atom.Main:
		return none
	case atom.Button, atom.Select, atom.Textarea, atom.Option:
		return control
	case atom.Form, atom.Fieldset:
		return form
	case atom.Nav, atom.Footer, atom.Aside, atom.Header:
		return frame
	case atom.Dialog:
		return box
	}
	if k, ok := roles[attr(n, "role")]; ok {
		return k
	}
	if !named {
		return none
	}
	if st := attr(n, "style"); st != "" && hides(st) {
		return unshown
	}
	if attr(n, "aria-modal") == "true" {
		return box
	}
	return e.mark.kind
}

// threadShare is the share of a forum page's words, in percent, from which comments are the thread.
const threadShare = 30

// The guards: an element that holds this share of the words is no boilerplate, whatever its name.
const (
	tooMuch    = 40 // percent of the root's words
	manyBlocks = 3  // paragraphs in a banner or side bar
	fewBlocks  = 2  // paragraphs in a box among those of a text
)

// fewActionWords bounds the words of a link that says what to do.
const fewActionWords = 5

// leadsToFile reports a link to something to load down and read.
func leadsToFile(n *html.Node) bool {
	href, _, _ := strings.Cut(attr(n, "href"), "?")
	return files[strings.ToLower(path.Ext(href))]
}

// wordsOfField bounds the words of a form for each of its fields; more are content that a form was put around.
const wordsOfField = 30

func fillsIn(s, root *stat) bool {
	return s.controls > 0 && s.prose*3 <= s.words && s.words <= s.controls*wordsOfField && s.h1 == 0 &&
		s.images < minAlike && !atLeast(s.words, root.words, tooMuch)
}

// A nav element with so many links is the menu of a page that has this many words beside it, whatever texts its panels hold.
const (
	menuLinks  = 10
	besideMenu = 60
)

func (p *page) guarded(k kind, n *html.Node, at int, s, root *stat) bool {
	switch k {
	case control:
		return false
	case action:
		return p.kind == Forum || s.words > fewActionWords || s.headings > 0 || s.images > 0 || s.specs > 0 || s.anchors != 1 || leadsToFile(n)
	case unshown:
		return s.h1 > 0 || s.specs > 0 || atLeast(s.words, root.words, tooMuch) && !p.besideText(at) ||
			(s.prose > 0 || atLeast(s.words, root.words, 10)) && p.opensAtClick(at) && !p.isData(at)
	case form:
		return !fillsIn(s, root)
	case review:
		return s.h1 > 0 || p.kind != Product && p.facts.schema[schemaProduct] == 0 &&
			(p.kind == Article || p.kind == Forum || atLeast(s.words, root.words, tooMuch))
	case comment:
		return atLeast(s.words, root.words, tooMuch) && !p.besideText(at)
	}
	if k == box && s.blocks >= fewBlocks && s.anchors == 0 && s.controls == 0 && at > 0 && p.stats[p.parent(at)].run >= runOfKind {
		return true // paragraphs among others, whatever the template calls them
	}
	if n.DataAtom == atom.Nav && s.anchors >= menuLinks && root.words-s.words >= besideMenu {
		return false
	}
	if s.h1 > 0 && root.h1 == s.h1 && k == frame && n.DataAtom != atom.Nav {
		return true
	}
	if atLeast(s.words, root.words, tooMuch) && s.linkWords < s.words/2 {
		return true
	}
	return k == frame && s.blocks >= manyBlocks && (n.DataAtom == atom.Header || n.DataAtom == atom.Aside)
}

// besideText reports that an article's text stands outside of an element.
func (p *page) besideText(at int) bool {
	return p.kind == Article && p.facts.isLong() && !p.facts.sells() && (p.facts.flowAt < at || p.facts.flowAt >= p.End(at))
}
