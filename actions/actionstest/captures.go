package actionstest

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"regexp"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

func browserCaptures(t *testing.T, newPage NewPage) {
	t.Run("the whole page", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(tall))
		data, mediaType, err := page.Screenshot(ctx, actions.ScreenshotOptions{FullPage: true})
		must(t, err)
		wantPicture(t, data, mediaType, "image/png", image.Pt(1280, 3000))
	})
	t.Run("what the page shows", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(`<style>body{background:#f00}</style>`))
		data, _, err := page.Screenshot(ctx, actions.ScreenshotOptions{})
		must(t, err)
		picture, _, err := image.Decode(bytes.NewReader(data))
		must(t, err)
		if r, g, b, _ := picture.At(640, 400).RGBA(); r>>8 != 255 || g != 0 || b != 0 {
			t.Errorf("got a pixel of %d %d %d, want pure red", r>>8, g>>8, b>>8)
		}
	})
	t.Run("quality counts", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(tall))
		rough, _, err := page.Screenshot(ctx, actions.ScreenshotOptions{Quality: 1})
		must(t, err)
		fine, _, err := page.Screenshot(ctx, actions.ScreenshotOptions{Quality: 100})
		must(t, err)
		if len(rough) >= len(fine) {
			t.Errorf("got %d bytes at quality 1 and %d at 100, want fewer at 1", len(rough), len(fine))
		}
	})
	t.Run("another viewport is laid out, and gone afterwards", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(`<style>body{height:50vh}</style><script>const widths = []; addEventListener("resize", () => widths.push(innerWidth))</script>`))
		_, _, err := page.Screenshot(ctx, actions.ScreenshotOptions{Viewport: actions.Viewport{Width: 500, Height: 400}})
		must(t, err)
		wantValue(t, ctx, page, `widths.includes(500) + " " + innerWidth + " " + innerHeight`, `"true 1280 800"`)
	})
	browserPDFs(t, newPage)
}

func browserPDFs(t *testing.T, newPage NewPage) {
	ctx, page := limit(t), newPage(t, document(tall))
	for _, test := range []struct {
		options       actions.PDFOptions
		width, height float64 // in points, 1/72 inch
	}{
		{actions.PDFOptions{}, 612, 792},
		{actions.PDFOptions{Landscape: true}, 792, 612},
		{actions.PDFOptions{Format: "Legal"}, 612, 1008},
		{actions.PDFOptions{Format: "Tabloid"}, 792, 1224},
		{actions.PDFOptions{Format: "Ledger"}, 1224, 792},
		{actions.PDFOptions{Format: "A0"}, 2384, 3370},
		{actions.PDFOptions{Format: "A4"}, 595, 842},
		{actions.PDFOptions{Format: "A4", Landscape: true}, 842, 595},
		{actions.PDFOptions{Format: "A6"}, 298, 420},
		{actions.PDFOptions{Scale: 0.1}, 612, 792},
		{actions.PDFOptions{Scale: 2}, 612, 792},
	} {
		t.Run(fmt.Sprintf("pdf %+v", test.options), func(t *testing.T) {
			data, err := page.PDF(ctx, test.options)
			must(t, err)
			width, height := paper(t, data)
			if math.Abs(width-test.width) > 3 || math.Abs(height-test.height) > 3 {
				t.Errorf("got paper of %v by %v points, want %v by %v", width, height, test.width, test.height)
			}
		})
	}
	t.Run("a pdf's scale makes the content larger", func(t *testing.T) {
		half, err := page.PDF(ctx, actions.PDFOptions{Scale: 0.5})
		must(t, err)
		twice, err := page.PDF(ctx, actions.PDFOptions{Scale: 2})
		must(t, err)
		if a, b := sheets(half), sheets(twice); a >= b {
			t.Errorf("got %d sheets at half and %d at twice the size, want more at twice", a, b)
		}
	})
}

// paper is the size of the first sheet, in points.
func paper(t *testing.T, pdf []byte) (width, height float64) {
	t.Helper()
	box := regexp.MustCompile(`/MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+) ?\]`).FindSubmatch(pdf)
	if box == nil {
		t.Fatal("the pdf has no paper size")
	}
	if _, err := fmt.Sscan(string(box[1])+" "+string(box[2]), &width, &height); err != nil {
		t.Fatalf("paper size in %q: %v", box[0], err)
	}
	return width, height
}

func sheets(pdf []byte) int {
	return len(regexp.MustCompile(`/Type ?/Page\b[^s]`).FindAll(pdf, -1))
}
