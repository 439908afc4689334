package office

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
	"github.com/winnow-go/winnow/formats/document/internal/compound/slides"
	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// PPT reads a presentation of PowerPoint 97 to 2003 (ppt, pps), as PPTX does: slide by slide, each with its title, its text and tables,
// then its notes. Hidden slides, comments and pictures are left out, which warnings say. Encrypted ones are ErrEncrypted.
func PPT(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	f, err := compound.Open(body)
	if err != nil {
		return nil, &DamagedError{err}
	}
	deck, err := slides.Open(f)
	switch {
	case errors.Is(err, slides.ErrEncrypted):
		return nil, ErrEncrypted
	case err != nil:
		return nil, &DamagedError{err}
	}
	j.summary(f)
	w := &oldSlides{job: j, cells: j.o.Limits.Cells}
	for s := range deck.Slides() {
		if ctx.Err() != nil || j.out.Full() || !w.slide(s) {
			break
		}
	}
	return j.finish(nil)
}

// oldSlides is a presentation being written.
type oldSlides struct {
	job   *job
	cells int // that may still be held
}

// slide writes a slide; false when there are too many.
func (w *oldSlides) slide(s slides.Slide) bool {
	j := w.job
	switch {
	case s.Hidden:
		j.doc.Warn("Hidden slides were left out.")
		return true
	case j.doc.Slides == j.o.Limits.Pages:
		j.doc.Warn("The presentation has more slides than the limit; the rest was left out.")
		return false
	}
	j.doc.Slides++
	j.left.pictures += s.Pictures
	j.left.comments += s.Comments
	title := titleOf(s)
	if title < 0 {
		j.out.Title(2, "Slide "+itoa(j.doc.Slides))
	} else {
		j.out.Heading(2, joined(s.Shapes[title].Paragraphs))
	}
	for i, shape := range s.Shapes {
		if i != title {
			w.shape(j.out, shape)
		}
	}
	w.notes(s.Notes)
	return true
}

// titleOf is the place of the first title that says something, -1 without one.
func titleOf(s slides.Slide) int {
	for i, shape := range s.Shapes {
		if shape.Kind == slides.Title && !joined(shape.Paragraphs).Empty() {
			return i
		}
	}
	return -1
}

// joined are paragraphs as one.
func joined(list []slides.Paragraph) *flow.Inline {
	in := &flow.Inline{}
	for _, p := range list {
		if !in.Empty() {
			in.Text(" ", flow.Style{})
		}
		in.Text(p.Text, flow.Style{})
	}
	return in
}

// shape writes a text, or a table. Paragraphs of a body that don't say otherwise are a list when there are several, as in PPTX.
func (w *oldSlides) shape(out *flow.Flow, s slides.Shape) {
	if len(s.Rows) > 0 {
		w.table(out, s.Rows)
		return
	}
	listed := s.Kind == slides.Body && len(s.Paragraphs) > 1
	for _, p := range s.Paragraphs {
		in := &flow.Inline{}
		in.Text(p.Text, flow.Style{})
		item := listed
		if p.Bullet != nil {
			item = *p.Bullet && s.Kind != slides.Title
		}
		if item && !in.Empty() {
			out.Item(flow.Item{Level: p.Level}, in)
		} else {
			out.Para(in)
		}
	}
}

func (w *oldSlides) table(out *flow.Flow, rows [][]slides.Shape) {
	t := &flow.Table{}
	for _, row := range rows {
		var cells []flow.Cell
		for _, s := range row[:min(len(row), maxColumns)] {
			if w.cells--; w.cells < 0 {
				w.job.doc.Warn("The presentation holds more cells than the limit; the rest was left out.")
				break
			}
			content := out.Sub()
			w.shape(content, s)
			cells = append(cells, flow.Cell{Content: content})
		}
		t.Rows = append(t.Rows, cells)
	}
	out.Table(t)
}

// notes writes what the speaker noted.
func (w *oldSlides) notes(list []slides.Paragraph) {
	sub := w.job.out.Sub()
	w.shape(sub, slides.Shape{Kind: slides.Notes, Paragraphs: list})
	if !sub.Empty() {
		w.job.out.Title(3, "Notes")
		w.job.out.Add(sub)
	}
}
