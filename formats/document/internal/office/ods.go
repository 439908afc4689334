package office

import (
	"context"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// ODS reads an OpenDocument spreadsheet: a heading and a table for each sheet that can be seen. Numbers are as shown, dates in
// ISO form. Hidden sheets, rows and columns and comments are left out and counted in warnings,
// as are tracked changes and formulas without a value.
func ODS(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	d, err := j.openODF(body)
	if err != nil {
		return nil, asDamaged(err)
	}
	s := &odsSheet{odf: d, cellsLeft: j.o.Limits.Cells}
	err = d.each(s.element)
	s.flush()
	return j.finish(err)
}

// odsSheet collects one sheet after another.
type odsSheet struct {
	*odf
	cells
	name      string
	blank     int
	cellsLeft int    // that may still be read
	number    int    // of the row being read, from 0
	cols      int    // whose looks were read
	veiled    hidden // rows and columns
	hidden    bool
}

func (s *odsSheet) element(n *xmltree.Node) step {
	switch n.Name {
	case "office:document-content", "office:body", "office:spreadsheet", "table:table-rows", "table:table-header-rows", "table:table-row-group",
		"table:table-columns", "table:table-header-columns", "table:table-column-group":
		return enter
	case "table:table-column":
		s.column(n)
	case "table:tracked-changes":
		return enter
	case "table:insertion", "table:deletion", "table:movement", "table:cell-content-change":
		s.change(n)
	case "table:table":
		s.flush()
		s.begin(n)
		return enter
	case "table:table-row":
		if !s.hidden {
			return whole(s.row)
		}
	}
	return nil
}

func (s *odsSheet) begin(n *xmltree.Node) {
	s.name, s.blank, s.cols, s.number = n.Attr("table:name"), 0, 0, 0
	s.cells, s.veiled = cells{links: map[[2]int]string{}}, hidden{map[int]bool{}, map[int]bool{}}
	if s.hidden = s.styles.hidden("table", n.Attr("table:style-name")); s.hidden {
		s.job.doc.Warn("Hidden sheets were left out.")
	}
}

// change counts a tracked change that is neither accepted nor rejected.
func (s *odsSheet) change(n *xmltree.Node) {
	if v := n.Attr("table:acceptance-state"); v == "accepted" || v == "rejected" {
		return
	}
	left := &s.job.left
	switch n.Name {
	case "table:insertion":
		left.inserted++
	case "table:deletion":
		left.deleted++
	case "table:movement":
		left.moved++
	default:
		left.changed++
	}
}

// column reads the look of some columns that follow each other.
func (s *odsSheet) column(n *xmltree.Node) {
	times := min(max(atoi(n.Attr("table:number-columns-repeated")), 1), maxColumns-min(s.cols, maxColumns))
	for range times {
		if isVeiled(n) {
			s.veiled.cols[s.cols] = true
		}
		s.cols++
	}
}

// isVeiled reports a row or column that isn't shown.
func isVeiled(n *xmltree.Node) bool {
	v := n.Attr("table:visibility")
	return v == "collapse" || v == "filter"
}

// flush writes the sheet that was collected.
func (s *odsSheet) flush() {
	shown, rows, cols := s.without(s.veiled)
	s.job.left.rows += rows
	s.job.left.cols += cols
	s.rows = nil
	if g := shown.grid(); !g.empty() {
		s.out.Title(2, s.name)
		g.write(s.out)
	}
}

// row reads a row as often as it is repeated. Blank cells at its end and blank rows at the sheet's end count for nothing.
func (s *odsSheet) row(n *xmltree.Node) {
	times := max(atoi(n.Attr("table:number-rows-repeated")), 1)
	veiled := isVeiled(n)
	row := s.rowTexts(n, len(s.rows)+min(s.blank, maxGap))
	if !veiled {
		s.unseen(n)
	}
	s.number += times
	if len(row) == 0 && !veiled {
		s.blank += min(times, maxGap)
		return
	}
	s.rows = append(s.rows, make([][]string, min(s.blank, maxGap))...)
	s.blank = 0
	if len(row) == 0 {
		times = min(times, maxGap)
	}
	for range times {
		if s.cellsLeft -= len(row); s.cellsLeft < 0 {
			s.job.doc.Warn("The workbook holds more cells than the limit; the rest was left out.")
			return
		}
		if veiled {
			s.veiled.rows[len(s.rows)] = true
		}
		s.rows = append(s.rows, row)
	}
}

// unseen counts the comments of a row, and its formulas without a value.
func (s *odsSheet) unseen(n *xmltree.Node) {
	n.All(func(*xmltree.Node) { s.job.left.comments++ }, "office:annotation")
	col := 0
	for _, k := range n.Kids {
		if isODFCell(k) && unvalued(k) && !s.veiled.cols[col] {
			s.job.left.formula(s.name + "!" + placeName(s.number, col))
		}
		if isODFCell(k) {
			col += min(max(atoi(k.Attr("table:number-columns-repeated")), 1), maxColumns)
		}
	}
}

func isODFCell(n *xmltree.Node) bool {
	return n.Name == "table:table-cell" || n.Name == "table:covered-table-cell"
}

// unvalued reports a cell with a formula and no value.
func unvalued(n *xmltree.Node) bool {
	_, typed := n.Lookup("office:value-type")
	return n.Attr("table:formula") != "" && !typed && n.Find("text:p") == nil
}

// rowTexts are the texts of a row's cells up to the last that holds something. r is the row's number.
func (s *odsSheet) rowTexts(n *xmltree.Node, r int) (row []string) {
	blank := 0
	for _, k := range n.Kids {
		if !isODFCell(k) {
			continue
		}
		times := min(max(atoi(k.Attr("table:number-columns-repeated")), 1), maxColumns)
		text := ""
		if k.Name == "table:table-cell" {
			text = s.cellText(k)
		}
		if text == "" {
			blank += times
			continue
		}
		if len(row)+blank+times > maxColumns {
			break
		}
		row = append(row, make([]string, blank)...)
		blank = 0
		s.remember(k, [2]int{r, len(row)})
		for range times {
			row = append(row, text)
		}
	}
	return row
}

// remember keeps what a cell covers and where it leads.
func (s *odsSheet) remember(k *xmltree.Node, at [2]int) {
	rows, cols := atoi(k.Attr("table:number-rows-spanned")), atoi(k.Attr("table:number-columns-spanned"))
	if rows > 1 || cols > 1 {
		s.merges = append(s.merges, merge{at[0], at[1], max(rows, 1), max(cols, 1)})
	}
	k.All(func(a *xmltree.Node) {
		if s.links[at] == "" {
			s.links[at] = flow.SafeHref(a.Attr("xlink:href"))
		}
	}, "text:a")
	if s.links[at] == "" {
		delete(s.links, at)
	}
}

// cellText is what a cell shows.
func (s *odsSheet) cellText(k *xmltree.Node) string {
	if date := k.Attr("office:date-value"); date != "" && k.Attr("office:value-type") == "date" {
		date, _, _ = strings.Cut(date, ".")
		return strings.Replace(strings.TrimSuffix(date, "T00:00:00"), "T", " ", 1)
	}
	var lines []string
	for _, p := range k.Kids {
		if p.Name == "text:p" {
			in := &flow.Inline{}
			s.inline(p, in, flow.Style{})
			lines = append(lines, strings.TrimSpace(in.Plain()))
		}
	}
	if len(lines) == 0 {
		return k.Attr("office:value")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
