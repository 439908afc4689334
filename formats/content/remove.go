package content

import (
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
)

// removeBoilerplate leaves out what tags, roles and names mark as boilerplate under root, outermost first.
func (t *Tree) removeBoilerplate(m Mask, stats []stat, root int, named bool) {
	for i := root + 1; i < t.End(root); i++ {
		e := &t.nodes[i]
		if m[i] {
			i = t.End(i) - 1
			continue
		}
		if e.Type != html.ElementNode {
			continue
		}
		if k := classify(e.Node, named); k != none && !guarded(k, e.Node, &stats[i], &stats[root]) {
			m[i] = true
			i = t.End(i) - 1
		}
	}
}

// classify names the boilerplate that an element looks like. Whole words of class and id count,
// never parts of words: "header" is one, "subheader-free" is not.
func classify(n *html.Node, named bool) kind {
	switch n.DataAtom {
	case atom.Body, atom.Html, atom.H1, atom.Article, atom.Main:
		return none
	case atom.Button, atom.Select, atom.Textarea, atom.Option:
		return control
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
	if attr(n, "aria-modal") == "true" {
		return box
	}
	return byName(n)
}

func byName(n *html.Node) kind {
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key != "class" && a.Key != "id" {
			continue
		}
		for token := range strings.FieldsSeq(a.Val) {
			if k, ok := names[strings.ToLower(token)]; ok {
				return k
			}
		}
	}
	return none
}

// The guards: an element that holds this share of the words is no boilerplate, whatever its name.
const (
	tooMuch      = 40 // percent of the root's words
	tooMuchProse = 60 // percent of the root's prose
	manyBlocks   = 3  // paragraphs in a banner or side bar
)

func guarded(k kind, n *html.Node, s, root *stat) bool {
	switch k {
	case control:
		return false
	case comment:
		return atLeast(s.words, root.words, tooMuch)
	}
	if s.h1 > 0 && root.h1 == s.h1 && k == frame && n.DataAtom != atom.Nav {
		return true
	}
	if atLeast(s.words, root.words, tooMuch) && s.linkWords < s.words/2 {
		return true
	}
	if root.prose > 0 && atLeast(s.prose, root.prose, tooMuchProse) {
		return true
	}
	return k == frame && s.blocks >= manyBlocks && (n.DataAtom == atom.Header || n.DataAtom == atom.Aside)
}
