package reader

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"

	"golang.org/x/image/ccitt"
)

// maxPixels bounds an image that is unpacked for recognition.
const maxPixels = 64 << 20

// ImageFile makes a file of an image of the PDF: JPEG and JPEG 2000 as they are, everything else as PNG.
func ImageFile(o object) (file []byte, mediaType string, err error) {
	w, h := o.key("Width").int(), o.key("Height").int()
	if w <= 0 || h <= 0 || w > 1<<16 || h > 1<<16 || w*h > maxPixels {
		return nil, "", fmt.Errorf("image of %d by %d pixels", w, h)
	}
	data, rest, err := o.data()
	if errors.Is(err, errImageFilter) {
		switch rest[0].name {
		case "DCTDecode", "DCT":
			return data, "image/jpeg", nil
		case "JPXDecode":
			return data, "image/jp2", nil
		case "CCITTFaxDecode", "CCF":
			return encode(fax(data, rest[0], int(w), int(h)))
		}
		return nil, "", fmt.Errorf("image in %s", rest[0].name)
	}
	if err != nil {
		return nil, "", err
	}
	img, err := pixels(o, data, int(w), int(h))
	if err != nil {
		return nil, "", err
	}
	return encode(img, nil)
}

func encode(img image.Image, err error) ([]byte, string, error) {
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, "", err
	}
	return b.Bytes(), "image/png", nil
}

// fax decodes a scan of a fax machine (ISO 32000-1, 7.4.6).
func fax(data []byte, f filter, w, h int) (image.Image, error) {
	mode := ccitt.Group3
	if f.k < 0 {
		mode = ccitt.Group4
	}
	width := int(orOne(f.columns, 1728))
	if width > 1<<16 {
		return nil, fmt.Errorf("fax of %d columns", width)
	}
	r := ccitt.NewReader(bytes.NewReader(data), ccitt.MSB, mode, width, h, &ccitt.Options{Align: f.byteAlign, Invert: f.blackIs1})
	row := (width + 7) / 8
	bits, err := io.ReadAll(io.LimitReader(r, int64(row)*int64(h)))
	if len(bits) == 0 {
		return nil, fmt.Errorf("fax: %w", err)
	}
	img := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range min(w, width) {
			i := y*row + x/8
			if i >= len(bits) || bits[i]>>(7-x%8)&1 == 0 {
				img.Pix[y*img.Stride+x] = 0
			} else {
				img.Pix[y*img.Stride+x] = 255
			}
		}
	}
	return img, nil
}

// space is what the samples of an image mean.
type space struct {
	n       int // samples per pixel
	palette []byte
	base    int // samples per entry of the palette
}

func spaceOf(o object) space {
	switch o.name() {
	case "DeviceGray", "G", "CalGray":
		return space{n: 1}
	case "DeviceRGB", "RGB", "CalRGB":
		return space{n: 3}
	case "DeviceCMYK", "CMYK":
		return space{n: 4}
	}
	switch o.index(0).name() {
	case "ICCBased":
		return space{n: int(min(4, orOne(o.index(1).key("N").int(), 3)))}
	case "CalRGB", "Lab":
		return space{n: 3}
	case "Indexed", "I":
		s := space{n: 1, base: spaceOf(o.index(1)).n}
		s.palette = []byte(o.index(3).bytes())
		if o.index(3).isStream() {
			s.palette, _, _ = o.index(3).data()
		}
		return s
	case "DeviceN":
		return space{n: min(max(1, o.index(1).len()), 32)}
	}
	return space{n: 1}
}

// pixels makes an image of samples. Colors are near enough for reading text.
func pixels(o object, data []byte, w, h int) (image.Image, error) {
	bits := int(orOne(o.key("BitsPerComponent").int(), 8))
	s := spaceOf(o.key("ColorSpace"))
	if o.key("ImageMask").v.Bool() {
		bits, s = 1, space{n: 1}
	}
	if bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16 {
		return nil, fmt.Errorf("image of %d bits", bits)
	}
	d := o.key("Decode")
	invert := d.len() >= 2 && d.index(0).number() > d.index(1).number()
	row := (w*s.n*bits + 7) / 8
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	full := float64(int(1)<<min(bits, 8) - 1)
	var v [32]byte
	for y := range h {
		if (y+1)*row > len(data) {
			break
		}
		line := data[y*row : (y+1)*row]
		for x := range w {
			for c := range s.n {
				raw := sample(line, (x*s.n+c)*bits, bits)
				if s.palette == nil {
					raw = byte(float64(raw) / full * 255)
					if invert {
						raw = 255 - raw
					}
				}
				v[c] = raw
			}
			img.SetRGBA(x, y, s.color(v[:s.n]))
		}
	}
	return img, nil
}

// sample reads one value; of 16 bits the upper eight.
func sample(line []byte, bit, bits int) byte {
	switch {
	case bits >= 8:
		return line[bit/8]
	default:
		return line[bit/8] >> (8 - bits - bit%8) & (1<<bits - 1)
	}
}

func (s space) color(v []byte) color.RGBA {
	if s.palette != nil {
		i := int(v[0]) * s.base
		if i+s.base > len(s.palette) {
			return color.RGBA{A: 255}
		}
		return space{n: s.base}.color(s.palette[i : i+s.base])
	}
	switch s.n {
	case 3:
		return color.RGBA{R: v[0], G: v[1], B: v[2], A: 255}
	case 4:
		r, g, b := color.CMYKToRGB(v[0], v[1], v[2], v[3])
		return color.RGBA{R: r, G: g, B: b, A: 255}
	}
	return color.RGBA{R: v[0], G: v[0], B: v[0], A: 255}
}
