package pictures

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/image/webp"
)

// inspect returns the media type of a picture, or why it is left out.
func inspect(body []byte) (media, why string) {
	media, size := kindOf(body)
	switch {
	case media == "":
		return "", Kind
	case media == svgType:
		return media, inspectSVG(body)
	}
	w, h := size(body)
	switch {
	case w <= 0 || h <= 0:
		return "", Damaged
	case w > maxPixels || h > maxPixels || w*h > maxPixels:
		return "", Large
	}
	return media, ""
}

// kindOf is the media type by content, "" for what browsers don't show, and what reads the size of such a picture in pixels.
func kindOf(body []byte) (media string, size func([]byte) (w, h int64)) {
	has := func(at int, magic string) bool { return len(body) >= at && bytes.HasPrefix(body[at:], []byte(magic)) }
	switch {
	case has(0, "\x89PNG\r\n\x1a\n"):
		return "image/png", pngSize
	case has(0, "\xFF\xD8\xFF"):
		return "image/jpeg", jpegSize
	case has(0, "GIF87a") || has(0, "GIF89a"):
		return "image/gif", gifSize
	case has(0, "RIFF") && has(8, "WEBP"):
		return "image/webp", webpSize
	case has(4, "ftypavif") || has(4, "ftypavis"):
		return "image/avif", avifSize
	case has(0, "BM") && len(body) > 26:
		return "image/bmp", bmpSize
	case isSVG(body):
		return svgType, nil
	}
	return "", nil
}

func pngSize(b []byte) (w, h int64) {
	const header = 24
	if len(b) < header || string(b[12:16]) != "IHDR" {
		return 0, 0
	}
	return int64(binary.BigEndian.Uint32(b[16:])), int64(binary.BigEndian.Uint32(b[20:]))
}

func gifSize(b []byte) (w, h int64) {
	const header = 10
	if len(b) < header {
		return 0, 0
	}
	return int64(binary.LittleEndian.Uint16(b[6:])), int64(binary.LittleEndian.Uint16(b[8:]))
}

// bmpSize reads both forms of the header. A negative height is that of a picture stored from the top.
func bmpSize(b []byte) (w, h int64) {
	const core = 12
	if binary.LittleEndian.Uint32(b[14:]) == core {
		return int64(binary.LittleEndian.Uint16(b[18:])), int64(binary.LittleEndian.Uint16(b[20:]))
	}
	w, h = int64(int32(binary.LittleEndian.Uint32(b[18:]))), int64(int32(binary.LittleEndian.Uint32(b[22:])))
	return w, max(h, -h)
}

func webpSize(b []byte) (w, h int64) {
	c, err := webp.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return 0, 0
	}
	return int64(c.Width), int64(c.Height)
}

// jpegSize looks for the header of the frame. The decoder of the standard library knows fewer forms of JPEG than browsers do.
func jpegSize(b []byte) (w, h int64) {
	for at := 2; at+9 <= len(b); {
		if b[at] != 0xFF || b[at+1] == 0xFF { // bytes that fill up
			at++
			continue
		}
		kind, length := b[at+1], int(binary.BigEndian.Uint16(b[at+2:]))
		switch {
		case kind == 0xDA || kind == 0xD9:
			return 0, 0
		case kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC:
			return int64(binary.BigEndian.Uint16(b[at+7:])), int64(binary.BigEndian.Uint16(b[at+5:]))
		case kind == 0x01 || kind >= 0xD0 && kind <= 0xD8: // nothing follows them
			length = 0
		}
		at += 2 + length
	}
	return 0, 0
}

// avifSize is the largest size of an image that the file's directory has.
func avifSize(b []byte) (w, h int64) {
	const directory = 64 << 10
	b = b[:min(len(b), directory)]
	for {
		i := bytes.Index(b, []byte("ispe"))
		if i < 0 || i+16 > len(b) {
			return w, h
		}
		w = max(w, int64(binary.BigEndian.Uint32(b[i+8:])))
		h = max(h, int64(binary.BigEndian.Uint32(b[i+12:])))
		b = b[i+4:]
	}
}
