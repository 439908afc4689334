package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxTree is how deep a tree may be for the passes: some look from an element down to its texts, or up. Parsers
// for pages give no deeper ones.
const maxTree = 600

// cutDepth brings what is nested deeper than maxTree up to there: its texts, pictures and line breaks.
func (w *work) cutDepth(root *html.Node) {
	n, depth := root, 0
	for n != nil {
		w.steps.Visit()
		w.holds.see(n)
		if depth == maxTree && n.FirstChild != nil {
			w.raiseLeaves(n)
		}
		switch {
		case n.FirstChild != nil && depth < maxTree:
			n = n.FirstChild
			depth++
			continue
		case n == root:
			return
		}
		for n.NextSibling == nil {
			if n = n.Parent; n == nil || n == root {
				return
			}
			depth--
		}
		n = n.NextSibling
	}
}

// raiseLeaves makes the leaves below n its children, with no recursion.
func (w *work) raiseLeaves(n *html.Node) {
	var leaves []*html.Node
	for c := n.FirstChild; c != nil; {
		w.steps.Visit()
		next := follower(n, c)
		if c.FirstChild == nil && (c.Type == html.TextNode || c.DataAtom == atom.Img || c.DataAtom == atom.Br) {
			leaves = append(leaves, c)
		}
		c = next
	}
	for _, leaf := range leaves {
		remove(leaf)
	}
	n.FirstChild, n.LastChild = nil, nil
	for _, leaf := range leaves {
		n.AppendChild(leaf)
	}
}

// follower is the node behind c in the order of the page, below root; nil at the end.
func follower(root, c *html.Node) *html.Node {
	if c.FirstChild != nil {
		return c.FirstChild
	}
	for c.NextSibling == nil {
		if c = c.Parent; c == nil || c == root {
			return nil
		}
	}
	return c.NextSibling
}

// maxLinks is how many links and objects may stand in one another: the passes look at all that is in one. In a link
// there can be no other by the rules of HTML, and no reader follows more than one.
const maxLinks = 4

// cutLinks makes plain elements of the links and objects that are in too many others.
func (w *work) cutLinks(root *html.Node) { w.cutLinksIn(root, 0) }

func (w *work) cutLinksIn(n *html.Node, around int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		inside := around
		if c.DataAtom == atom.A || c.DataAtom == atom.Object {
			if inside++; inside > maxLinks {
				rename(c, atom.Span)
			}
		}
		w.cutLinksIn(c, inside)
	}
}
