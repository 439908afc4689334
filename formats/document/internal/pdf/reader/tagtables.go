package reader

// Cell is a cell of a tagged table. Rows and columns count from 0 over all pages of the table.
type Cell struct {
	Table, Row, Col  int
	ColSpan, RowSpan int
	Head             bool
}

// maxSpan bounds the columns of a tagged table, and how many rows a cell covers.
const maxSpan = 400

// tagTable is a table whose rows are being walked.
type tagTable struct {
	id, row, next int
	covered       []int // of each column, in how many rows from this one on a cell stands
}

// structure begins tables, rows and cells, and items of lists. What is in a cell is of that cell, unless it is a table itself.
func (t *Tags) structure(e *element, o object, role string) {
	switch role {
	case "Table":
		t.tables++
		e.table, e.cell, e.item = &tagTable{id: t.tables, row: -1}, nil, Item{}
	case "TR":
		if e.table != nil {
			e.table.begin()
		}
	case "TH", "TD":
		if e.table != nil && e.table.row >= 0 {
			e.cell = e.table.place(span(o, "ColSpan"), span(o, "RowSpan"), role == "TH")
		}
	case "LI":
		t.items++
		e.item = Item{Number: t.items}
	case "Lbl":
		e.item.Label = e.item.Number > 0
	}
}

// begin begins a row.
func (t *tagTable) begin() {
	t.row++
	t.next = 0
	for i := range t.covered {
		t.covered[i] = max(t.covered[i]-1, 0)
	}
}

// place is the next cell of the row, right of those that are there and of those from above; nil where there are too many.
func (t *tagTable) place(cols, rows int, head bool) *Cell {
	for t.next < len(t.covered) && t.covered[t.next] > 0 {
		t.next++
	}
	if t.next+cols > maxSpan {
		return nil
	}
	c := &Cell{Table: t.id, Row: t.row, Col: t.next, ColSpan: cols, RowSpan: rows, Head: head}
	for range cols {
		if t.next == len(t.covered) {
			t.covered = append(t.covered, 0)
		}
		t.covered[t.next] = rows
		t.next++
	}
	return c
}

// span is how many columns or rows a cell covers, by one of its attributes.
func span(o object, name string) int {
	attributes := o.key("A")
	if attributes.isDict() {
		return min(max(int(attributes.key(name).int()), 1), maxSpan)
	}
	for i := range min(attributes.len(), 10) {
		if a := attributes.index(i); a.isDict() && a.key(name).isInt() {
			return min(max(int(a.key(name).int()), 1), maxSpan)
		}
	}
	return 1
}
