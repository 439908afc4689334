package office

import (
	"strconv"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// maxColumns of a table; cells beyond are left out.
const maxColumns = 1000

// docxTable is a table being read. A cell that goes on below (vMerge) is found by the column where it begins.
type docxTable struct {
	*docx
	flow.Table
	head    bool           // the first row is one
	above   map[int][2]int // column → row and index of the cell that may go on
	written bool           // rows were written
}

// someRows of a table are held; as many times that where cells go on below.
const (
	someRows     = 256
	someRowTimes = 16
)

func (d *docx) newTable() *docxTable { return &docxTable{docx: d, above: map[int][2]int{}} }

// table reads a w:tbl that is held.
func (d *docx) table(n *xmltree.Node) {
	t := d.newTable()
	t.properties(n.Find("w:tblPr"))
	t.rows(n)
	t.end()
}

// streamTable reads the w:tbl that r has come to, and writes rows as soon as they are known.
func (d *docx) streamTable(r *xmltree.Reader) error {
	t := d.newTable()
	defer t.end()
	for !d.out.Full() {
		event, n, err := r.Step()
		switch {
		case err != nil:
			return err
		case event == xmltree.End && n.Name == "w:tbl":
			return nil
		case event != xmltree.Start:
			continue
		case rowsInside(n.Name):
			t.job.left.change(n.Name)
			continue
		case n.Name == "w:tr":
			err = r.Tree(n)
			t.row(n)
		case n.Name == "w:tblPr":
			err = r.Tree(n)
			t.properties(n)
		default:
			err = r.Skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsInside reports a content control or insertion, which may hold rows.
func rowsInside(name string) bool {
	switch name {
	case "w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo":
		return true
	}
	return false
}

func (t *docxTable) properties(n *xmltree.Node) {
	t.Caption = clean(n.Find("w:tblCaption").Attr("val"))
	t.head = firstRowIsHead(n.Find("w:tblLook"))
}

// rows reads the rows below n.
func (t *docxTable) rows(n *xmltree.Node) {
	for _, k := range n.Kids {
		t.job.left.change(k.Name)
		switch {
		case k.Name == "w:tr":
			t.row(k)
		case rowsInside(k.Name):
			t.rows(k)
		}
	}
}

func (t *docxTable) row(tr *xmltree.Node) {
	t.job.left.changes(tr.Find("w:trPr"))
	if tr.Find("w:trPr", "w:del") != nil {
		return
	}
	first := len(t.Rows) == 0 && !t.written
	named := tr.Find("w:trPr", "w:tblHeader")
	t.Rows = append(t.Rows, nil)
	t.cells(tr, named != nil && on(named.Attr("val")) || first && t.head)
	t.writeSome()
}

// writeSome writes rows that are complete, so that few are held.
func (t *docxTable) writeSome() {
	if len(t.Rows) < someRows || len(t.above) > 0 && len(t.Rows) < someRows*someRowTimes {
		return
	}
	t.write()
	clear(t.above)
}

func (t *docxTable) write() {
	if !t.written {
		t.out.BeginTable(t.Caption)
	}
	for i, row := range t.Rows {
		t.out.Row(row, i == 0 && !t.written)
	}
	t.Rows, t.written = nil, true
}

// end writes what is held.
func (t *docxTable) end() {
	if !t.written {
		t.out.Table(&t.Table)
		return
	}
	t.write()
	t.out.EndTable()
}

func (t *docxTable) cells(tr *xmltree.Node, head bool) {
	r := len(t.Rows) - 1
	col := 0
	if before := min(atoi(tr.Find("w:trPr", "w:gridBefore").Attr("val")), maxColumns); before > 0 {
		t.Rows[r] = append(t.Rows[r], flow.Cell{ColSpan: before, Head: head})
		col = before
	}
	tr.All(func(tc *xmltree.Node) {
		props := tc.Find("w:tcPr")
		t.job.left.changes(props)
		if col >= maxColumns || props.Find("w:cellDel") != nil {
			return
		}
		span := min(max(atoi(props.Find("w:gridSpan").Attr("val")), 1), maxColumns)
		merge := props.Find("w:vMerge")
		from, open := t.above[col]
		if merge != nil && merge.Attr("val") != "restart" && open {
			c := &t.Rows[from[0]][from[1]]
			c.RowSpan = max(c.RowSpan, 1) + 1
		} else {
			delete(t.above, col)
			if merge != nil {
				t.above[col] = [2]int{r, len(t.Rows[r])}
			}
			t.Rows[r] = append(t.Rows[r], flow.Cell{Head: head, ColSpan: span, Content: t.part(tc)})
		}
		col += span
	}, "w:tc")
}

// firstRowIsHead reads what the table's look says; newer files write names, older ones bits.
func firstRowIsHead(look *xmltree.Node) bool {
	if look == nil {
		return false
	}
	if v, ok := look.Lookup("firstRow"); ok {
		return on(v)
	}
	bits, _ := strconv.ParseUint(look.Attr("val"), 16, 16)
	return bits&0x20 != 0
}
