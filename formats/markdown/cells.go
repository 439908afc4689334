package markdown

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cellBreak is the element that stands for a line break in a cell.
const cellBreak = "cell-break"

// flattenCell leaves inline content and line breaks in a cell: Markdown cells are one line.
func flattenCell(cell *html.Node) {
	walk(cell, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Hr:
			remove(n)
			return false
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			rename(n, atom.Div)
			if !has(n, isStrong) {
				wrapChildren(n, atom.Strong)
			}
		case atom.Ul, atom.Ol:
			flattenList(n)
		case atom.Blockquote:
			rename(n, atom.Div)
		case atom.Pre:
			flattenCodeLine(n)
			return false
		}
		return true
	})
	breakBlocks(cell)
	markBreaks(cell)
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
func flattenCodeLine(pre *html.Node) {
	if code := pre.FirstChild; code != nil && code.FirstChild != nil && code.FirstChild.Type == html.TextNode {
		code.Attr = nil
	}
	rename(pre, atom.Div)
}

// breakBlocks turns the boundaries between the blocks of a cell into line breaks.
func breakBlocks(cell *html.Node) {
	walk(cell, func(n *html.Node) bool {
		if !isBlock(n) {
			return true
		}
		breakBlocks(n)
		if hasContentBefore(n) {
			n.Parent.InsertBefore(element(atom.Br), n)
		}
		if next := n.NextSibling; next != nil && n.FirstChild != nil && !(next.Type == html.ElementNode && isBlock(next)) && !isBlank(next) {
			n.Parent.InsertBefore(element(atom.Br), next)
		}
		unwrap(n)
		return false
	})
}

func hasContentBefore(n *html.Node) bool {
	for p := n.PrevSibling; p != nil; p = p.PrevSibling {
		if p.DataAtom == atom.Br {
			return false
		}
		if !isBlank(p) {
			return true
		}
	}
	return false
}

// markBreaks turns line breaks into elements of our own: the writer would make hard breaks of them. At the
// start and end of a cell they are dropped.
func markBreaks(cell *html.Node) {
	walk(cell, func(n *html.Node) bool {
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
