package pageimage

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

var (
	red   = color.RGBA{R: 255, A: 255}
	black = color.RGBA{A: 255}
	white = color.RGBA{R: 255, G: 255, B: 255, A: 255}
)

// boxes is a page with a red box at the top left and a black one at the bottom right, of an inch each, half an inch from the edges.
func boxes() []byte {
	return pdftest.File("", pdftest.Page{Content: "1 0 0 rg 36 684 72 72 re f 0 g 504 36 72 72 re f"})
}

func TestDraw_thePageAsShown(t *testing.T) {
	f := open(t, sharedRenderer(t), boxes())
	picture, err := f.Draw(t.Context(), 1, View{DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	if picture.Rect != image.Rect(0, 0, 612, 792) {
		t.Errorf("got %v", picture.Rect)
	}
	for at, want := range map[image.Point]color.RGBA{{40, 40}: red, {104, 104}: red, {112, 40}: white, {508, 688}: black, {5, 5}: white, {300, 400}: white} {
		if got := picture.RGBAAt(at.X, at.Y); got != want {
			t.Errorf("%v: got %v, want %v", at, got, want)
		}
	}
}

func TestDraw_turnedPagesStandUpright(t *testing.T) {
	body := bytes.Replace(boxes(), []byte("/Type/Page/Parent"), []byte("/Type/Page/Rotate 90/Parent"), 1) // offsets are repaired
	f := open(t, sharedRenderer(t), body)
	picture, err := f.Draw(t.Context(), 1, View{DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	if picture.Rect != image.Rect(0, 0, 792, 612) || picture.RGBAAt(792-40, 40) != red || picture.RGBAAt(40, 612-40) != black {
		t.Errorf("got %v, %v, %v", picture.Rect, picture.RGBAAt(792-40, 40), picture.RGBAAt(40, 612-40))
	}
}

func TestDraw_whatIsTransparentIsOnWhite(t *testing.T) {
	m := &pdftest.Maker{}
	root, tree := m.Reserve(), m.Reserve()
	content := m.Stream("", "/Half gs 0 g 0 0 50 100 re f")
	page := m.Add("<</Type/Page/Parent %d 0 R/MediaBox[0 0 100 100]/Contents %d 0 R/Group<</S/Transparency/CS/DeviceRGB>>"+
		"/Resources<</ExtGState<</Half<</ca .5>>>>>>>>", tree, content)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", page)
	m.Set(root, "<</Type/Catalog/Pages %d 0 R>>", tree)
	picture, err := open(t, sharedRenderer(t), m.File(root, "")).Draw(t.Context(), 1, View{DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	if half := picture.RGBAAt(20, 50); half.R < 126 || half.R > 129 || half.A != 255 || picture.RGBAAt(80, 50) != white {
		t.Errorf("got %v and %v", half, picture.RGBAAt(80, 50))
	}
}

// A field's text is drawn by its appearance, which is no part of the page's content.
func TestDraw_fieldsAreFilled(t *testing.T) {
	m := &pdftest.Maker{}
	root, tree := m.Reserve(), m.Reserve()
	look := m.Stream("/Type/XObject/Subtype/Form/BBox[0 0 50 50]", "0 0 1 rg 0 0 50 50 re f")
	page := m.Reserve()
	field := m.Add("<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(x)/F 4/P %d 0 R/Rect[25 25 75 75]/AP<</N %d 0 R>>>>", page, look)
	m.Set(page, "<</Type/Page/Parent %d 0 R/MediaBox[0 0 100 100]/Annots[%d 0 R]>>", tree, field)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", page)
	m.Set(root, "<</Type/Catalog/Pages %d 0 R/AcroForm<</Fields[%d 0 R]>>>>", tree, field)
	picture, err := open(t, sharedRenderer(t), m.File(root, "")).Draw(t.Context(), 1, View{DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	if got := picture.RGBAAt(50, 50); got != (color.RGBA{B: 255, A: 255}) || picture.RGBAAt(10, 10) != white {
		t.Errorf("got %v", got)
	}
}

func TestDraw_aRegionIsThatPartOfThePage(t *testing.T) {
	body := pdftest.File("", pdftest.Page{Content: "1 0 0 rg 36 684 72 72 re f " + pdftest.TextAt("F1", 20, 60, 650, "The harbour at low water")})
	f := open(t, sharedRenderer(t), body)
	whole, err := f.Draw(t.Context(), 1, View{DPI: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range [][4]float64{{0, 0, 1, 1}, {0.05, 0.04, 0.5, 0.25}, {0.0333, 0.0777, 0.0334, 0.2222}, {0.9, 0.9, 1, 1}, {0, 0.15, 0.6, 0.21}} {
		part, err := f.Draw(t.Context(), 1, View{DPI: 100, Region: r})
		if err != nil {
			t.Fatal(err)
		}
		w, h := float64(whole.Rect.Dx()), float64(whole.Rect.Dy())
		left, top := int(r[0]*w), int(r[1]*h)
		if want := image.Pt(int(math.Ceil(r[2]*w))-left, int(math.Ceil(r[3]*h))-top); part.Rect.Max != want {
			t.Errorf("%v: got %v, want %v", r, part.Rect.Max, want)
		}
		for y := range part.Rect.Dy() {
			want := whole.Pix[whole.PixOffset(left, top+y):][:part.Stride]
			if !bytes.Equal(part.Pix[y*part.Stride:][:part.Stride], want) {
				t.Errorf("%v: row %d is another", r, y)
				break
			}
		}
	}
}

// A block's box, as package document has it, holds the block's letters and nothing of other blocks.
func TestDraw_theRegionOfABlock(t *testing.T) {
	content := pdftest.TextAt("F1", 12, 72, 700, "The harbour at low water") + "1 0 0 rg " + pdftest.TextAt("F1", 12, 72, 500, "is quiet in the morning")
	body := pdftest.File("", pdftest.Page{Content: content})
	read, err := document.Convert(t.Context(), document.Input{Body: body}, document.Options{Blocks: true})
	if err != nil || len(read.Pages[0].Blocks) != 2 {
		t.Fatalf("got %+v, %v", read, err)
	}
	f := open(t, sharedRenderer(t), body)
	for i, block := range read.Pages[0].Blocks {
		picture, err := f.Draw(t.Context(), 1, View{Region: block.BBox})
		if err != nil {
			t.Fatal(err)
		}
		blacks, reds := count(picture, black), count(picture, red)
		if own, other := [2]int{blacks, reds}[i], [2]int{reds, blacks}[i]; own == 0 || other > 0 {
			t.Errorf("%q: %d pixels of its own color, %d of the other", block.Text, own, other)
		}
	}
}

func count(picture *image.RGBA, c color.RGBA) (n int) {
	for i := 0; i < len(picture.Pix); i += 4 {
		if [4]byte(picture.Pix[i:]) == [4]byte{c.R, c.G, c.B, c.A} {
			n++
		}
	}
	return n
}

func TestDraw_valuesOutOfRangeAreNamed(t *testing.T) {
	f := open(t, sharedRenderer(t), boxes())
	for want, v := range map[string]View{
		"DPI is 9, want 10 to 1200":                                              {DPI: 9},
		"DPI is 1201, want 10 to 1200":                                           {DPI: 1201},
		"Region is [0.5 0 0.5 1], want left < right and top < bottom":            {Region: [4]float64{0.5, 0, 0.5, 1}},
		"Region is [0 -0.1 1 1]":                                                 {Region: [4]float64{0, -0.1, 1, 1}},
		"Region is [0 0 1 1.1]":                                                  {Region: [4]float64{0, 0, 1, 1.1}},
		"Region is [NaN 0 1 1], want left < right and top < bottom, each 0 to 1": {Region: [4]float64{math.NaN(), 0, 1, 1}},
	} {
		if _, err := f.Draw(t.Context(), 1, v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, page := range []int{-1, 0, 2} {
		if _, err := f.Draw(t.Context(), page, View{}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("page is %d, want 1 to 1", page)) {
			t.Errorf("page %d: got %v", page, err)
		}
	}
}

func TestDraw_picturesAreBounded(t *testing.T) {
	r := bounded(t, Options{Pixels: 100_000, AtOnce: 2})
	f := open(t, r, boxes())
	picture, err := f.Draw(t.Context(), 1, View{})
	if err != nil {
		t.Fatal(err)
	}
	if n := picture.Rect.Dx() * picture.Rect.Dy(); n > 100_000 || n < 80_000 {
		t.Errorf("without a DPI: %d pixels", n)
	}
	_, err = f.Draw(t.Context(), 1, View{DPI: 72})
	if large, ok := errors.AsType[*document.TooLargeError](err); !ok || large.What != "pixels" || large.Limit != 100_000 {
		t.Errorf("got %v", err)
	}
	if f.pdf == nil {
		t.Error("the instance was given up for a picture that was only refused")
	}
	if _, err := f.Draw(t.Context(), 1, View{DPI: 144, Region: [4]float64{0, 0, 0.2, 0.2}}); err != nil {
		t.Errorf("a part: got %v", err)
	}
	for _, box := range []string{"0 0 14400 14400", "0 0 1e9 1e9", "0 0 0 0", "0 0 0.0001 792", "0 0 1e38 1e38", "5 5 -5 -5"} {
		body := bytes.Replace(boxes(), []byte("0 0 612 792"), []byte(box), 1)
		f := open(t, r, body)
		picture, err := f.Draw(t.Context(), 1, View{})
		f.Close()
		if _, large := errors.AsType[*document.TooLargeError](err); err != nil && !large {
			t.Errorf("%s: got %v", box, err)
		}
		if err == nil && picture.Rect.Dx()*picture.Rect.Dy() > 100_000 {
			t.Errorf("%s: got %v", box, picture.Rect)
		}
	}
}

func TestSizeAndText(t *testing.T) {
	f := open(t, sharedRenderer(t), pdftest.Text("The harbour at low water", "is quiet in the morning"))
	w, h, err := f.Size(t.Context(), 1)
	if err != nil || w != 612 || h != 792 {
		t.Errorf("got %v by %v, %v", w, h, err)
	}
	text, err := f.Text(t.Context(), 1)
	if err != nil || text != "The harbour at low water\r\nis quiet in the morning" {
		t.Errorf("got %q, %v", text, err)
	}
}
