package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of a table that is written as one.
const (
	maxColumns  = 64
	maxSpan     = 64   // columns or rows that a cell may span; more is a mistake of the page
	maxCellText = 2000 // bytes of one cell; beyond, the table lays out a page
)

// normaliseTables makes tables that hold data fit for Markdown and takes all others apart into blocks.
// Inner tables come first: a table around another one lays out the page.
func normaliseTables(root *html.Node) {
	for c := root.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode {
			normaliseTables(c)
			if c.DataAtom == atom.Table {
				normaliseTable(c)
			}
		}
		c = next
	}
}

func normaliseTable(t *html.Node) {
	g, ok := readGrid(t)
	if !ok {
		takeApart(t)
		return
	}
	g.fillSpans()
	for _, row := range g.rows {
		for _, cell := range row.cells {
			flattenCell(cell)
		}
	}
}

// grid is a table as rows of cells.
type grid struct {
	rows []gridRow
}

type gridRow struct {
	tr    *html.Node
	cells []*html.Node
}

// readGrid collects the rows of t; ok is false when t is no table of data: it has one column without a heading or one cell,
// holds another table, headings or long texts, or its rows differ too much in length.
func readGrid(t *html.Node) (g grid, ok bool) {
	ok, cells, widest, headed := true, 0, 0, false
	walk(t, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Tr:
			g.rows = append(g.rows, gridRow{tr: n})
		case atom.Td, atom.Th:
			if len(g.rows) == 0 {
				ok = false
				return false
			}
			row := &g.rows[len(g.rows)-1]
			row.cells = append(row.cells, n)
			cells++
			widest = max(widest, len(row.cells))
			headed = headed || n.DataAtom == atom.Th
			ok = ok && fitsCell(n)
			return false
		case atom.Caption:
			return false
		}
		return ok
	})
	// The writer pads every row to the widest: bound what that may add.
	sparse := len(g.rows)*widest > 8*cells+64
	return g, ok && (widest > 1 || headed) && widest <= maxColumns && !sparse && cells > 1
}

// fitsCell reports whether what a cell holds can be brought onto one line.
func fitsCell(cell *html.Node) bool {
	size := 0
	return fits(cell, &size)
}

// fits adds up the text below n and gives up at once when it is too much.
func fits(n *html.Node, size *int) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Table, atom.H1, atom.H2, atom.H3, atom.Article, atom.Section:
			return false
		}
		if c.Type == html.TextNode {
			*size += len(c.Data)
		}
		if *size > maxCellText || !fits(c, size) {
			return false
		}
	}
	return true
}

// fillSpans adds the empty cells that a colspan or rowspan stands for, so that columns stay in line.
func (g *grid) fillSpans() {
	var pending [maxColumns]int // rows that a cell above still reaches down, by column
	for r := range g.rows {
		row, col := &g.rows[r], 0
		filled := make([]*html.Node, 0, len(row.cells))
		skip := func() {
			for col < maxColumns && pending[col] > 0 {
				pending[col]--
				filled = append(filled, emptyCell())
				col++
			}
		}
		for _, cell := range row.cells {
			skip()
			across, down := span(cell, "colspan"), span(cell, "rowspan")
			filled = append(filled, cell)
			for k := range across {
				if k > 0 {
					filled = append(filled, emptyCell())
				}
				if col < maxColumns {
					pending[col] = down - 1
				}
				col++
			}
		}
		skip()
		row.place(filled)
	}
}

func span(cell *html.Node, key string) int {
	n, err := strconv.Atoi(strings.TrimSpace(attr(cell, key)))
	if err != nil || n < 1 || n > maxSpan {
		return 1
	}
	return n
}

func emptyCell() *html.Node { return element(atom.Td) }

// place makes cells the children of the row, at most maxColumns of those that were added.
func (r *gridRow) place(cells []*html.Node) {
	for c := r.tr.FirstChild; c != nil; c = r.tr.FirstChild {
		r.tr.RemoveChild(c)
	}
	for i, c := range cells {
		if i >= maxColumns && c.FirstChild == nil {
			break
		}
		align := alignment(c)
		c.Attr = nil
		if align != "" {
			setAttr(c, "align", align)
		}
		remove(c)
		r.tr.AppendChild(c)
	}
	r.cells = cells
}

// alignment is left, center or right as the cell's align attribute or style says, else "".
func alignment(cell *html.Node) string {
	align := strings.ToLower(attr(cell, "align"))
	if _, rest, ok := strings.Cut(strings.ToLower(attr(cell, "style")), "text-align:"); ok {
		align, _, _ = strings.Cut(rest, ";")
		align = strings.TrimSpace(align)
	}
	switch align {
	case "left", "center", "right":
		return align
	}
	return ""
}

// flattenCell leaves inline content and line breaks in a cell: Markdown cells are one line.
func flattenCell(cell *html.Node) {
	walk(cell, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Hr:
			remove(n)
			return false
		case atom.H4, atom.H5, atom.H6:
			rename(n, atom.Div)
			wrapChildren(n, atom.Strong)
		case atom.Li:
			rename(n, atom.Div)
			n.InsertBefore(text("• "), n.FirstChild)
		case atom.Ul, atom.Ol, atom.Blockquote:
			rename(n, atom.Div)
		case atom.Pre:
			if n.FirstChild != nil && n.FirstChild.FirstChild != nil {
				code := n.FirstChild.FirstChild
				code.Data = strings.Join(strings.Fields(code.Data), " ")
			}
			unwrap(n)
			return false
		}
		return true
	})
	escapePipes(cell)
	breakBlocks(cell)
	markBreaks(cell)
}

// cellBreak is the element that stands for a line break in a cell.
const cellBreak = "cell-break"

// markBreaks turns line breaks into elements of our own: the writer would make hard breaks of them. At the
// start and end of a cell they are dropped.
func markBreaks(cell *html.Node) {
	walk(cell, func(n *html.Node) bool {
		if n.DataAtom == atom.Br {
			n.DataAtom, n.Data, n.Attr = 0, cellBreak, nil
		}
		return true
	})
	for c := cell.FirstChild; c != nil && (isBlank(c) || c.Data == cellBreak && c.Type == html.ElementNode); c = cell.FirstChild {
		cell.RemoveChild(c)
	}
	for c := cell.LastChild; c != nil && (isBlank(c) || c.Data == cellBreak && c.Type == html.ElementNode); c = cell.LastChild {
		cell.RemoveChild(c)
	}
}

// escapePipes escapes | in code, which the writer leaves alone and which would end the cell.
func escapePipes(n *html.Node) {
	walk(n, func(c *html.Node) bool {
		if c.DataAtom == atom.Code && c.FirstChild != nil {
			for t := c.FirstChild; t != nil; t = t.NextSibling {
				if t.Type == html.TextNode {
					t.Data = strings.ReplaceAll(t.Data, "|", `\|`)
				}
			}
		}
		return true
	})
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
		if next := n.NextSibling; next != nil && !(next.Type == html.ElementNode && isBlock(next)) && !isBlank(next) {
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

func isBlank(n *html.Node) bool {
	return n.Type == html.TextNode && strings.TrimSpace(n.Data) == ""
}

// takeApart makes blocks of a table that lays out a page.
func takeApart(t *html.Node) {
	walk(t, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Colgroup:
			rename(n, atom.Div)
		}
		return true
	})
	rename(t, atom.Div)
}

// isBlock reports the elements that begin a line of their own.
func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.P, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote, atom.Pre, atom.Section, atom.Article,
		atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside, atom.Figure, atom.Figcaption, atom.Address, atom.Center, atom.Details, atom.Summary,
		atom.Form, atom.Fieldset, atom.Table, atom.Hr, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Menu, atom.Hgroup, atom.Search:
		return true
	}
	return false
}
