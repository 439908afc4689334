package office

import (
	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// rtfTarget is where text goes: the document, or a note in it.
type rtfTarget struct {
	out    *flow.Flow
	para   flow.Inline
	look   rtfLook
	marker string // text of a list mark that stands before the paragraph
	table  *flow.Table
	above  map[int][2]int // column → row and index of the last cell that begins there
	row    rtfRow
}

// rtfLook is the paragraph's properties.
type rtfLook struct {
	style, outline int // outline counts from 1; 0: none
	list, level    int
	inTable        bool
	indent         int  // twips
	hanging        bool // the first line begins before the others
}

// rtfRow is the row of a table that is being read.
type rtfRow struct {
	cells []*flow.Flow
	open  *flow.Flow // the cell being read, when it has paragraphs already
	defs  []rtfCellDef
	next  rtfCellDef // of the cell whose right edge comes next
	head  bool
}

// rtfCellDef is how a cell is merged with its neighbors.
type rtfCellDef struct{ left, above bool }

// paragraph ends a paragraph.
func (r *rtf) paragraph() {
	t := &r.text
	p := t.para
	t.para = flow.Inline{}
	marker := t.marker
	t.marker = ""
	out := t.out
	if t.look.inTable {
		if t.row.open == nil {
			t.row.open = t.out.Sub()
		}
		out = t.row.open
	} else if !p.Empty() {
		t.endTable()
	}
	if p.Empty() {
		return
	}
	r.place(out, &p, marker)
}

// place writes a paragraph as what its style and list make of it.
func (r *rtf) place(out *flow.Flow, p *flow.Inline, marker string) {
	look := r.text.look
	def := r.styles[look.style]
	level := def.heading()
	if level == 0 && look.outline > 0 {
		level = look.outline
	}
	if marker == "" && look.list == 0 && look.hanging && level == 0 {
		marker = p.CutMark()
		look.level = max(look.indent/360-1, 0)
	}
	item, listed := r.lists.item(look, marker)
	switch {
	case level > 0:
		if marker = clean(marker); marker != "" && listed && item.Ordered {
			p = prefixed(marker, p)
		}
		out.Heading(level, p)
		if m := &r.job.doc.Meta; m.Title == "" && def.name == "title" {
			m.Title = clean(p.Plain())
		}
	case listed:
		out.Item(item, p)
	case roleOf(def.name) == roleQuote:
		out.Quote(p)
	case roleOf(def.name) == rolePre:
		out.Pre(p.Plain())
	default:
		out.Para(p)
	}
}

// cell ends a cell.
func (r *rtf) cell() {
	t := &r.text
	t.look.inTable = true
	r.paragraph()
	if r.cells++; r.cells > r.job.o.Limits.Cells {
		r.job.doc.Warn("The tables hold more cells than the limit; the rest was left out.")
		t.row.open = nil
		return
	}
	if len(t.row.cells) < maxColumns {
		if t.row.open == nil {
			t.row.open = t.out.Sub()
		}
		t.row.cells = append(t.row.cells, t.row.open)
	}
	t.row.open = nil
}

// endRow puts the cells into the table, merged as the row's definition says.
func (t *rtfTarget) endRow() {
	if t.table == nil {
		t.table, t.above = &flow.Table{}, map[int][2]int{}
	}
	var row []flow.Cell
	for i, c := range t.row.cells {
		var def rtfCellDef
		if i < len(t.row.defs) {
			def = t.row.defs[i]
		}
		col := columnOf(row)
		from, open := t.above[col]
		switch {
		case def.left && len(row) > 0:
			last := &row[len(row)-1]
			last.ColSpan = max(last.ColSpan, 1) + 1
		case def.above && open:
			top := &t.table.Rows[from[0]][from[1]]
			top.RowSpan = max(top.RowSpan, 1) + 1
			row = append(row, flow.Cell{RowSpan: covered})
		default:
			t.above[col] = [2]int{len(t.table.Rows), len(row)}
			row = append(row, flow.Cell{Head: t.row.head, Content: c})
		}
	}
	t.table.Rows = append(t.table.Rows, row)
	t.row.cells = nil
}

// covered marks a place, in a table being read, that a cell from above reaches down to.
const covered = -1

func columnOf(row []flow.Cell) int {
	col := 0
	for _, c := range row {
		col += max(c.ColSpan, 1)
	}
	return col
}

// endTable writes the table that has been collected.
func (t *rtfTarget) endTable() {
	if len(t.row.cells) > 0 {
		t.endRow()
	}
	if t.table == nil {
		t.endCell()
		return
	}
	for r, row := range t.table.Rows {
		kept := row[:0]
		for _, c := range row {
			if c.RowSpan != covered {
				kept = append(kept, c)
			}
		}
		t.table.Rows[r] = kept
	}
	t.out.Table(t.table)
	t.table = nil
	t.endCell()
}

// endCell writes what stands in a cell that never ends: programs leave out that the text after a table isn't in it any more.
func (t *rtfTarget) endCell() {
	if t.row.open != nil {
		t.out.Add(t.row.open)
		t.row.open = nil
	}
}

// beginNote starts a foot- or endnote in the middle of a paragraph.
func (r *rtf) beginNote() {
	const nested = 8
	if len(r.outer) >= nested {
		r.state.skip = true
		return
	}
	r.outer = append(r.outer, r.text)
	r.text = rtfTarget{out: r.job.out.Sub()}
	r.state.style = flow.Style{}
	r.state.onClose = r.endNote
}

func (r *rtf) endNote() {
	r.paragraph()
	r.text.endTable()
	note := r.text.out
	n := len(r.outer) - 1
	r.text, r.outer = r.outer[n], r.outer[:n]
	if note.Empty() {
		return
	}
	r.notes = append(r.notes, note)
	r.text.para.NoteMark(len(r.notes))
}
