package flow

import (
	"bytes"
	"strconv"
)

// Cell is one cell. The zero value is an empty one.
type Cell struct {
	Head             bool
	ColSpan, RowSpan int // 0 and 1: none
	Content          *Flow
	Inline           *Inline // instead of Content
}

// Table is rows of cells. The zero value is an empty one.
type Table struct {
	Caption string
	Rows    [][]Cell
}

// maxSpan bounds what one cell may cover.
const maxSpan = 1000

// Table writes t. One cell alone is a box around text: its content is written as it is.
func (f *Flow) Table(t *Table) {
	f.close()
	if only := t.only(); only != nil {
		f.unbox(only)
		return
	}
	if !t.filled() || f.Full() {
		return
	}
	f.BeginTable(t.Caption)
	for i, row := range t.Rows {
		f.Row(row, i == 0)
	}
	f.EndTable()
}

// BeginTable, Row and EndTable write a table that is too large to be held in memory. Nothing else may be written between them.
func (f *Flow) BeginTable(caption string) {
	f.close()
	f.block()
	f.raw("<table>\n")
	if caption != "" {
		p := &Inline{}
		p.Text(caption, Style{})
		f.wrap("caption", p)
	}
}

// EndTable closes the table.
func (f *Flow) EndTable() { f.raw("</table>\n") }

// only is the cell of a table that has just one.
func (t *Table) only() *Cell {
	var found *Cell
	for r := range t.Rows {
		for c := range t.Rows[r] {
			if found != nil {
				return nil
			}
			found = &t.Rows[r][c]
		}
	}
	return found
}

func (f *Flow) unbox(c *Cell) {
	switch {
	case c.Content != nil:
		f.Add(c.Content)
	case c.Inline != nil:
		f.Para(c.Inline)
	}
}

// filled reports whether any cell holds something.
func (t *Table) filled() bool {
	for _, row := range t.Rows {
		for _, c := range row {
			if c.Content != nil && !c.Content.Empty() || c.Inline != nil && !c.Inline.Empty() {
				return true
			}
		}
	}
	return false
}

// Row writes a row. The first one is the table's head when all its cells are head cells.
func (f *Flow) Row(cells []Cell, first bool) {
	head := first && len(cells) > 0
	for _, c := range cells {
		head = head && c.Head
	}
	open, end := "<tr>", "</tr>\n"
	if head {
		open, end = "<thead><tr>", "</tr></thead>\n"
	}
	if f.Full() {
		return
	}
	f.raw(open)
	for _, c := range cells {
		f.td(c)
	}
	f.raw(end)
}

func (f *Flow) td(c Cell) {
	if f.Full() {
		return
	}
	tag := "td"
	if c.Head {
		tag = "th"
	}
	f.raw("<" + tag + spanAttr("colspan", c.ColSpan) + spanAttr("rowspan", c.RowSpan) + ">")
	f.inside(c)
	f.raw("</" + tag + ">")
}

// inside writes what a cell holds. Head cells are bold by themselves.
func (f *Flow) inside(c Cell) {
	switch {
	case c.Content != nil && c.Head:
		plain := bytes.ReplaceAll(c.Content.cell(), []byte("<strong>"), nil) // only our own tags look so: texts are escaped
		f.buf = append(f.buf, bytes.ReplaceAll(plain, []byte("</strong>"), nil)...)
	case c.Content != nil:
		f.buf = append(f.buf, c.Content.cell()...)
	case c.Inline != nil:
		f.inline(c.Inline)
	}
}

func spanAttr(name string, n int) string {
	if n <= 1 {
		return ""
	}
	return " " + name + `="` + strconv.Itoa(min(n, maxSpan)) + `"`
}
