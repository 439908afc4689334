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
func (w *work) isNumbers(n *html.Node) bool {
	if hasToken(n, numbers) {
		return w.isNumberText(n)
	}
	return attr(n, "data-line-number") != "" && n.FirstChild == nil
}

// isNumberText reports an element without any letter or sign but digits.
func (w *work) isNumberText(n *html.Node) bool {
	is, known := w.numeric[n]
	if known {
		return is
	}
	is = true
	nested := false
	for c := n.FirstChild; c != nil && is; c = c.NextSibling {
		w.steps.Visit()
		switch c.Type {
		case html.TextNode:
			is = strings.Trim(c.Data, "0123456789 \n\r\t\u00a0.:") == ""
		case html.ElementNode:
			nested, is = true, w.isNumberText(c)
		}
	}
	if nested { // all else is quickly found out again
		w.numeric[n] = is
	}
	return is
}

// maxCodeCells is how many cells a table of line numbers and code has at most.
const maxCodeCells = 100_000

// codeOfTable is what holds the code in a table of line numbers and code, else nil: one cell beside another with all the numbers, or a
// table itself whose rows are a number, which says so, and a line each.
func (w *work) codeOfTable(t *html.Node) *html.Node {
	c := w.codeTables[t]
	switch {
	case !c.marked || c.numbered == 0 || c.cells > maxCodeCells:
		return nil
	case c.rows == 1 && c.cells == 2:
		return w.preOf(c.code)
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
	pre                   bool       // there is preformatted text
}

// readCodeTables reads all tables below n in one walk: what is in a table in a table is of both.
func (w *work) readCodeTables(n *html.Node) codeTable {
	var sum codeTable
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type == html.ElementNode {
			sum.add(w.readCodePart(c))
		}
	}
	return sum
}

// readCodePart is readCodeTables for an element and what is below it.
func (w *work) readCodePart(n *html.Node) codeTable {
	below := w.readCodeTables(n)
	switch n.DataAtom {
	case atom.Table:
		w.codeTables[n] = below
	case atom.Tr:
		below.rows++
	case atom.Td, atom.Th:
		below = w.codeCell(n, below)
	case atom.Caption:
		below.cells += 3 // no table of a highlighter
	case atom.Pre:
		below.pre = true
	}
	return below
}

// codeCell adds a cell to what is below it. There are no tables to be looked at in one with but numbers.
func (w *work) codeCell(n *html.Node, below codeTable) codeTable {
	if w.isNumberText(n) {
		cell := codeTable{cells: 1, pre: below.pre}
		if hasToken(n, numbers) || attr(n, "data-line-number") != "" {
			cell.classed, cell.numbered = 1, 1
		} else if n.FirstChild != nil {
			cell.numbered = 1
		}
		return cell
	}
	below.cells++
	if below.code == nil {
		below.code = n
	}
	below.marked = below.marked || below.pre || hasToken(n, codeCells) || w.holdsCode(n)
	return below
}

// add puts what comes later in a table to what came before.
func (c *codeTable) add(later codeTable) {
	c.rows += later.rows
	c.cells += later.cells
	c.numbered += later.numbered
	c.classed += later.classed
	c.marked = c.marked || later.marked
	c.pre = c.pre || later.pre
	if later.code != nil {
		c.code = later.code
	}
}

// holdsCode reports an element with code as a child.
func (w *work) holdsCode(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.DataAtom == atom.Code {
			return true
		}
	}
	return false
}

// codeCells are the class names of cells with code beside line numbers.
var codeCells = set("code", "blob-code", "hljs-ln-code", "rouge-code", "crayon-code", "line-code", "line_content")

// preOf is the only pre in a cell, or the cell itself made one.
func (w *work) preOf(cell *html.Node) *html.Node {
	count := 0
	var pre *html.Node
	w.walk(cell, func(n *html.Node) bool {
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
