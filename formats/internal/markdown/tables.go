package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// normalizeTables brings every table into one of three forms, chosen by one rule:
//
//   - a table of data whose every cell can stand on one line stays a table;
//   - a table of data with headings that has other cells becomes a list: a row is an item, a cell comes after its heading;
//   - all others lay out a page and become blocks, in reading order.
//
// A table of data has headings, or at least two rows and two columns, and no role that denies it. A cell cannot stand
// on one line when it holds a table, code of several lines, a heading among other blocks, or more than maxCellText.
// Inner tables come first.
func (w *work) normalizeTables(root *html.Node) {
	if w.voids == nil {
		w.voids, w.fits = make(map[*html.Node]bool), make(map[*html.Node]fit)
		defer func() { w.voids, w.fits = nil, nil }()
	}
	for c := root.FirstChild; c != nil; {
		w.steps.Visit()
		next := c.NextSibling
		if c.Type == html.ElementNode && c.DataAtom != atom.Pre {
			table := c.DataAtom == atom.Table
			if table {
				w.around++
			}
			w.normalizeTables(c)
			if table {
				w.around--
			}
			switch c.DataAtom {
			case atom.Table:
				w.normalizeTable(c)
				w.note(c)
			case atom.Tr, atom.Td, atom.Th, atom.Thead, atom.Tbody, atom.Tfoot, atom.Caption:
				if root.DataAtom != atom.Table && !isTablePart(root) {
					rename(c, atom.Div) // cut out of its table
				}
			}
		}
		c = next
	}
}

// note remembers facts about a table in a table that the one around it needs.
func (w *work) note(t *html.Node) {
	if w.around > 0 {
		w.voids[t] = w.isVoid(t)
		f := fit{work: w}
		f.fails = !f.look(t)
		w.fits[t] = f
	}
}

func (w *work) normalizeTable(t *html.Node) {
	g := w.readGrid(t)
	for _, part := range g.before {
		remove(part)
		rename(part, atom.Div)
		t.Parent.InsertBefore(part, t)
	}
	switch {
	case !g.isData():
		g.becomeBlocks()
	case g.fitsLines():
		g.becomeTable()
	case g.headed && len(g.rows) > 1 && g.labelsAreShort():
		g.becomeList()
	default:
		g.becomeBlocks()
	}
}

func (g *grid) isData() bool {
	if role := attr(g.table, "role"); role == "presentation" || role == "none" || g.sparse {
		return false
	}
	return len(g.rows) > 1 && g.width > 1 || g.headed && (len(g.rows) > 1 || g.width > 1)
}

// maxCellText is how many bytes of text one cell may hold; with more, the table lays out a page.
const maxCellText = 2000

func (g *grid) fitsLines() bool {
	for _, row := range g.rows {
		for _, cell := range row.cells {
			f := fit{work: g.work}
			if cell != nil && (!f.look(cell) || f.headings > 0 && f.blocks > f.headings) {
				return false
			}
		}
	}
	return true
}

// fit is what a look at a cell has found so far.
type fit struct {
	*work
	size     int // bytes of text, and one for each node
	blocks   int // but for those that only group
	headings int // of the blocks
	fails    bool
}

// look goes through what is below n and gives up at once, with false, when it cannot stand on one line.
func (f *fit) look(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		f.steps.Visit()
		f.size++
		switch {
		case c.Type == html.TextNode:
			f.size += len(strings.TrimSpace(c.Data))
		case c.DataAtom == atom.Table, c.DataAtom == atom.Pre && strings.Contains(f.textOf(c), "\n"):
			return false
		case isHeading(c):
			f.headings++
			f.blocks++
		case isBlock(c) && !isContainer(c):
			f.blocks++
		}
		if f.size > maxCellText || !f.lookInto(c) {
			return false
		}
	}
	return true
}

// lookInto is look, from the remembered results about a table.
func (f *fit) lookInto(n *html.Node) bool {
	inner, known := f.fits[n]
	if !known {
		return f.look(n)
	}
	f.size += inner.size
	f.blocks += inner.blocks
	f.headings += inner.headings
	return !inner.fails && f.size <= maxCellText
}

// Bounds of the headings that a list repeats for each row.
const (
	maxLabels   = 16 << 10 // bytes of all, of any table
	maxPerLabel = 64       // bytes, on average, of a larger one
)

// labelsAreShort reports whether a list of rows would not repeat its headings to many times the size of the table.
func (g *grid) labelsAreShort() bool {
	row, cells := 0, 0
	for _, head := range g.heads() {
		row += len(head)
	}
	for _, r := range g.rows {
		cells += len(r.cells)
	}
	return row*len(g.rows) <= maxLabels+maxPerLabel*cells
}

// heads are the texts of the first row, which head the columns.
func (g *grid) heads() []string {
	heads := make([]string, g.width)
	for col, cell := range g.rows[0].cells {
		if cell != nil {
			heads[col] = strings.Join(strings.Fields(g.textOf(cell)), " ")
		}
	}
	return heads
}

// becomeTable leaves rows of cells that hold inline content and line breaks only.
func (g *grid) becomeTable() {
	clearChildren(g.table)
	g.table.Attr = nil
	for i, row := range g.rows {
		tr := element(atom.Tr)
		for col, cell := range row.cells {
			if cell == nil {
				cell = element(atom.Td)
			} else {
				remove(cell)
				g.flattenCell(cell)
			}
			rename(cell, atom.Td)
			if i == 0 && g.align[col] != "" {
				setAttr(cell, "align", g.align[col])
			}
			tr.AppendChild(cell)
		}
		g.table.AppendChild(tr)
	}
}

// becomeList makes an item of each row but the first, whose cells head those below them.
func (g *grid) becomeList() {
	heads := g.heads()
	list := element(atom.Ul)
	for _, row := range g.rows[1:] {
		item := element(atom.Li)
		for col, cell := range row.cells {
			if cell != nil {
				item.AppendChild(g.labeled(heads[col], cell))
			}
		}
		list.AppendChild(item)
	}
	clearChildren(g.table)
	rename(g.table, atom.Div)
	g.table.AppendChild(list)
}

// labeled is what a cell holds after its heading in bold, on its line when it has no blocks.
func (w *work) labeled(head string, cell *html.Node) *html.Node {
	remove(cell)
	rename(cell, atom.Div)
	if head == "" {
		return cell
	}
	label := element(atom.Strong)
	label.AppendChild(text(head + ":"))
	if !w.has(cell, isBlock) {
		cell.InsertBefore(text(" "), cell.FirstChild)
		cell.InsertBefore(label, cell.FirstChild)
		rename(cell, atom.P)
		return cell
	}
	p := element(atom.P)
	p.AppendChild(label)
	cell.InsertBefore(p, cell.FirstChild)
	return cell
}

// becomeBlocks makes blocks of the table's parts.
func (g *grid) becomeBlocks() {
	g.walk(g.table, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Caption:
			rename(n, atom.Div)
			return true
		case atom.Td, atom.Th:
			rename(n, atom.Div)
		case atom.Colgroup, atom.Col:
			remove(n)
		}
		return false
	})
	rename(g.table, atom.Div)
}

func clearChildren(n *html.Node) {
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
	}
}

// isBlock reports the elements that begin a line of their own.
func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.P, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote, atom.Pre, atom.Section, atom.Article,
		atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside, atom.Figure, atom.Figcaption, atom.Address,
		atom.Center, atom.Details, atom.Summary,
		atom.Form, atom.Fieldset, atom.Table, atom.Hr, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Menu, atom.Hgroup, atom.Search:
		return true
	}
	return false
}

func isBlank(n *html.Node) bool {
	return n.Type == html.TextNode && strings.TrimSpace(n.Data) == ""
}
