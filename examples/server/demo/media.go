package demo

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
)

// draw makes a PNG: rings of a hue on a pale ground, as many as kind requires.
func draw(width, height int, hue color.RGBA, kind int) []byte {
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.RGBA{0xf6, 0xf1, 0xe7, 0xff}, hue, blend(hue)})
	for y := range height {
		for x := range width {
			away := math.Hypot(float64(x-width/2), float64(y-height/2)) / float64(min(width, height))
			if away < 0.42 {
				img.SetColorIndex(x, y, uint8(1+int(away*float64(4+2*kind))%2))
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // its size is right, and memory doesn't fail
	}
	return b.Bytes()
}

// blend is halfway to white.
func blend(c color.RGBA) color.RGBA {
	return color.RGBA{c.R/2 + 0x80, c.G/2 + 0x80, c.B/2 + 0x80, 0xff}
}

// tune makes a WAV file: notes of a quarter of a second, in hertz, 8 bits a sample.
func tune(notes ...float64) []byte {
	const rate, each = 8000, 2000
	var samples []byte
	for _, hertz := range notes {
		for i := range each {
			loud := 90 * math.Exp(-3*float64(i)/each)
			samples = append(samples, byte(128+loud*math.Sin(2*math.Pi*hertz*float64(i)/rate)))
		}
	}
	var b bytes.Buffer
	for _, part := range []any{
		[]byte("RIFF"), uint32(36 + len(samples)), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8),
		[]byte("data"), uint32(len(samples)), samples,
	} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			panic(err) // all parts have a size
		}
	}
	return b.Bytes()
}
