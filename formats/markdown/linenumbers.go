package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// numbers are the class names of line numbers.
var numbers = set("gutter", "lineno", "linenos", "linenumber", "line-number", "line-numbers", "linenodiv", "ln", "lnt", "hljs-ln-numbers",
	"rouge-gutter", "blob-num", "line-numbers-rows", "linenumbers", "react-syntax-highlighter-line-number", "crayon-nums", "crayon-num",
	"codemirror-linenumber", "codemirror-gutter-wrapper", "diff-line-num", "line_numbers", "linenums")

// isNumbers reports line numbers: by class or attribute, and in no case with letters.
func isNumbers(n *html.Node) bool {
	if hasToken(n, numbers) {
		return isNumberText(n)
	}
	return attr(n, "data-line-number") != "" && n.FirstChild == nil
}

// isNumberText reports an element without any letter or sign but digits.
func isNumberText(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.Trim(c.Data, "0123456789 \n\r\t\u00a0.:") != "" || c.Type == html.ElementNode && !isNumberText(c) {
			return false
		}
	}
	return true
}

// maxCodeCells bounds the look at a table; line numbers beside a code block need two cells, or two a line.
const maxCodeCells = 100_000

// codeOfTable is what holds the code in a table of line numbers and code, else nil: one cell beside another with all the numbers, or a
// table itself whose rows are a number, which says so, and a line each.
func codeOfTable(t *html.Node) *html.Node {
	var c codeTable
	c.read(t)
	switch {
	case !c.marked || c.numbered == 0:
		return nil
	case c.rows == 1 && c.cells == 2:
		return preOf(c.code)
	case c.rows > 1 && c.cells == 2*c.rows && c.classed > 0 && c.classed >= c.rows/2:
		return tableAsPre(t)
	}
	return nil
}

// codeTable is what is known of a table that may hold code and line numbers.
type codeTable struct {
	rows, cells, numbered int
	code                  *html.Node // the last cell with more than numbers
	marked                bool       // a cell is made for code
	classed               int        // numbered cells that say what they are
}

func (c *codeTable) read(t *html.Node) {
	walk(t, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Tr:
			c.rows++
			return c.cells < maxCodeCells
		case atom.Td, atom.Th:
			return c.cell(n)
		case atom.Caption:
			c.cells += 3 // no table of a highlighter
		}
		return true
	})
}

// cell reports whether there may be tables in it to be looked at too.
func (c *codeTable) cell(n *html.Node) bool {
	c.cells++
	if isNumberText(n) {
		classed := hasToken(n, numbers) || attr(n, "data-line-number") != ""
		if classed {
			c.classed++
		}
		if classed || n.FirstChild != nil {
			c.numbered++
		}
		return false
	}
	c.code = n
	c.marked = c.marked || isCodeCell(n)
	return true
}

// isCodeCell reports a cell that is made for code.
func isCodeCell(n *html.Node) bool {
	return hasToken(n, codeCells) || has(n, func(c *html.Node) bool { return c.DataAtom == atom.Pre || c.DataAtom == atom.Code && c.Parent == n })
}

// codeCells are the class names of cells with code beside line numbers.
var codeCells = set("code", "blob-code", "hljs-ln-code", "rouge-code", "crayon-code", "line-code", "line_content")

// preOf is the only pre in a cell, or the cell itself made one.
func preOf(cell *html.Node) *html.Node {
	count := 0
	var pre *html.Node
	walk(cell, func(n *html.Node) bool {
		if n.DataAtom == atom.Pre {
			pre = n
			count++
			return false
		}
		return true
	})
	if count == 1 {
		return pre
	}
	cell.DataAtom, cell.Data = atom.Pre, "pre"
	return cell
}

// tableAsPre is a pre with the table in it, for rowText to read.
func tableAsPre(t *html.Node) *html.Node {
	pre, body := element(atom.Pre), element(atom.Tbody)
	for c := t.FirstChild; c != nil; c = t.FirstChild {
		t.RemoveChild(c)
		body.AppendChild(c)
	}
	pre.AppendChild(body)
	t.AppendChild(pre)
	return pre
}
