package pageimage

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// lettersAsShapes is a page with a line of text whose letters are shapes, as drawing programs write it.
func lettersAsShapes(t *testing.T, text string) []byte {
	t.Helper()
	face, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	var buf sfnt.Buffer
	var c strings.Builder
	x := 72.0
	for _, r := range text {
		glyph, err := face.GlyphIndex(&buf, r)
		if err != nil {
			t.Fatal(err)
		}
		outline(t, &c, face, &buf, glyph, x)
		width, err := face.GlyphAdvance(&buf, glyph, fixed.I(size), font.HintingNone)
		if err != nil {
			t.Fatal(err)
		}
		x += float64(width) / 64
	}
	return pdftest.File("", pdftest.Page{Content: c.String()})
}

// size is that of the letters in points. Their baseline is at 700.
const size = 24

// outline writes a glyph as a path. Its curves have one point of control, those of PDF two.
func outline(t *testing.T, c *strings.Builder, face *sfnt.Font, buf *sfnt.Buffer, glyph sfnt.GlyphIndex, x float64) {
	t.Helper()
	segments, err := face.LoadGlyph(buf, glyph, fixed.I(size), nil)
	if err != nil {
		t.Fatal(err)
	}
	var from [2]float64
	for _, s := range segments {
		at := func(i int) [2]float64 { return [2]float64{x + float64(s.Args[i].X)/64, 700 - float64(s.Args[i].Y)/64} }
		to := at(0)
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			fmt.Fprintf(c, "%g %g m ", to[0], to[1])
		case sfnt.SegmentOpLineTo:
			fmt.Fprintf(c, "%g %g l ", to[0], to[1])
		case sfnt.SegmentOpQuadTo:
			by := to
			to = at(1)
			fmt.Fprintf(c, "%g %g %g %g %g %g c ", from[0]+(by[0]-from[0])*2/3, from[1]+(by[1]-from[1])*2/3, to[0]+(by[0]-to[0])*2/3,
				to[1]+(by[1]-to[1])*2/3, to[0], to[1])
		}
		from = to
	}
	c.WriteString("f\n")
}

// inkOCR plays text recognition, and keeps the picture.
type inkOCR struct{ image []byte }

func (o *inkOCR) Recognize(_ context.Context, img document.Image) (document.Recognized, error) {
	o.image = img.Body
	return document.Recognized{Paragraphs: []document.Paragraph{{Text: "ink", BBox: [4]float64{0.1, 0.1, 0.2, 0.2}}}}, nil
}

func TestPagePictures_recognitionGetsThePage(t *testing.T) {
	ocr := &inkOCR{}
	in := document.Input{Body: lettersAsShapes(t, "The harbour")}
	res, err := document.Convert(t.Context(), in, document.Options{OCR: ocr, PagePictures: sharedRenderer(t), Blocks: true})
	if err != nil || len(res.Pages[0].Blocks) != 1 || res.Pages[0].Blocks[0].Text != "ink" || len(res.Warnings) > 0 {
		t.Fatalf("got %+v, %v", res, err)
	}
	decoded, err := png.Decode(bytes.NewReader(ocr.image))
	if err != nil {
		t.Fatal(err)
	}
	picture, ok := decoded.(*image.Gray)
	if !ok || picture.Rect.Max != image.Pt(612*300/72, 792*300/72) {
		t.Fatalf("got %T, %v", decoded, decoded.Bounds())
	}
	ink := func(top, bottom int) int { // between two heights in points from the top: how many pixels are not white
		part := picture.Pix[top*300/72*picture.Stride : bottom*300/72*picture.Stride]
		return len(part) - bytes.Count(part, []byte{0xFF})
	}
	if line, above, below := ink(70, 95), ink(0, 70), ink(95, 792); line < 5000 || above > 0 || below > 0 {
		t.Errorf("pixels: %d where the letters are, %d above, %d below", line, above, below)
	}
}

func TestPagePictures_ofAFileThatIsNone(t *testing.T) {
	r := sharedRenderer(t)
	if _, err := r.OpenPages(t.Context(), document.Input{Body: []byte("no PDF")}); err == nil {
		t.Error("opened")
	}
	pages, err := r.OpenPages(t.Context(), document.Input{Body: boxes()})
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	if _, err := pages.DrawPage(t.Context(), 2); err == nil || pages.NumPages() != 1 {
		t.Errorf("page 2 of %d: %v", pages.NumPages(), err)
	}
}

// With tesseract installed, letters that are shapes are read.
func TestPagePictures_areRead(t *testing.T) {
	ocr := document.FindTesseract()
	if ocr == nil && os.Getenv("WINNOW_REQUIRE_TOOLS") != "" {
		t.Fatal("tesseract is not installed")
	}
	if ocr == nil {
		t.Skip("tesseract is not installed: only a stand-in for it got the pages, by the tests above")
	}
	in := document.Input{Body: lettersAsShapes(t, "The harbour at low water")}
	res, err := document.Convert(t.Context(), in, document.Options{OCR: ocr, PagePictures: sharedRenderer(t), Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, b := range res.Pages[0].Blocks {
		words = append(words, strings.Fields(b.Text)...)
	}
	if !slices.Equal(words, strings.Fields("The harbour at low water")) {
		t.Errorf("got %q", words)
	}
}
