package reader

import (
	"bytes"
	"compress/flate"
	lzwEarly "compress/lzw"
	"encoding/ascii85"
	"errors"
	"fmt"
	"io"

	"golang.org/x/image/tiff/lzw"
)

// filter is one step of a stream's decoding. The zero parameters are the defaults of ISO 32000-1, 7.4.
type filter struct {
	name                             string
	predictor, colors, bits, columns int64
	lateChange                       bool // EarlyChange 0
	// of CCITTFaxDecode
	k, rows   int64
	blackIs1  bool
	byteAlign bool
}

// errImageFilter is a filter that only images use: what is left of the data is an image file or a part of one.
var errImageFilter = errors.New("image data")

// maxFilters bounds a stream's chain of filters.
const maxFilters = 8

// decode runs data through filters. Damaged data gives what could be decoded, at most limit bytes. It stops with
// errImageFilter before a filter that makes pixels; rest is then that filter and what follows it.
func decode(data []byte, filters []filter, limit int64) (out []byte, rest []filter, err error) {
	if len(filters) > maxFilters {
		return nil, nil, fmt.Errorf("%d filters on one stream", len(filters))
	}
	for i, f := range filters {
		switch f.name {
		case "FlateDecode", "Fl":
			data, err = predict(inflate(data, limit), f)
		case "LZWDecode", "LZW":
			data, err = predict(unLZW(data, f.lateChange, limit), f)
		case "ASCII85Decode", "A85":
			data = unASCII85(data, limit)
		case "ASCIIHexDecode", "AHx":
			data = unHex(data)
		case "RunLengthDecode", "RL":
			data = unRunLength(data, limit)
		case "Crypt":
		case "DCTDecode", "DCT", "JPXDecode", "CCITTFaxDecode", "CCF", "JBIG2Decode":
			return data, filters[i:], errImageFilter
		default:
			return nil, nil, fmt.Errorf("unknown filter %q", f.name)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return data, nil, nil
}

// inflate accepts data with a damaged or missing header, and gives what there is before damage.
func inflate(data []byte, limit int64) []byte {
	for len(data) > 0 && isSpace(data[0]) && data[0] != 0 {
		data = data[1:]
	}
	if len(data) > 2 && data[0]&0x0f == 8 && (int(data[0])<<8|int(data[1]))%31 == 0 {
		return readUpTo(flate.NewReader(bytes.NewReader(data[2:])), limit)
	}
	if len(data) > 2 {
		if out := readUpTo(flate.NewReader(bytes.NewReader(data[2:])), limit); len(out) > 0 {
			return out
		}
	}
	return readUpTo(flate.NewReader(bytes.NewReader(data)), limit)
}

func readUpTo(r io.Reader, limit int64) []byte {
	out, _ := io.ReadAll(io.LimitReader(r, limit))
	return out
}

func unLZW(data []byte, late bool, limit int64) []byte {
	if late {
		return readUpTo(lzwEarly.NewReader(bytes.NewReader(data), lzwEarly.MSB, 8), limit)
	}
	return readUpTo(lzw.NewReader(bytes.NewReader(data), lzw.MSB, 8), limit)
}

func unASCII85(data []byte, limit int64) []byte {
	data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte("<~"))
	if end := bytes.IndexByte(data, '~'); end >= 0 {
		data = data[:end]
	}
	clean := make([]byte, 0, len(data))
	for _, c := range data {
		if c >= '!' && c <= 'u' || c == 'z' {
			clean = append(clean, c)
		}
	}
	return readUpTo(ascii85.NewDecoder(bytes.NewReader(clean)), limit)
}

func unHex(data []byte) []byte {
	p := parser{buf: append([]byte{'<'}, data...)}
	s, _ := p.hex().(str)
	return []byte(s)
}

func unRunLength(data []byte, limit int64) []byte {
	var out []byte
	for i := 0; i < len(data) && int64(len(out)) < limit; {
		n := int(data[i])
		i++
		switch {
		case n == 128:
			return out
		case n < 128:
			end := min(i+n+1, len(data))
			out = append(out, data[i:end]...)
			i = end
		case i < len(data):
			out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
			i++
		}
	}
	return out
}

// predict undoes PNG and TIFF predictors (ISO 32000-1, 7.4.4.4).
func predict(data []byte, f filter) ([]byte, error) {
	if f.predictor < 2 {
		return data, nil
	}
	colors, bits, columns := orOne(f.colors, 1), orOne(f.bits, 8), orOne(f.columns, 1)
	if colors > 32 || bits > 16 || columns > 1<<24 {
		return nil, fmt.Errorf("predictor with %d colors of %d bits in %d columns", colors, bits, columns)
	}
	row, pixel := int((colors*bits*columns+7)/8), int(max(1, colors*bits/8))
	if f.predictor == 2 {
		return unTIFF(data, row, pixel, bits), nil
	}
	return unPNG(data, row, pixel), nil
}

func orOne(v, def int64) int64 {
	if v <= 0 {
		return def
	}
	return v
}

// unTIFF undoes horizontal differences of whole bytes; other depths are rare and are left as they are.
func unTIFF(data []byte, row, pixel int, bits int64) []byte {
	if bits != 8 {
		return data
	}
	for start := 0; start < len(data); start += row {
		end := min(start+row, len(data))
		for i := start + pixel; i < end; i++ {
			data[i] += data[i-pixel]
		}
	}
	return data
}

func unPNG(data []byte, row, pixel int) []byte {
	out := make([]byte, 0, len(data))
	above := make([]byte, row)
	for len(data) > 1 {
		kind, line := data[0], data[1:min(row+1, len(data))]
		data = data[len(line)+1:]
		start := len(out)
		out = append(out, line...)
		cur := out[start:]
		for i := range cur {
			cur[i] += pngGuess(kind, cur, above, i, pixel)
		}
		copy(above, cur)
	}
	return out
}

func pngGuess(kind byte, cur, above []byte, i, pixel int) byte {
	var left, corner byte
	if i >= pixel {
		left, corner = cur[i-pixel], above[i-pixel]
	}
	switch kind {
	case 1:
		return left
	case 2:
		return above[i]
	case 3:
		return byte((int(left) + int(above[i])) / 2)
	case 4:
		return paeth(left, above[i], corner)
	}
	return 0
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	pa, pb, pc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	if pa <= pb && pa <= pc {
		return a
	}
	if pb <= pc {
		return b
	}
	return c
}

func abs(n int) int { return max(n, -n) }
