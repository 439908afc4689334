package office

import (
	"bytes"
	"sort"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/office/drawing"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// sheet writes one sheet; one without cells and pictures, such as a chart, writes nothing.
func (w *workbook) sheet(name, part string) error {
	texts, err := w.rows(name)
	if err != nil {
		return err
	}
	marks, err := w.marks(name, part)
	if err != nil {
		return err
	}
	shown, rows, cols := texts.cells(marks).without(texts.hidden(marks))
	w.job.left.rows += rows
	w.job.left.cols += cols
	g, pictures := shown.grid(), w.out().Sub()
	if err := w.pictures(marks.rels, pictures); err != nil {
		return err
	}
	if !g.empty() || !pictures.Empty() {
		w.out().Title(2, name)
	}
	if !g.empty() {
		g.write(w.out())
	}
	w.out().Add(pictures)
	return w.job.ctx.Err()
}

// pictures writes those that lie on a sheet, where they are kept.
func (w *workbook) pictures(rels map[string]relation, out *flow.Flow) error {
	part := byKind(rels, "drawing", "")
	if part == "" || !w.job.images.Wanted() {
		return nil
	}
	root, err := w.tree(part)
	if err != nil {
		return err
	}
	targets, err := w.relations(part)
	if err != nil {
		return err
	}
	for _, picture := range drawing.Anchored(root) {
		p := &flow.Inline{}
		p.Picture(picture.Alt, w.embedded(targets[picture.ID]), flow.Style{})
		out.Para(p)
	}
	return nil
}

// sheetTexts are the texts of a sheet's rows, as many as are held.
type sheetTexts struct {
	rows    [][]string
	numbers []int // of the rows in the sheet, from 0
}

func (t *sheetTexts) add(number int, row []string) {
	t.rows, t.numbers = append(t.rows, row), append(t.numbers, number)
}

// index is that of the first row with a number or a later one.
func (t *sheetTexts) index(number int) int { return sort.SearchInts(t.numbers, number) }

// cells brings texts and marks together.
func (t *sheetTexts) cells(m *sheetMarks) cells {
	c := cells{rows: t.rows, links: map[[2]int]string{}}
	for _, s := range m.merges {
		first := t.index(s.row)
		s.row, s.rows = first, t.index(s.row+s.rows)-first
		c.merges = append(c.merges, s)
	}
	for at, href := range m.links {
		if i := t.index(at[0]); i < len(t.numbers) && t.numbers[i] == at[0] {
			c.links[[2]int{i, at[1]}] = href
		}
	}
	return c
}

// hidden are the rows and columns that aren't shown.
func (t *sheetTexts) hidden(m *sheetMarks) hidden {
	h := hidden{map[int]bool{}, m.cols}
	for i, number := range t.numbers {
		if m.rows[number] {
			h.rows[i] = true
		}
	}
	return h
}

// rows reads the texts of all cells, as far as the limit allows.
func (w *workbook) rows(name string) (texts sheetTexts, err error) {
	it, err := w.file.Rows(name)
	if err != nil {
		return texts, nil // a sheet of another kind
	}
	defer it.Close()
	blank := 0
	for number := 0; it.Next(); number++ {
		if err := w.job.ctx.Err(); err != nil {
			return texts, err
		}
		row, err := it.Columns()
		if err != nil { // damaged: what was read counts
			texts.add(number, row)
			return texts, nil
		}
		if len(row) == 0 {
			blank++
			continue
		}
		for gap := min(blank, maxGap); gap > 0; gap-- {
			texts.add(number-gap, nil)
		}
		blank = 0
		if row = w.bounded(row); row == nil {
			return texts, nil
		}
		texts.add(number, row)
	}
	return texts, nil
}

// bounded is the part of a row that may still be held, nil for none.
func (w *workbook) bounded(row []string) []string {
	if w.cells -= len(row); w.cells < 0 {
		w.job.doc.Warn("The workbook holds more cells than the limit; the rest was left out.")
		return nil
	}
	if len(row) > maxColumns {
		w.job.doc.Warn("Columns beyond the first 1,000 were left out.")
		row = row[:maxColumns]
	}
	if !w.room(row) {
		w.job.doc.Warn("The workbook holds more text than the limit; the rest was left out.")
		return nil
	}
	return row
}

// room reports whether a row may still be held. Cells can share long texts, so that a small file shows much.
func (w *workbook) room(row []string) bool {
	for _, text := range row {
		w.text -= int64(len(text))
	}
	return w.text >= 0
}

// sheetMarks is what a sheet says beside the texts of its cells. Rows and columns count from 0.
type sheetMarks struct {
	job        *job
	name       string
	rels       map[string]relation
	merges     []merge
	links      map[[2]int]string
	rows, cols map[int]bool // hidden
	row, col   int          // being read
}

// marks reads what precedes and follows the cells, and the cells only where they may have marks themselves.
func (w *workbook) marks(name, part string) (*sheetMarks, error) {
	m := &sheetMarks{job: w.job, name: name, links: map[[2]int]string{}, rows: map[int]bool{}, cols: map[int]bool{}, row: -1}
	var err error
	if m.rels, err = w.relations(part); err != nil {
		return nil, err
	}
	if err := w.comments(m.rels); err != nil {
		return nil, err
	}
	data, err := w.read(part)
	if err := w.serious(err); err != nil {
		return nil, err
	}
	if !bytes.Contains(data, []byte("hidden=")) && !hasFormulas(data) {
		data = append(rootTag(data), afterCells(data)...)
	}
	return m, w.serious(m.read(xmltree.New(w.job.ctx, data).Within(w.job.o.Limits.Memory)))
}

// afterCells is what follows the cells of a sheet.
func afterCells(data []byte) []byte {
	i := bytes.LastIndex(data, []byte("sheetData"))
	if i < 0 {
		return nil
	}
	end := bytes.IndexByte(data[i:], '>')
	if end < 0 {
		return nil
	}
	return data[i+end+1:]
}

// rootTag is the start tag of the root element, which declares the namespaces.
func rootTag(data []byte) []byte {
	i := bytes.Index(data, []byte("worksheet"))
	if i < 0 {
		return nil
	}
	start := max(bytes.LastIndexByte(data[:i], '<'), 0)
	end := bytes.IndexByte(data[i:], '>')
	return bytes.Clone(data[start : i+end+1])
}

func (m *sheetMarks) read(r *xmltree.Reader) error {
	for {
		n, err := r.Next()
		if err != nil {
			return err
		}
		switch n.Name {
		case "x:col":
			m.column(n)
		case "x:row":
			m.beginRow(n)
		case "x:c":
			err = m.cell(r, n)
		case "x:mergeCell":
			m.merge(n.Attr("ref"))
		case "x:hyperlink":
			m.link(n)
		}
		if err != nil {
			return err
		}
	}
}

// column reads the look of some columns that follow each other.
func (m *sheetMarks) column(n *xmltree.Node) {
	if !on1(n.Attr("hidden")) {
		return
	}
	for c := max(atoi(n.Attr("min")), 1); c <= min(atoi(n.Attr("max")), maxColumns); c++ {
		m.cols[c-1] = true
	}
}

func (m *sheetMarks) beginRow(n *xmltree.Node) {
	m.row, m.col = m.row+1, -1
	if number := atoi(n.Attr("r")); number > 0 {
		m.row = number - 1
	}
	if on1(n.Attr("hidden")) {
		m.rows[m.row] = true
	}
}

// merge takes a range such as "A1:C2".
func (m *sheetMarks) merge(ref string) {
	first, last, _ := strings.Cut(ref, ":")
	col, row, ok1 := place(first)
	endCol, endRow, ok2 := place(last)
	if ok1 && ok2 {
		m.merges = append(m.merges, merge{row, col, endRow - row + 1, endCol - col + 1})
	}
}

// link gives the first cell of a range an address.
func (m *sheetMarks) link(n *xmltree.Node) {
	rel := m.rels[n.Attr("r:id")]
	ref, _, _ := strings.Cut(n.Attr("ref"), ":")
	if col, row, ok := place(ref); ok && rel.external {
		m.links[[2]int{row, col}] = flow.SafeHref(rel.target)
	}
}

// place reads the name of a cell, such as "A1", as column and row from 0.
func place(name string) (col, row int, ok bool) {
	col, row, err := excelize.CellNameToCoordinates(name)
	return col - 1, row - 1, err == nil
}

// placeName is the name of a cell.
func placeName(row, col int) string {
	name, err := excelize.CoordinatesToCellName(col+1, row+1)
	if err != nil {
		return ""
	}
	return name
}
