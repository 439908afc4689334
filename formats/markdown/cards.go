package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// linkedBlocks takes links that wrap blocks apart, since a link in Markdown is inline. In a card with a heading the
// link goes into the heading and the rest stays as it is; without one, but with a list, table, code or quotation,
// it goes to the first text or picture. All other blocks become one linked line.
func linkedBlocks(root *html.Node) {
	walk(root, func(n *html.Node) bool {
		if n.DataAtom != atom.A || !has(n, isBlock) {
			return true
		}
		switch {
		case insideHeading(n):
			joinLines(n)
		case linkFirst(n, isTitled):
		case has(n, isStructure):
			linkFirst(n, isLeaf)
		default:
			joinLines(n)
			box := element(atom.Div)
			n.Parent.InsertBefore(box, n)
			remove(n)
			box.AppendChild(n)
		}
		return false
	})
}

func insideHeading(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if isHeading(p) {
			return true
		}
	}
	return false
}

// isTitled reports a heading with something in it.
func isTitled(n *html.Node) bool { return isHeading(n) && !isVoid(n) }

// isStructure reports blocks that would be lost on one line.
func isStructure(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Pre, atom.Ul, atom.Ol, atom.Blockquote, atom.Hr, atom.Dl:
		return true
	}
	return false
}

// isLeaf reports a block or cell without blocks in it that is not empty.
func isLeaf(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Pre:
		return false
	case atom.Td, atom.Th:
	default:
		if !isBlock(n) {
			return false
		}
	}
	return !has(n, isBlock) && !isVoid(n)
}

// linkFirst makes the link a plain box and links what the first match in it holds.
func linkFirst(link *html.Node, match func(*html.Node) bool) bool {
	target := first(link, match)
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
	joinLines(inner)
	rename(link, atom.Div)
	return true
}

// first is the first element below n that matches, else nil.
func first(n *html.Node, match func(*html.Node) bool) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if match(c) {
			return c
		}
		if found := first(c, match); found != nil {
			return found
		}
	}
	return nil
}

// joinLines brings the blocks and line breaks below n onto one line.
func joinLines(n *html.Node) {
	walk(n, func(c *html.Node) bool {
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
	unwrapMarked(n)
}
