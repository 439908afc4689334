package pdf

import "github.com/winnow-go/winnow/formats/document/internal/pdf/reader"

// Pages for recognition: how much of a page an image has to cover, and how few letters make a page without text.
const (
	scanArea   = 0.35
	fewLetters = 12
)

// recognize reads a page's image where the mode asks for it.
func (r *reading) recognize(s *shown) {
	if s.scan == nil || s.status == "failed" {
		return
	}
	area := s.scan.Area.Width() * s.scan.Area.Height() / (s.w * s.h)
	letters := s.letters()
	bare := letters < fewLetters && (area > scanArea || letters == 0)
	wanted := bare && r.options.Mode != ModeFast || r.options.Mode == ModeOCR && area > scanArea
	if bare && (r.options.Recognize == nil || r.options.Mode == ModeFast) {
		r.images++
		return
	}
	if !wanted || r.options.Recognize == nil {
		return
	}
	texts, err := r.readImage(s)
	if r.file.Budget.Err() != nil {
		return
	}
	if err != nil {
		if bare {
			r.images++
		}
		r.ocrErr = err
		s.status = "partial"
		r.warn("page %d: text recognition: %v", s.number, err)
		return
	}
	if len(texts) > 0 {
		s.lines, s.words, s.objects = [4][]line{}, [4][]word{}, nil
		s.texts = texts
	}
	r.letters++ // an empty scan is an answer too
}

func (s *shown) letters() int {
	n := 0
	for _, lines := range s.lines {
		for _, l := range lines {
			for _, w := range l.words {
				n += len(w.text)
			}
			if l.table != nil {
				n += fewLetters
			}
		}
	}
	return n
}

// readImage recognizes the text of the page's image.
func (r *reading) readImage(s *shown) ([]block, error) {
	image, mediaType, err := reader.ImageFile(s.scan.Object)
	if err != nil {
		return nil, err
	}
	paragraphs, err := r.options.Recognize(r.file.Budget.Context, image, mediaType)
	if err != nil {
		return nil, err
	}
	var out []block
	a := s.scan.Area
	for _, p := range paragraphs {
		text := reader.TidyText(p.Text)
		if text == "" {
			continue
		}
		box := reader.Rect{X0: a.X0 + p.Box[0]*a.Width(), Y0: a.Y0 + p.Box[1]*a.Height(), X1: a.X0 + p.Box[2]*a.Width(),
			Y1: a.Y0 + p.Box[3]*a.Height()}
		if p.Box == ([4]float64{}) {
			box = a
		}
		out = append(out, block{kind: "text", html: escape(text), text: text, box: box, lines: 9, ocr: max(p.Confidence, 0.01)})
	}
	return out, nil
}
