package office

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
	"github.com/winnow-go/winnow/formats/document/internal/compound/biff"
	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// XLS reads a workbook of Excel 5 to 2003 (xls, xlt) as XLSX reads a newer one: a heading and a table for each sheet that can be
// seen, numbers as shown, dates in ISO form. Encrypted ones are ErrEncrypted.
func XLS(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	stream, err := j.openOld(body, "Workbook", "Book")
	if err != nil {
		return nil, err
	}
	book, err := biff.Read(stream, j.o.Limits.Memory)
	if err != nil {
		return nil, j.oldError(err)
	}
	shown, err := newNumbers(book.Date1904)
	if err != nil {
		return nil, err
	}
	defer shown.close()
	w := &oldWorkbook{job: j, book: book, shown: shown, cells: j.o.Limits.Cells, text: 2 * j.o.Limits.Text}
	return j.finish(w.sheets())
}

// openOld opens a compound file, takes its metadata, and gives the first of some streams that it has.
func (j *job) openOld(body []byte, names ...string) ([]byte, error) {
	f, err := compound.Open(body)
	if err != nil {
		return nil, &DamagedError{err}
	}
	j.summary(f)
	for _, name := range names {
		if stream, err := f.Root.Stream(name); err == nil && len(stream) > 0 {
			return stream, nil
		}
	}
	return nil, &DamagedError{compound.ErrNoStream}
}

// summary takes the properties of a compound file for the document's metadata.
func (j *job) summary(f *compound.File) {
	s := f.Summary()
	j.doc.Meta = flow.Meta{
		Title: s.Title, Author: s.Author, Subject: s.Subject, Keywords: flow.SplitKeywords(s.Keywords), Producer: s.Producer,
		Created: s.Created, Modified: s.Modified,
	}
}

// oldError gives the errors of readers of compound files the types of this package.
func (j *job) oldError(err error) error {
	switch {
	case errors.Is(err, biff.ErrEncrypted):
		return ErrEncrypted
	case errors.Is(err, biff.ErrMemory):
		return &LimitError{"memory", j.o.Limits.Memory}
	}
	return asDamaged(err)
}

// oldWorkbook is a workbook being read.
type oldWorkbook struct {
	job    *job
	book   *biff.Book
	shown  *numbers
	cells  int   // that may still be read
	text   int64 // bytes that may still be held
	hidden []string
}

func (w *oldWorkbook) sheets() error {
	for _, s := range w.book.Sheets {
		if s.Hidden {
			w.hidden = append(w.hidden, s.Name)
			continue
		}
		if w.job.out.Full() {
			break
		}
		if err := w.sheet(s); err != nil {
			return w.job.oldError(err)
		}
	}
	if len(w.hidden) > 0 {
		w.job.doc.Warn("Hidden sheets were left out: " + listed(w.hidden) + ".")
	}
	return nil
}

func (w *oldWorkbook) sheet(s biff.Sheet) error {
	content, err := w.book.Content(w.job.ctx, s, w.cells)
	if err != nil {
		return err
	}
	w.cells -= len(content.Cells)
	if content.More {
		w.job.doc.Warn("The workbook holds more cells than the limit; the rest was left out.")
	}
	rows, at := w.rows(content.Cells)
	g := newGrid(rows)
	if g.empty() {
		return nil
	}
	for _, m := range content.Merged {
		if first, ok := at[m.Row]; ok {
			g.mergeAt(first, m.Col, m.LastRow-m.Row+1, m.LastCol-m.Col+1)
		}
	}
	for _, l := range content.Links {
		if row, ok := at[l.Row]; ok {
			g.links[[2]int{row, l.Col}] = flow.SafeHref(l.URL)
		}
	}
	w.job.out.Title(2, s.Name)
	g.write(w.job.out)
	return w.job.ctx.Err()
}

// listed is some names in one line.
func listed(names []string) string {
	const most = 20
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and " + itoa(len(names)-most) + " more"
	}
	return strings.Join(names, ", ")
}

// rows brings cells, which may be in any order, into rows, and says where each row of the sheet went: of long gaps most is cut.
func (w *oldWorkbook) rows(cells []biff.Cell) (rows [][]string, at map[int]int) {
	slices.SortStableFunc(cells, func(a, b biff.Cell) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col)) })
	at = map[int]int{}
	last := -1
	for _, c := range cells {
		if c.Col >= maxColumns { // a sheet of this kind has 256
			continue
		}
		if _, known := at[c.Row]; !known {
			rows = append(rows, make([][]string, min(c.Row-last-1, maxGap)+1)...)
			at[c.Row], last = len(rows)-1, c.Row
		}
		text := w.shown.text(c)
		if w.text -= int64(len(text)); w.text < 0 {
			w.job.doc.Warn("The workbook holds more text than the limit; the rest was left out.")
			return rows, at
		}
		row := &rows[len(rows)-1]
		for len(*row) <= c.Col {
			*row = append(*row, "")
		}
		(*row)[c.Col] = text
	}
	return rows, at
}

// numbers shows numbers as XLSX does: by the same library, in the one cell of a workbook of its own, with dates in ISO form.
type numbers struct {
	file   *excelize.File
	styles map[biff.Format]int
	style  int // of the cell
}

const (
	numberSheet = "Sheet1"
	numberCell  = "A1"
)

func newNumbers(date1904 bool) (*numbers, error) {
	n := &numbers{file: excelize.NewFile(), styles: map[biff.Format]int{}}
	return n, n.file.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &date1904})
}

func (n *numbers) close() { _ = n.file.Close() } // it has no file

// text is what a cell shows.
func (n *numbers) text(c biff.Cell) string {
	switch c.Kind {
	case biff.Number:
		return n.number(c.Number, c.Format)
	case biff.Bool:
		return map[bool]string{false: "FALSE", true: "TRUE"}[c.Number != 0]
	}
	return c.Text
}

// number is a number in a format, as it is where that can't be.
func (n *numbers) number(v float64, f biff.Format) string {
	plain := strconv.FormatFloat(v, 'g', 15, 64)
	if f == (biff.Format{}) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	style := n.styleOf(f)
	if style != n.style && n.file.SetCellStyle(numberSheet, numberCell, numberCell, style) != nil {
		return plain
	}
	n.style = style
	if n.file.SetCellFloat(numberSheet, numberCell, v, -1, 64) != nil {
		return plain
	}
	text, err := n.file.GetCellValue(numberSheet, numberCell)
	if err != nil {
		return plain
	}
	return text
}

// maxFormats bounds the formats that are looked at: each costs a look at all before it.
const maxFormats = 2000

func (n *numbers) styleOf(f biff.Format) int {
	if style, known := n.styles[f]; known {
		return style
	}
	style := 0
	if len(n.styles) < maxFormats {
		want := excelize.Style{NumFmt: f.ID}
		if code := isoFormat(f.ID, f.Code); code != "" {
			want.CustomNumFmt = &code
		} else if f.Code != "" {
			want.CustomNumFmt = &f.Code
		}
		if made, err := n.file.NewStyle(&want); err == nil {
			style = made
		}
	}
	n.styles[f] = style
	return style
}
