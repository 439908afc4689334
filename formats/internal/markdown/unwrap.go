package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// leaving marks, as a namespace, the elements that are about to be unwrapped. They are marked from the inside out and
// unwrapped from the outside in, so that what is in many of them moves only once.
const leaving = "leaving"

// unwrapMarked puts the children of all marked elements below root in their places.
func (w *work) unwrapMarked(root *html.Node) {
	for c := root.FirstChild; c != nil; {
		w.steps.Visit()
		if c.Namespace == leaving {
			c = unwrapHere(c)
			continue
		}
		w.unwrapMarked(c)
		c = c.NextSibling
	}
}

// unwrapHere unwraps n and returns what stands in its place, or after it when it was empty.
func unwrapHere(n *html.Node) *html.Node {
	next := n.FirstChild
	if next == nil {
		next = n.NextSibling
	}
	unwrap(n)
	return next
}

// leaveSpaced marks n, with a space where a block would have kept words apart.
func leaveSpaced(n *html.Node) {
	if isBlock(n) {
		n.Parent.InsertBefore(text(" "), n)
		n.AppendChild(text(" "))
	}
	n.Namespace = leaving
}

// markContainers marks the elements below n that only group blocks, and reports whether n holds nothing but blocks.
func (w *work) markContainers(n *html.Node) (onlyBlocks bool) {
	onlyBlocks = true
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		switch {
		case c.Type == html.TextNode:
			onlyBlocks = onlyBlocks && isBlank(c)
		case c.Type != html.ElementNode:
		case c.DataAtom != atom.Pre && w.markContainers(c) && isContainer(c):
			c.Namespace = leaving
		default:
			onlyBlocks = onlyBlocks && isBlock(c)
		}
	}
	return onlyBlocks
}

// markPlain marks the elements below n that mean nothing in a line and hold no blocks, and reports whether n holds some.
func (w *work) markPlain(n *html.Node) (blocks bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type != html.ElementNode {
			continue
		}
		inner := w.markPlain(c)
		if isPlain(c) && !inner {
			c.Namespace = leaving
		}
		blocks = blocks || inner || isBlock(c)
	}
	return blocks
}
