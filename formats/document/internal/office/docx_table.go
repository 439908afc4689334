package office

import (
	"strconv"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// maxColumns of a table; cells beyond are left out.
const maxColumns = 1000

// table reads w:tbl. A cell that goes on below (vMerge) is found by the column where it begins.
func (d *docx) table(n *xmltree.Node) {
	t := flow.Table{Caption: clean(n.Find("w:tblPr", "w:tblCaption").Attr("val"))}
	head := firstRowIsHead(n.Find("w:tblPr", "w:tblLook"))
	above := map[int][2]int{} // column → row and index of the cell that may go on
	d.rows(n, func(tr *xmltree.Node) {
		if tr.Find("w:trPr", "w:del") != nil {
			return
		}
		first := len(t.Rows) == 0
		isHead := tr.Find("w:trPr", "w:tblHeader") != nil && on(tr.Find("w:trPr", "w:tblHeader").Attr("val"))
		t.Rows = append(t.Rows, nil)
		d.row(tr, &t, above, isHead || first && head)
	})
	d.out.Table(&t)
}

// rows calls visit for the rows of a table, also those inside of content controls and insertions.
func (d *docx) rows(n *xmltree.Node, visit func(*xmltree.Node)) {
	for _, k := range n.Kids {
		switch k.Name {
		case "w:tr":
			visit(k)
		case "w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo":
			d.rows(k, visit)
		}
	}
}

func (d *docx) row(tr *xmltree.Node, t *flow.Table, above map[int][2]int, head bool) {
	r := len(t.Rows) - 1
	col := 0
	if before := min(atoi(tr.Find("w:trPr", "w:gridBefore").Attr("val")), maxColumns); before > 0 {
		t.Rows[r] = append(t.Rows[r], flow.Cell{ColSpan: before, Head: head})
		col = before
	}
	tr.All(func(tc *xmltree.Node) {
		props := tc.Find("w:tcPr")
		if col >= maxColumns || props.Find("w:cellDel") != nil {
			return
		}
		span := min(max(atoi(props.Find("w:gridSpan").Attr("val")), 1), maxColumns)
		merge := props.Find("w:vMerge")
		from, open := above[col]
		if merge != nil && merge.Attr("val") != "restart" && open {
			c := &t.Rows[from[0]][from[1]]
			c.RowSpan = max(c.RowSpan, 1) + 1
		} else {
			delete(above, col)
			if merge != nil {
				above[col] = [2]int{r, len(t.Rows[r])}
			}
			t.Rows[r] = append(t.Rows[r], flow.Cell{Head: head, ColSpan: span, Content: d.part(tc)})
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
