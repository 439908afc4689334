package pdf

import (
	"fmt"
	"math"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
	"github.com/winnow-go/winnow/formats/document/internal/pictures"
)

// Pictures that are content: what is smaller is a sign or a bullet, what is nearly as large as the page is the page's own scan or
// background, and what is at one place of most pages, such as a logo, belongs to the page and not to its text.
const (
	pictureSide = 16.0 // points, of the shorter side
	fewPages    = 2    // on so many nothing repeats
	repeatedOn  = 0.5
)

// placed is a picture as pages repeat it.
type placed struct {
	stored [3]int64
	at     [4]int // in points
}

func placedAt(p *reader.Picture) placed {
	whole := func(v float64) int { return int(math.Round(v)) }
	return placed{p.Stored, [4]int{whole(p.Area.X0), whole(p.Area.Y0), whole(p.Area.X1), whole(p.Area.Y1)}}
}

// shows reports whether a picture of the page may be content.
func (s *shown) shows(p *reader.Picture) bool {
	visible := s.visible(p)
	return !visible.Empty() && min(visible.Width(), visible.Height()) >= pictureSide && !p.Artifact && !p.IsMask() &&
		visible.Width()*visible.Height() <= wholeScan*s.w*s.h
}

// visible is the part of a picture that is on the page.
func (s *shown) visible(p *reader.Picture) reader.Rect {
	return reader.Rect{X0: max(p.Area.X0, 0), Y0: max(p.Area.Y0, 0), X1: min(p.Area.X1, s.w), Y1: min(p.Area.Y1, s.h)}
}

// keepPictures puts the addresses of pictures into their blocks, and takes blocks out that show nothing else. It ends with the time for
// looking at pages.
func (r *reading) keepPictures() {
	if !r.options.Pictures.Wanted() {
		return
	}
	pages := map[placed]int{}
	for i := range r.found {
		for at := range r.placesOn(i) {
			pages[at]++
		}
	}
	for i := range r.found {
		p := &r.found[i]
		kept := p.blocks[:0]
		for _, b := range p.blocks {
			if b.picture != nil && !r.repeated(pages[placedAt(b.picture)]) {
				b.src = r.keepPicture(b.picture, p.page.Number)
			}
			if b.picture == nil || b.src != "" || b.text != "" {
				kept = append(kept, b)
			}
		}
		p.blocks = kept
	}
}

// placesOn are the pictures of a page, each once.
func (r *reading) placesOn(page int) map[placed]bool {
	on := map[placed]bool{}
	for _, b := range r.found[page].blocks {
		if b.picture != nil {
			on[placedAt(b.picture)] = true
		}
	}
	return on
}

func (r *reading) repeated(pages int) bool {
	return pages > fewPages && float64(pages) > repeatedOn*float64(len(r.found))
}

// keepPicture stores a picture and returns its address, "" where it is left out.
func (r *reading) keepPicture(p *reader.Picture, page int) (address string) {
	set, name := r.options.Pictures, fmt.Sprintf("one of page %d", page)
	if r.file.Budget.Err() != nil {
		set.Leave(pictures.Late, name)
		return ""
	}
	defer func() {
		if v := recover(); v != nil {
			address = ""
			if _, stopped := v.(reader.Stopped); stopped {
				set.Leave(pictures.Late, name)
			} else {
				set.Leave(pictures.Damaged, name)
			}
		}
	}()
	file, _, err := reader.ImageFile(p.Object)
	if err != nil {
		set.Leave(pictures.Kind, name)
		return ""
	}
	return set.Add(name, file)
}

// pictures keeps images with alternative text as lines, and where pictures are wanted those that may be content; and the one that fills a
// page without text.
func (s *shown) pictures(sheet *reader.Sheet, t *reader.Tags, wanted bool) {
	var largest float64
	for i := range sheet.Pictures {
		p := &sheet.Pictures[i]
		if alt := t.Alts[reader.MarkedPlace{Page: s.leaf.Ref, Mark: p.Mark}]; alt != "" && p.Mark >= 0 {
			p.Alt = alt
			delete(t.Alts, reader.MarkedPlace{Page: s.leaf.Ref, Mark: p.Mark}) // a figure of several images is one
		}
		if (p.Alt != "" || wanted && s.shows(p)) && s.main == 0 && len(s.objects) < 100_000 {
			p.Measure()
			s.objects = append(s.objects, line{image: p, box: p.Area, base: p.Area.Y1, size: 10})
		}
		visible := s.visible(p)
		if visible.Empty() {
			continue
		}
		s.images++
		if area := visible.Width() * visible.Height(); area > largest {
			largest, s.scan = area, p
		}
	}
}
