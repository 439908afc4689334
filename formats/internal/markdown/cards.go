package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// linkedBlocks takes links that wrap blocks apart, since a link in Markdown is inline. In a card with a heading the
// link goes into the heading and the rest stays as it is; without one, but with a list, table, code or quotation,
// it goes to the first text or picture. All other blocks become one linked line.
func (w *work) linkedBlocks(root *html.Node) {
	w.walkUnder(root, nil, func(n, heading *html.Node) bool {
		if n.DataAtom != atom.A {
			return true
		}
		if !w.has(n, isBlock) {
			return false // nor has a link in it
		}
		switch {
		case heading != nil:
			w.joinLines(n)
		case w.linkFirst(n, w.firstTitled(n)):
		case w.has(n, isStructure):
			w.linkFirst(n, w.first(n, w.isLeaf))
		default:
			w.joinLines(n)
			box := element(atom.Div)
			n.Parent.InsertBefore(box, n)
			remove(n)
			box.AppendChild(n)
		}
		return false
	})
}

// firstTitled is the first heading below n with something in it. In one with nothing there is no other to look for.
func (w *work) firstTitled(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if isHeading(c) && !w.isVoid(c) {
			return c
		}
		if isHeading(c) {
			continue
		}
		if found := w.firstTitled(c); found != nil {
			return found
		}
	}
	return nil
}

// isStructure reports blocks that would be lost on one line.
func isStructure(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Pre, atom.Ul, atom.Ol, atom.Blockquote, atom.Hr, atom.Dl:
		return true
	}
	return false
}

// isLeaf reports a block or cell without blocks in it that is not empty.
func (w *work) isLeaf(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Pre:
		return false
	case atom.Td, atom.Th:
	default:
		if !isBlock(n) {
			return false
		}
	}
	return !w.has(n, isBlock) && !w.isVoid(n)
}

// linkFirst makes the link a plain box and links what the target in it holds; false without a target.
func (w *work) linkFirst(link, target *html.Node) bool {
	if target == nil {
		return false
	}
	inner := element(atom.A)
	inner.Attr = link.Attr
	for c := target.FirstChild; c != nil; c = target.FirstChild {
		target.RemoveChild(c)
		inner.AppendChild(c)
	}
	target.AppendChild(inner)
	w.joinLines(inner)
	rename(link, atom.Div)
	return true
}

// first is the first element below n that matches, else nil.
func (w *work) first(n *html.Node, match func(*html.Node) bool) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type != html.ElementNode {
			continue
		}
		if match(c) {
			return c
		}
		if found := w.first(c, match); found != nil {
			return found
		}
	}
	return nil
}

// joinLines brings the blocks and line breaks below n onto one line.
func (w *work) joinLines(n *html.Node) {
	w.walk(n, func(c *html.Node) bool {
		switch {
		case c.DataAtom == atom.Br, c.DataAtom == atom.Hr:
			c.Parent.InsertBefore(text(" "), c)
			remove(c)
			return false
		case isBlock(c):
			leaveSpaced(c)
		}
		return true
	})
	w.unwrapMarked(n)
}
