package pdf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// countUnread settles whether a page's glyphs can be read. One of which most can't is left to recognize.
func (r *reading) countUnread(s *shown, glyphs []reader.Glyph) {
	all, unknown := 0, 0
	for i := range glyphs {
		g := &glyphs[i]
		if g.Unknown || strings.ContainsFunc(g.Text, ownCharacter) {
			unknown++
		}
		if g.Unknown || !blank(g.Text) {
			all++
		}
	}
	switch {
	case unknown*2 > all:
		s.unread = true
	case unknown*5 > all:
		s.status = "partial"
		r.warn("page %d: %d of %d characters have no text in the file", s.number, unknown, all)
	}
}

// ownCharacter reports a character of private use, which means nothing outside its font.
func ownCharacter(c rune) bool { return unicode.Is(unicode.Co, c) }

// nameUnread warns of the pages whose glyphs can't be read. No number of other warnings keeps this one out.
func (r *reading) nameUnread() {
	if len(r.unread) > 0 {
		r.doc.Warnings = append(r.doc.Warnings, "the text of "+pageNames(r.unread)+
			" can't be read: the fonts don't say which characters most of their glyphs stand for")
	}
}

// nameShapes warns of the pages whose text may be in shapes.
func (r *reading) nameShapes() {
	if len(r.shapes) > 0 {
		r.doc.Warnings = append(r.doc.Warnings, pageNames(r.shapes)+": there are shapes and no text; letters that are drawn as shapes need OCR of page pictures")
	}
}

// pageNames are pages by number, in order: "page 3", "pages 2, 5 to 7".
func pageNames(numbers []int) string {
	var out []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		if end == i {
			out = append(out, strconv.Itoa(numbers[i]))
		} else {
			out = append(out, fmt.Sprintf("%d to %d", numbers[i], numbers[end]))
		}
		i = end + 1
	}
	if len(numbers) == 1 {
		return "page " + out[0]
	}
	return "pages " + strings.Join(out, ", ")
}
