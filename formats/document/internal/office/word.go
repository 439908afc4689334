package office

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
	"github.com/winnow-go/winnow/formats/document/internal/compound/word"
	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// DOC reads a text of Word 97 to 2003 (doc, dot): headings, paragraphs, items of lists, tables, links, and foot- and endnotes and text
// boxes at the end. Headers, footers and hidden text are left out, and comments and pictures, which warnings count; tracked changes are
// read as accepted. Encrypted ones are ErrEncrypted.
func DOC(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	f, err := compound.Open(body)
	if err != nil {
		return nil, &DamagedError{err}
	}
	if oldTextCost*min(f.Root.Size("WordDocument"), int64(len(body))) > j.o.Limits.Memory {
		return nil, &LimitError{"memory", j.o.Limits.Memory}
	}
	text, err := word.Open(f)
	switch {
	case errors.Is(err, word.ErrEncrypted):
		return nil, ErrEncrypted
	case err != nil:
		return nil, &DamagedError{err}
	}
	j.summary(f)
	j.left.comments = text.Comments
	w := &oldText{job: j, cells: j.o.Limits.Cells, counts: map[int]*[numLevels]int{}}
	for p := range text.Paragraphs() {
		if ctx.Err() != nil || j.out.Full() {
			break
		}
		w.paragraph(p)
	}
	w.endTable()
	j.left.pictures = max(j.left.pictures-text.Boxes, 0)
	return j.finish(nil)
}

// oldTextCost is how many times the size of a text its properties may take in memory: pictures lie elsewhere.
const oldTextCost = 12

// oldText is a text being written.
type oldText struct {
	job   *job
	part  word.Part
	rows  [][]flow.Cell // of the table that is open
	row   []flow.Cell
	cell  *flow.Flow
	cells int // that may still be held

	counts map[int]*[numLevels]int // numbers of items, by list
	face   word.Face               // of the text before
}

func (w *oldText) paragraph(p word.Paragraph) {
	if p.Part != w.part {
		w.endTable()
		if w.part == word.Main && !w.job.out.Empty() {
			w.job.out.Rule()
		}
		w.part = p.Part
	}
	if !p.InTable {
		w.endTable()
		w.write(w.job.out, p)
		return
	}
	if p.RowEnd {
		w.endRow()
		return
	}
	if w.cell == nil {
		w.cell = w.job.out.Sub()
	}
	w.write(w.cell, p)
	if p.CellEnd {
		w.endCell()
	}
}

func (w *oldText) write(out *flow.Flow, p word.Paragraph) {
	in := &flow.Inline{}
	for _, t := range p.Texts {
		w.text(in, t)
	}
	switch {
	case p.Heading > 0:
		out.Heading(p.Heading, in)
	case p.List > 0 && p.Mark == word.Unmarked:
		out.More(in)
	case p.List > 0:
		out.Item(w.item(p), in)
	default:
		out.Para(in)
	}
}

// text writes what is shown. Pieces of one tracked change count as one.
func (w *oldText) text(in *flow.Inline, t word.Text) {
	before, f := w.face, t.Face
	w.face = f
	switch {
	case t.Picture:
		w.job.left.pictures++
		return
	case f.Deleted && !before.Deleted:
		w.job.left.deleted++
	case f.Inserted && !f.Deleted && !before.Inserted:
		w.job.left.inserted++
	}
	if f.Deleted || f.Hidden {
		return
	}
	in.Text(t.Text, flow.Style{Bold: f.Bold, Italic: f.Italic, Strike: f.Strike, Sup: f.Sup, Sub: f.Sub, Href: flow.SafeHref(t.Href)})
}

// item counts the item of a list.
func (w *oldText) item(p word.Paragraph) flow.Item {
	it := flow.Item{Level: p.Level, List: itoa(p.List), Ordered: p.Mark == word.Number}
	if !it.Ordered || p.Start < 0 {
		return it
	}
	n := w.counts[p.List]
	if n == nil {
		n = &[numLevels]int{}
		w.counts[p.List] = n
	}
	if n[p.Level]++; n[p.Level] == 1 {
		n[p.Level] = p.Start
	}
	clear(n[p.Level+1:])
	it.Number = n[p.Level]
	return it
}

func (w *oldText) endCell() {
	if w.cells--; w.cells < 0 {
		w.job.doc.Warn("The text holds more cells than the limit; the rest was left out.")
	} else if len(w.row) < maxColumns {
		w.row = append(w.row, flow.Cell{Content: w.cell})
	}
	w.cell = nil
}

func (w *oldText) endRow() {
	if w.cell != nil {
		w.endCell()
	}
	if len(w.row) > 0 {
		w.rows, w.row = append(w.rows, w.row), nil
	}
}

func (w *oldText) endTable() {
	if w.endRow(); len(w.rows) > 0 {
		w.job.out.Table(&flow.Table{Rows: w.rows})
		w.rows = nil
	}
}
