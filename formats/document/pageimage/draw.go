package pageimage

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"

	"github.com/winnow-go/winnow/formats/document"
)

// View is what is drawn of a page. The zero value is the whole page.
type View struct {
	// DPI is how many pixels an inch has: 10 to 1200. Defaults to 150, or to fewer if the picture would have more than Options.Pixels.
	DPI int
	// Region is left, top, right, bottom as parts of the page's size, 0 to 1, from the top left, as document.Block.BBox is. Defaults to
	// the zero value, which is the whole page.
	Region [4]float64
}

const (
	defaultDPI = 150
	minDPI     = 10
	maxDPI     = 1200
)

func (v View) withDefaults() (View, error) {
	if v.DPI != 0 && (v.DPI < minDPI || v.DPI > maxDPI) {
		return v, fmt.Errorf("pageimage: DPI is %d, want %d to %d", v.DPI, minDPI, maxDPI)
	}
	if v.Region == ([4]float64{}) {
		v.Region = [4]float64{0, 0, 1, 1}
	}
	r := v.Region
	if !(0 <= r[0] && r[0] < r[2] && r[2] <= 1 && 0 <= r[1] && r[1] < r[3] && r[3] <= 1) {
		return v, fmt.Errorf("pageimage: Region is %v, want left < right and top < bottom, each 0 to 1", r)
	}
	return v, nil
}

// Draw draws a page as it is shown, on white, with its notes and filled fields. Pages count from 1. A page or a value of the view that
// is out of range is an error; a picture of more than Options.Pixels is a document.TooLargeError, a page that PDFium fails at a
// document.DamagedError. Other errors are those of Open.
func (f *File) Draw(ctx context.Context, page int, v View) (picture *image.RGBA, err error) {
	err = f.draw(ctx, page, v, defaultDPI, requests.RenderImageFormatRGBA, func(drawn image.Image) error {
		picture = onWhite(drawn.(*image.RGBA))
		return nil
	})
	if err != nil { // ctx may have ended after the picture was made
		return nil, err
	}
	return picture, nil
}

// draw calls use with a picture in PDFium's memory. One without View.DPI has those that are usual, or fewer.
func (f *File) draw(ctx context.Context, page int, v View, usual int, as requests.RenderImageFormat, use func(image.Image) error) error {
	v, err := v.withDefaults()
	if err != nil {
		return err
	}
	return f.onPage(ctx, page, func(p requests.Page) error {
		crop, dpi, err := f.frame(p, v, usual)
		if err != nil {
			return err
		}
		drawn, err := f.pdf.RenderPageInDPI(&requests.RenderPageInDPI{
			Page: p, DPI: dpi, Crop: &crop, ImageFormat: as, RenderForm: true, RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT,
		})
		if err != nil {
			return err
		}
		defer drawn.Cleanup()
		return use(drawn.Result.RenderedImage)
	})
}

// onPage calls do with a page.
func (f *File) onPage(ctx context.Context, page int, do func(requests.Page) error) error {
	if page < 1 || page > f.numPages {
		return fmt.Errorf("pageimage: page is %d, want 1 to %d", page, f.numPages)
	}
	return f.call(ctx, func() error {
		err := do(requests.Page{ByIndex: &requests.PageByIndex{Document: f.opened, Index: page - 1}})
		if err != nil {
			return fmt.Errorf("page %d: %w", page, err)
		}
		return nil
	})
}

// Size is a page's size as shown, in points (1/72 inch). Pages count from 1.
func (f *File) Size(ctx context.Context, page int) (width, height float64, err error) {
	err = f.onPage(ctx, page, func(p requests.Page) (err error) {
		width, height, err = f.size(p)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return width, height, nil
}

func (f *File) size(p requests.Page) (width, height float64, err error) {
	size, err := f.pdf.GetPageSize(&requests.GetPageSize{Page: p})
	if err != nil {
		return 0, 0, err
	}
	return size.Width, size.Height, nil
}

// Text is the text of a page by PDFium, in the order of the file, lines ended by "\r\n": a second opinion beside the text of
// package document. Pages count from 1.
func (f *File) Text(ctx context.Context, page int) (text string, err error) {
	err = f.onPage(ctx, page, func(p requests.Page) error {
		got, err := f.pdf.GetPageText(&requests.GetPageText{Page: p})
		if err == nil {
			text = got.Text
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return text, nil
}

// frame is the region of a view in points, and its resolution.
func (f *File) frame(p requests.Page, v View, usual int) (crop requests.RenderPageCrop, dpi int, err error) {
	width, height, err := f.size(p)
	if err != nil {
		return crop, 0, err
	}
	pixels := f.renderer.options.Pixels
	most := fitting(width*(v.Region[2]-v.Region[0]), height*(v.Region[3]-v.Region[1]), pixels)
	dpi = cmp.Or(v.DPI, max(minDPI, min(usual, most)))
	if dpi > most {
		return crop, 0, &document.TooLargeError{What: "pixels", Limit: int64(pixels)}
	}
	return v.crop(width, height, dpi), dpi, nil
}

// fitting is the largest DPI at which a region of a size in points has no more than so many pixels. Whole pixels are up to 2 more on
// each side.
func fitting(width, height float64, pixels int) int {
	w, h := width/72, height/72
	// (w·dpi + 2) · (h·dpi + 2) = pixels
	a, b, c := w*h, 2*(w+h), 4-float64(pixels)
	return int((math.Sqrt(b*b-4*a*c) - b) / (2 * max(a, math.SmallestNonzeroFloat32)))
}

// crop is the region in points, widened to whole pixels.
func (v View) crop(width, height float64, dpi int) requests.RenderPageCrop {
	scale := float64(dpi) / 72
	down := func(part, of float64) float64 { return math.Floor(part*of*scale + roundOff) }
	up := func(part, of float64) float64 { return math.Ceil(part*of*scale - roundOff) }
	left, top := down(v.Region[0], width), down(v.Region[1], height)
	right, bottom := max(up(v.Region[2], width), left+1), max(up(v.Region[3], height), top+1)
	return requests.RenderPageCrop{X: left / scale, Y: top / scale, Width: (right - left) / scale, Height: (bottom - top) / scale}
}

// roundOff is less of a pixel than can be seen, and more than what the arithmetic adds.
const roundOff = 1e-3

// onWhite copies a picture of PDFium's memory, whose colors are not multiplied by their opacity, on white.
func onWhite(drawn *image.RGBA) *image.RGBA {
	picture := image.NewRGBA(drawn.Rect)
	draw.Draw(picture, picture.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	straight := &image.NRGBA{Pix: drawn.Pix, Stride: drawn.Stride, Rect: drawn.Rect}
	draw.Draw(picture, picture.Rect, straight, drawn.Rect.Min, draw.Over)
	return picture
}
