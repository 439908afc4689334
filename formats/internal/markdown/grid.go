package markdown

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// grid is a table as rows of cells, its head first and its foot last, without empty rows and columns.
type grid struct {
	*work
	table  *html.Node
	rows   []gridRow
	width  int          // of the widest row
	align  []string     // by column: left, center, right or ""
	before []*html.Node // captions and, from a first row that is nothing but a heading, that
	headed bool         // there are heading cells
	sparse bool         // filled up, the rows would have far more cells than there are
}

// gridRow has a cell for each column; nil where a cell beside or above reaches over it.
type gridRow struct{ cells []*html.Node }

// maxSpan is the most columns or rows that a cell may reach over; more is a mistake of the page.
const maxSpan = 1000

// readGrid collects the table's rows. It takes nothing out of the tree.
func (w *work) readGrid(t *html.Node) *grid {
	g := &grid{work: w, table: t}
	rows := g.collect()
	cells := 0
	for _, row := range rows {
		cells += len(row.cells)
	}
	budget := 8*cells + 256
	if !g.place(rows, budget, maxSpan) {
		g.place(rows, budget, 1)
	}
	g.dropEmpty()
	g.sparse = len(g.rows)*g.width > budget
	if !g.sparse {
		g.pad()
		g.align = g.alignments()
	}
	return g
}

// collect returns the rows as they stand in the page; cells of rowless groups are left out.
func (g *grid) collect() []gridRow {
	var head, body, foot []gridRow
	g.walk(g.table, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot:
			return true
		case atom.Caption:
			g.before = append(g.before, n)
		case atom.Tr:
			row := gridRow{g.cellsOf(n)}
			g.headed = g.headed || n.Parent.DataAtom == atom.Thead || slices.ContainsFunc(row.cells, isHeaderCell)
			switch n.Parent.DataAtom {
			case atom.Thead:
				head = append(head, row)
			case atom.Tfoot:
				foot = append(foot, row)
			default:
				body = append(body, row)
			}
		}
		return false
	})
	rows := append(append(head, body...), foot...)
	if len(rows) > 1 && len(rows[0].cells) == 1 && isTitle(rows[0].cells[0]) {
		g.before = append(g.before, rows[0].cells[0])
		rows = rows[1:]
	}
	return rows
}

func (g *grid) cellsOf(tr *html.Node) []*html.Node {
	var cells []*html.Node
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		g.steps.Visit()
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			cells = append(cells, c)
		}
	}
	return cells
}

func isHeaderCell(n *html.Node) bool { return n.DataAtom == atom.Th }

// isTitle reports a cell over the whole table that holds a heading and nothing else.
func isTitle(cell *html.Node) bool {
	if span(cell, "colspan") < 2 {
		return false
	}
	var only *html.Node
	for c := cell.FirstChild; c != nil; c = c.NextSibling {
		if isBlank(c) {
			continue
		}
		if only != nil {
			return false
		}
		only = c
	}
	return only != nil && isHeading(only)
}

// place puts the cells into their columns; false when the rows would be longer together than the budget.
func (g *grid) place(rows []gridRow, budget, most int) bool {
	p := placer{budget: budget, most: most}
	g.rows, g.width = nil, 0
	for _, row := range rows {
		p.row = nil
		for _, cell := range row.cells {
			p.skip(len(p.down))
			p.put(cell)
			if p.budget < 0 {
				return false
			}
		}
		p.finish()
		g.rows = append(g.rows, gridRow{p.row})
		g.width = max(g.width, len(p.row))
	}
	return p.budget >= 0
}

// placer fills one row after another.
type placer struct {
	row    []*html.Node
	down   []int // by column: rows that a cell above still reaches down
	budget int   // cells that may still be placed
	most   int   // columns or rows that one may reach over
}

// skip leaves out the next columns that a cell above reaches, up to the given one.
func (p *placer) skip(end int) {
	for col := len(p.row); col < end && p.down[col] > 0; col++ {
		p.down[col]--
		p.budget--
		p.row = append(p.row, nil)
	}
}

func (p *placer) put(cell *html.Node) {
	col, across, down := len(p.row), min(span(cell, "colspan"), p.most), min(span(cell, "rowspan"), p.most)
	if p.budget -= across; p.budget < 0 {
		return
	}
	p.row = append(append(p.row, cell), make([]*html.Node, across-1)...)
	if down == 1 {
		return
	}
	for len(p.down) < col+across {
		p.down = append(p.down, 0)
	}
	for k := range across {
		p.down[col+k] = down - 1
	}
}

// finish fills the row up to the last column that a cell above reaches.
func (p *placer) finish() {
	end := len(p.down)
	for end > len(p.row) && p.down[end-1] == 0 {
		end--
	}
	for p.skip(end); len(p.row) < end; p.skip(end) {
		p.row = append(p.row, nil)
		p.budget--
	}
}

func span(cell *html.Node, key string) int {
	value := attr(cell, key)
	if value == "" { // as nearly always
		return 1
	}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < 1 || n > maxSpan {
		return 1
	}
	return n
}

// dropEmpty takes out rows and columns without content, which only make room.
func (g *grid) dropEmpty() {
	used := make([]bool, g.width)
	g.rows = slices.DeleteFunc(g.rows, func(row gridRow) bool {
		empty := true
		for col, cell := range row.cells {
			if cell != nil && !g.isVoid(cell) {
				used[col], empty = true, false
			}
		}
		return empty
	})
	if !slices.Contains(used, false) {
		return
	}
	for i := range g.rows {
		kept := g.rows[i].cells[:0]
		for col, cell := range g.rows[i].cells {
			if used[col] {
				kept = append(kept, cell)
			}
		}
		g.rows[i].cells = kept
	}
	g.width = 0
	for _, row := range g.rows {
		g.width = max(g.width, len(row.cells))
	}
}

// isVoid reports an element with neither text nor anything to look at.
func (w *work) isVoid(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type == html.TextNode && !isBlank(c) {
			return false
		}
		if c.Type != html.ElementNode {
			continue
		}
		if isSeen(c) || !w.isKnownVoid(c) {
			return false
		}
	}
	return true
}

// isKnownVoid is isVoid with a memory, where there is one, of tables and items: they are looked at again with those around them.
func (w *work) isKnownVoid(n *html.Node) bool {
	void, known := w.voids[n]
	if known {
		return void
	}
	void = w.isVoid(n)
	if w.voids != nil && (n.DataAtom == atom.Table || n.DataAtom == atom.Li) {
		w.voids[n] = void
	}
	return void
}

// isSeen reports an element that is something to look at whatever it holds.
func isSeen(n *html.Node) bool {
	return n.DataAtom == atom.Img || n.DataAtom == 0 || n.DataAtom == atom.Pre || n.DataAtom == atom.Code && n.FirstChild != nil
}

func (g *grid) pad() {
	for i := range g.rows {
		if missing := g.width - len(g.rows[i].cells); missing > 0 {
			g.rows[i].cells = append(g.rows[i].cells, make([]*html.Node, missing)...)
		}
	}
}

// alignments are those of the first two rows: the heading's, else that of the cell below.
func (g *grid) alignments() []string {
	align := make([]string, g.width)
	for _, row := range g.rows[:min(2, len(g.rows))] {
		for col, cell := range row.cells {
			if cell != nil && align[col] == "" {
				align[col] = alignment(cell)
			}
		}
	}
	return align
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
