package pdf

import "github.com/winnow-go/winnow/formats/document/internal/pdf/reader"

// Pages for recognition: how much of a page an image has to cover, and from when it is the whole page; how few letters make a page without
// text. A page with as many shapes may have letters among them.
const (
	scanArea   = 0.35
	wholeScan  = 0.9
	fewLetters = 12
)

// recognize reads a page's picture where the mode asks for it. A page whose text is only in its image, or in shapes, or whose glyphs can't
// be read, is noted if that gives no text.
func (r *reading) recognize(s *shown) {
	if s.status == "failed" {
		return
	}
	bare, shapes := s.bare(), s.onlyShapes()
	wanted := bare || r.options.Draw != nil && (s.unread || shapes)
	wanted = wanted && r.options.Mode != ModeFast || r.options.Mode == ModeOCR && s.covered() > scanArea
	if wanted && r.options.Recognize != nil && r.readScan(s) {
		return
	}
	switch {
	case s.unread:
		r.unread = append(r.unread, s.number)
		s.status = "partial"
	case bare:
		r.images++
	case shapes:
		r.shapes = append(r.shapes, s.number)
		s.status = "partial"
	}
}

// onlyShapes reports whether a page has shapes, and no text beside them.
func (s *shown) onlyShapes() bool { return s.shapes >= fewLetters && s.letters() < fewLetters }

// readScan puts the text of a page's picture in place of the page's own. It reports whether the picture was read; one without text was,
// too, unless the page has glyphs.
func (r *reading) readScan(s *shown) bool {
	texts, err := r.readImage(s)
	if r.file.Budget.Err() != nil {
		return true
	}
	if err != nil {
		r.ocrErr = err
		s.status = "partial"
		r.warn("page %d: text recognition: %v", s.number, err)
		return false
	}
	if len(texts) > 0 {
		s.lines, s.words, s.objects = [4][]line{}, [4][]word{}, nil
		s.texts = texts
	}
	r.letters++ // an empty scan is an answer too
	return len(texts) > 0 || !s.unread
}

// bare reports whether a page's text is only in its image.
func (s *shown) bare() bool {
	letters, covered := s.letters(), s.covered()
	if s.unread {
		return covered > scanArea
	}
	return letters < fewLetters && (covered > scanArea || letters == 0 && s.scan != nil)
}

// covered is how much of a page its image covers.
func (s *shown) covered() float64 {
	if s.scan == nil {
		return 0
	}
	return s.scan.Area.Width() * s.scan.Area.Height() / (s.w * s.h)
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

// picture is what is recognized of a page, and where on the page it is: the page as it is shown, where that can be drawn, else its
// largest image.
func (r *reading) picture(s *shown) (image []byte, mediaType string, area reader.Rect, err error) {
	if r.options.Draw == nil || s.isScan() {
		image, mediaType, err = reader.ImageFile(s.scan.Object)
		if r.options.Draw == nil || err == nil && mediaType != "image/jp2" { // which fewer programs read
			return image, mediaType, s.scan.Area, err
		}
	}
	image, mediaType, err = r.options.Draw(r.file.Budget.Context, s.number, r.doc.TotalPages)
	if err != nil && (s.bare() || s.covered() > scanArea) {
		r.warn("page %d could not be drawn: %v", s.number, err)
		image, mediaType, err = reader.ImageFile(s.scan.Object)
		return image, mediaType, s.scan.Area, err
	}
	return image, mediaType, reader.Rect{X1: s.w, Y1: s.h}, err
}

// isScan reports whether a page shows one upright image and nothing else that may be text, so that drawing it would only take time.
func (s *shown) isScan() bool {
	return s.images == 1 && s.scan.Upright && s.covered() > wholeScan && s.shapes < fewLetters && !s.unread
}

// readImage recognizes the text of the page's picture.
func (r *reading) readImage(s *shown) ([]block, error) {
	image, mediaType, a, err := r.picture(s)
	if err != nil {
		return nil, err
	}
	paragraphs, err := r.options.Recognize(r.file.Budget.Context, image, mediaType)
	if err != nil {
		return nil, err
	}
	var out []block
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
