package noise

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// drawn is a picture of lines of text, 20 pixels each.
func drawn(width int, lines ...string) *image.RGBA {
	i := image.NewRGBA(image.Rect(0, 0, width, 20*len(lines)))
	draw.Draw(i, i.Bounds(), image.White, image.Point{}, draw.Src)
	for n, line := range lines {
		d := font.Drawer{Dst: i, Src: image.Black, Face: basicfont.Face7x13, Dot: fixed.P(10, 20*n+15)}
		d.DrawString(line)
	}
	return i
}

// halfPixel is a picture that is shifted to the right by half a pixel.
func halfPixel(from *image.RGBA) *image.RGBA {
	to := image.NewRGBA(from.Bounds())
	for y := range from.Bounds().Dy() {
		for x := range from.Bounds().Dx() {
			a, b := from.RGBAAt(max(x-1, 0), y), from.RGBAAt(x, y)
			to.SetRGBA(x, y, color.RGBA{uint8((int(a.R) + int(b.R)) / 2), uint8((int(a.G) + int(b.G)) / 2), uint8((int(a.B) + int(b.B)) / 2), 255})
		}
	}
	return to
}

func filled(from *image.RGBA, box image.Rectangle, c color.Color) *image.RGBA {
	to := image.NewRGBA(from.Bounds())
	copy(to.Pix, from.Pix)
	draw.Draw(to, box, image.NewUniform(c), image.Point{}, draw.Src)
	return to
}

var someLines = []string{"The harbour opens early.", "Price: 12.99 EUR", "Call 555-1234 for more.", "Nothing else to see here,", "move on, and on."}

func compared(t *testing.T, before, after image.Image) PictureResult {
	t.Helper()
	r, err := Pictures(before, after, PictureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPictures_whatReadersDoNotSeeIsNoDifference(t *testing.T) {
	page := drawn(300, someLines...)
	for name, after := range map[string]image.Image{
		"same":          drawn(300, someLines...),
		"half a pixel":  halfPixel(page),
		"a caret":       filled(page, image.Rect(250, 24, 251, 38), color.Black),
		"slightly grey": filled(page, image.Rect(0, 80, 20, 85), color.Gray{240}),
	} {
		if r := compared(t, page, after); r.Changed() || len(r.Boxes) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Text of usual sizes, as browsers draw it, at any part of a pixel: a digit that is another is a change, and a shift is none.
func TestPictures_digitsAtPartsOfAPixel(t *testing.T) {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	sizes := []float64{13, 16}
	if raced { // one goroutine is at work
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			t.Fatal(err)
		}
		price := func(digit rune, shift fixed.Int26_6) image.Image {
			i := filled(image.NewRGBA(image.Rect(0, 0, 160, 30)), image.Rect(0, 0, 160, 30), color.White)
			d := font.Drawer{Dst: i, Src: image.Black, Face: face, Dot: fixed.P(10, 20).Add(fixed.Point26_6{X: shift, Y: shift / 2})}
			d.DrawString("Price: 1" + string(digit) + ".99 EUR")
			return i
		}
		for a := '0'; a <= '9'; a++ {
			for b := '0'; b <= '9'; b++ {
				if r := compared(t, price(a, 0), price(b, 0)); r.Changed() != (a != b) {
					t.Errorf("%.0f pixels: %c and %c: %+v", size, a, b, r)
				}
			}
			for shift := fixed.Int26_6(0); shift < 64; shift += 3 {
				if r := compared(t, price(a, 0), price(a, shift)); r.Changed() {
					t.Errorf("%.0f pixels: %c, %d 64ths of a pixel: %+v", size, a, shift, r)
				}
			}
		}
	}
}

func TestPictures_aChangeIsInABox(t *testing.T) {
	page := drawn(300, someLines...)
	for name, c := range map[string]struct {
		after image.Image
		where image.Point
	}{
		"a digit":     {drawn(300, someLines[0], "Price: 13.99 EUR", someLines[2], someLines[3], someLines[4]), image.Pt(70, 30)},
		"a dot":       {drawn(300, someLines[0], someLines[1], "Call 555-1234 for more!", someLines[3], someLines[4]), image.Pt(168, 50)},
		"a red box":   {filled(page, image.Rect(200, 60, 240, 70), color.RGBA{255, 0, 0, 255}), image.Pt(210, 65)},
		"a thin line": {filled(page, image.Rect(0, 99, 300, 100), color.Black), image.Pt(10, 99)},
	} {
		r := compared(t, page, c.after)
		if !r.Changed() || len(r.Boxes) != 1 || !c.where.In(r.Boxes[0].Inset(-3)) || r.Share > 0.05 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestPictures_rowsThatMovedAreComparedWhereTheyAre(t *testing.T) {
	before := drawn(300, someLines...)
	after := drawn(300, append([]string{"An added line of text"}, someLines...)...)
	r := compared(t, before, after)
	if r.Share > 0.2 || !r.Changed() {
		t.Fatalf("share %f", r.Share)
	}
	moved := 0
	for _, b := range r.Boxes {
		if b.Moved && b.From.Min.Y+20 == b.Min.Y {
			moved += b.Dy()
		} else if b.Min.Y > 22 {
			t.Errorf("below the line that was added: %+v", b)
		}
	}
	if moved < 60 {
		t.Errorf("moved rows: %d: %+v", moved, r.Boxes)
	}
}

func TestPictures_aBoxThatMovedIsFound(t *testing.T) {
	page := drawn(400, someLines...)
	red := color.RGBA{200, 30, 30, 255}
	r := compared(t, filled(page, image.Rect(200, 10, 230, 40), red), filled(page, image.Rect(300, 10, 330, 40), red))
	found := false
	for _, b := range r.Boxes {
		found = found || b.Moved && image.Rect(300, 10, 330, 40).In(b.Rectangle) && image.Rect(200, 10, 230, 40).In(b.From) && b.Dx() < 36
	}
	if !found || len(r.Boxes) != 1 || r.Share != 0 || !r.Changed() {
		t.Errorf("%+v", r.Boxes)
	}
}

func TestPictures_otherSizesAndIgnoredBoxes(t *testing.T) {
	page := drawn(300, someLines...)
	if r := compared(t, page, drawn(320, someLines...)); !r.Changed() {
		t.Error("a wider picture is no change")
	}
	if r := compared(t, page, image.NewRGBA(image.Rectangle{})); !r.Changed() {
		t.Error("an empty picture is no change")
	}
	if r := compared(t, image.NewRGBA(image.Rectangle{}), image.NewRGBA(image.Rectangle{})); r.Changed() {
		t.Error("two empty pictures differ")
	}
	other := filled(page, image.Rect(200, 60, 240, 70), color.Black)
	r, err := Pictures(page, other, PictureOptions{Ignore: []image.Rectangle{image.Rect(190, 50, 260, 80)}})
	if err != nil || r.Changed() {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := Pictures(page, &image.Uniform{C: color.White}, PictureOptions{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

// sub-images, and other kinds of pictures, are read as they look.
func TestPictures_kindsOfPicturesMakeNoDifference(t *testing.T) {
	page := drawn(300, someLines...)
	other := image.NewNRGBA(image.Rect(5, 7, 305, 107))
	draw.Draw(other, other.Bounds(), page, image.Point{}, draw.Src)
	if r := compared(t, page, other); r.Changed() {
		t.Errorf("%+v", r)
	}
}

func TestPictures_tallPagesTakeLittleMemory(t *testing.T) {
	lines := strings.Split(strings.Repeat("one\ntwo\nthree\n", 100), "\n")
	before := drawn(200, lines...)
	lines[150] = "changed"
	after := drawn(200, lines...)
	allocated := testing.AllocsPerRun(1, func() { compared(t, before, after) })
	if rows := float64(before.Bounds().Dy()); allocated > 10*rows {
		t.Errorf("%.0f allocations for %.0f rows", allocated, rows)
	}
	if r := compared(t, before, after); len(r.Boxes) != 1 || r.Boxes[0].Min.Y/20 != 150 {
		t.Errorf("%+v", r.Boxes)
	}
}
