package enginetest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
)

// decode reads a PNG as pixels that can be compared.
func decode(data []byte) (*image.RGBA, error) {
	drawn, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	pixels := image.NewRGBA(image.Rectangle{Max: drawn.Bounds().Size()})
	draw.Draw(pixels, pixels.Bounds(), drawn, drawn.Bounds().Min, draw.Src)
	return pixels, nil
}

func encode(pixels *image.RGBA) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, pixels); err != nil {
		panic(err) // a buffer takes all, and no picture is empty or that large
	}
	return b.Bytes()
}

// readPicture reads a golden picture; nil where there is none.
func readPicture(file string) (*image.RGBA, error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	pixels, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return pixels, nil
}

// maskColor is that of masked parts.
var maskColor = color.RGBA{R: 255, B: 255, A: 255}

// difference is where two pictures differ.
type difference struct {
	pixels, all int
	within      image.Rectangle // what differs lies there
	sizes       string          // of pictures whose sizes differ; ""
}

// share of the pixels that differ.
func (d difference) share() float64 { return float64(d.pixels) / float64(max(1, d.all)) }

func (d difference) String() string {
	if d.sizes != "" {
		return d.sizes
	}
	return fmt.Sprintf("%d of %d pixels (%.4f %%) differ, within %v", d.pixels, d.all, 100*d.share(), d.within)
}

// compare counts the pixels of which a channel differs by more than threshold. Of pictures of two sizes all differ.
func compare(want, got *image.RGBA, threshold int) (d difference) {
	size := got.Bounds().Size()
	d.all = size.X * size.Y
	if want.Bounds() != got.Bounds() {
		d.pixels, d.within = d.all, got.Bounds()
		d.sizes = fmt.Sprintf("its size is %v, in place of %v", size, want.Bounds().Size())
		return d
	}
	if bytes.Equal(want.Pix, got.Pix) {
		return d
	}
	for y := range size.Y {
		row := y * got.Stride
		if bytes.Equal(want.Pix[row:row+got.Stride], got.Pix[row:row+got.Stride]) {
			continue // as most rows are
		}
		for x := range size.X {
			if i := row + 4*x; far(want.Pix[i:i+4], got.Pix[i:i+4], threshold) {
				d.pixels, d.within = d.pixels+1, d.within.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return d
}

func far(a, b []byte, threshold int) bool {
	for c := range 4 {
		if d := int(a[c]) - int(b[c]); d > threshold || -d > threshold {
			return true
		}
	}
	return false
}

// differing draws what differs in red on a pale copy of the new picture.
func differing(want, got *image.RGBA, threshold int) *image.RGBA {
	drawn := image.NewRGBA(want.Bounds().Union(got.Bounds()))
	draw.Draw(drawn, drawn.Bounds(), image.NewUniform(color.RGBA{R: 255, A: 255}), image.Point{}, draw.Src)
	both := want.Bounds().Intersect(got.Bounds())
	for y := range both.Max.Y {
		for x := range both.Max.X {
			new := got.RGBAAt(x, y)
			if i := want.PixOffset(x, y); !far(want.Pix[i:i+4], []byte{new.R, new.G, new.B, new.A}, threshold) {
				pale := func(c uint8) uint8 { return 192 + c/4 }
				drawn.SetRGBA(x, y, color.RGBA{pale(new.R), pale(new.G), pale(new.B), 255})
			}
		}
	}
	return drawn
}
