package markdown

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cellBreak is the element that stands for a line break in a cell.
const cellBreak = "cell-break"

// flattenCell leaves inline content and line breaks in a cell: Markdown cells are one line.
func (w *work) flattenCell(cell *html.Node) {
	strong := make(map[*html.Node]bool) // of headings: whether there is a strong word in one
	w.walk(cell, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Hr:
			remove(n)
			return false
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			if !w.holdsStrong(n, strong) {
				wrapChildren(n, atom.Strong)
			}
			rename(n, atom.Div)
		case atom.Ul, atom.Ol:
			flattenList(n)
		case atom.Blockquote:
			rename(n, atom.Div)
		case atom.Pre:
			w.flattenCodeLine(n)
			return false
		}
		return true
	})
	w.breakBlocks(cell)
	w.unwrapMarked(cell)
	w.markBreaks(cell)
}

// holdsStrong reports whether a strong word is below n. That of headings is remembered, since they may hold headings.
func (w *work) holdsStrong(n *html.Node, known map[*html.Node]bool) bool {
	strong, ok := known[n]
	if ok {
		return strong
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		inner := w.holdsStrong(c, known)
		strong = strong || inner || isStrong(c)
	}
	if isHeading(n) {
		known[n] = strong
	}
	return strong
}

func isStrong(n *html.Node) bool { return n.DataAtom == atom.Strong || n.DataAtom == atom.B }

// flattenList makes lines of a list's items, with bullets or numbers.
func flattenList(list *html.Node) {
	number := 0
	if list.DataAtom == atom.Ol {
		number = startOf(list)
	}
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Li {
			continue
		}
		rename(c, atom.Div)
		mark := "• "
		if list.DataAtom == atom.Ol {
			mark = strconv.Itoa(number) + `. `
			number++
		}
		for first := c.FirstChild; first != nil && isBlank(first); first = c.FirstChild {
			remove(first)
		}
		if first := c.FirstChild; first != nil && isBlock(first) && !isList(first) {
			unwrap(first)
		}
		c.InsertBefore(text(mark), c.FirstChild)
	}
	rename(list, atom.Div)
}

func startOf(list *html.Node) int {
	if n, err := strconv.Atoi(attr(list, "start")); err == nil && n >= 0 {
		return n
	}
	return 1
}

// flattenCodeLine leaves the code of a block of one line.
func (w *work) flattenCodeLine(pre *html.Node) {
	if code := pre.FirstChild; code != nil && code.FirstChild != nil && code.FirstChild.Type == html.TextNode {
		code.Attr = nil
	}
	rename(pre, atom.Div)
}

// cellLine is what a look at the nodes of a cell has come to.
type cellLine struct {
	filled bool // something stands behind the last line break
	known  bool // filled is known: there was a line break or something to fill a line
	holds  bool // there is a node that stays
}

// breakBlocks turns the boundaries between the blocks of a cell into line breaks, and marks the blocks to be unwrapped.
func (w *work) breakBlocks(cell *html.Node) cellLine {
	var line cellLine
	for c := cell.FirstChild; c != nil; {
		w.steps.Visit()
		next := c.NextSibling
		switch {
		case c.Type == html.ElementNode && isBlock(c):
			w.breakBlock(c, next, &line)
		case c.DataAtom == atom.Br:
			line = cellLine{known: true, holds: true}
		case isBlank(c):
			line.holds = true
		default:
			w.breakBlocks(c)
			line = cellLine{filled: true, known: true, holds: true}
		}
		c = next
	}
	return line
}

// breakBlock puts line breaks before and after a block, where something is there to be set apart.
func (w *work) breakBlock(n, next *html.Node, line *cellLine) {
	inner := w.breakBlocks(n)
	if line.filled {
		n.Parent.InsertBefore(element(atom.Br), n)
		*line = cellLine{known: true, holds: true}
	}
	line.holds = line.holds || inner.holds
	if inner.known {
		line.filled, line.known = inner.filled, true
	}
	if next != nil && inner.holds && !(next.Type == html.ElementNode && isBlock(next)) && !isBlank(next) {
		n.Parent.InsertBefore(element(atom.Br), next)
		*line = cellLine{known: true, holds: true}
	}
	n.Namespace = leaving
}

// markBreaks turns line breaks into elements of our own: the writer would make hard breaks of them. At the
// start and end of a cell they are dropped.
func (w *work) markBreaks(cell *html.Node) {
	w.walk(cell, func(n *html.Node) bool {
		if n.DataAtom == atom.Br {
			n.DataAtom, n.Data, n.Attr = 0, cellBreak, nil
		}
		return true
	})
	for c := cell.FirstChild; c != nil && isGap(c); c = cell.FirstChild {
		cell.RemoveChild(c)
	}
	for c := cell.LastChild; c != nil && isGap(c); c = cell.LastChild {
		cell.RemoveChild(c)
	}
}

func isGap(n *html.Node) bool {
	return isBlank(n) || n.Type == html.ElementNode && n.Data == cellBreak
}
