package noise

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"slices"
)

// ErrTooLarge: a picture has more pixels than are compared.
var ErrTooLarge = errors.New("picture has too many pixels")

// MaxPixels bounds the pictures that are compared: a page of 1,280 pixels in width may be some 200,000 high.
const MaxPixels = 256 << 20

// PictureOptions say how pictures are compared.
type PictureOptions struct {
	// Tolerance is by how much a pixel may differ, as a share of full brightness, from 0 to 1. 0: 0.16.
	Tolerance float64
	// Ignore are boxes of the later picture in which nothing counts.
	Ignore []image.Rectangle
}

// PictureResult is how two pictures differ.
type PictureResult struct {
	// Share of the area of the larger picture that differs, from 0 to 1. What only moved is no part of it.
	Share float64
	// Boxes that differ, from the top; at most 256. When there are more, near ones are joined.
	Boxes []Box
}

// Changed reports whether something differs, or has moved by itself: rows that are higher or lower, since something above them is another,
// don't count.
func (r PictureResult) Changed() bool {
	return r.Share > 0 || slices.ContainsFunc(r.Boxes, func(b Box) bool { return b.Moved && !b.Rows })
}

// Box is a part of the later picture that differs.
type Box struct {
	image.Rectangle
	// Moved: it looks as From did in the earlier picture. Otherwise From is empty.
	Moved bool
	From  image.Rectangle
	// Rows: it has the whole width, and has moved up or down with all that is beside it.
	Rows bool

	pixels int64 // that differ
}

const (
	defaultTolerance = 40 // of 255
	cell             = 8  // pixels: what differs is noted by cells
	minInBox         = 4  // pixels that differ in a box
	joinGap          = 16 // pixels between boxes that are joined
	maxBoxes         = 256
	caretWidth       = 3 // of a text caret
	caretLow         = 13
	caretHigh        = 50
)

// Pictures compares two pictures of a page as a reader sees them. Edges that are drawn in other ways, shifts by up to a pixel and a
// blinking text caret make no difference. Rows that moved up or down are compared where they are now. Time is in proportion to the
// number of pixels; memory is a few bytes for each 64 pixels and for each row. The error is [ErrTooLarge].
func Pictures(before, after image.Image, options PictureOptions) (PictureResult, error) {
	from, to := newRaster(before), newRaster(after)
	if from.area() > MaxPixels || to.area() > MaxPixels {
		return PictureResult{}, ErrTooLarge
	}
	p := &pictures{from: from, to: to, tolerance: defaultTolerance, ignore: options.Ignore}
	if options.Tolerance > 0 {
		p.tolerance = int32(255 * min(options.Tolerance, 1))
	}
	return p.compare(), nil
}

// raster reads a picture row by row, its corner at 0, 0.
type raster struct {
	image         image.Image
	width, height int
	origin        image.Point
}

func newRaster(i image.Image) *raster {
	b := i.Bounds()
	return &raster{i, b.Dx(), b.Dy(), b.Min}
}

func (r *raster) area() int64 { return int64(r.width) * int64(r.height) }

// pixel is red, green and blue.
type pixel [3]int32

// row reads a row into a buffer. On white: what is transparent shows the page's ground.
func (r *raster) row(y int, into []pixel) {
	switch i := r.image.(type) {
	case *image.RGBA:
		for x := range into {
			o := i.PixOffset(x+r.origin.X, y+r.origin.Y)
			white := 255 - int32(i.Pix[o+3])
			into[x] = pixel{int32(i.Pix[o]) + white, int32(i.Pix[o+1]) + white, int32(i.Pix[o+2]) + white}
		}
	default:
		line := image.NewRGBA(image.Rect(0, 0, len(into), 1))
		draw.Draw(line, line.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(line, line.Bounds(), r.image, image.Pt(r.origin.X, r.origin.Y+y), draw.Over)
		(&raster{line, len(into), 1, image.Point{}}).row(0, into)
	}
}

// pictures compares two rasters.
type pictures struct {
	from, to  *raster
	tolerance int32
	ignore    []image.Rectangle
	boxes     []Box
	differing int64 // pixels
}

func (p *pictures) compare() PictureResult {
	for _, s := range p.strips() {
		p.strip(s)
	}
	p.findMoved()
	p.sort()
	largest := max(p.from.area(), p.to.area())
	if largest == 0 {
		return PictureResult{}
	}
	return PictureResult{min(1, float64(p.differing)/float64(largest)), p.boxes}
}

// differ reports two pixels that differ by more than so much.
func differ(a, b pixel, tolerance int32) bool {
	for c := range a {
		if d := a[c] - b[c]; max(d, -d) > tolerance {
			return true
		}
	}
	return false
}
