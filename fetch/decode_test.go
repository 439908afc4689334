package fetch

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func TestContentCodings(t *testing.T) {
	for header, want := range map[string][]string{
		"":                   nil,
		"identity":           nil,
		"gzip":               {"gzip"},
		"x-gzip":             {"gzip"},
		"GZIP , br":          {"gzip", "br"},
		"deflate,,zstd":      {"deflate", "zstd"},
		"gzip, aws-chunked":  nil, // as browsers: what can't be undone stays
		"utf-8":              nil,
		"gzip|gzip, br|zstd": {"gzip", "gzip", "br", "zstd"},
	} {
		if got := contentCodings(http.Header{"Content-Encoding": strings.Split(header, "|")}); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

func TestDecode_everyLayerIsBounded(t *testing.T) {
	bomb := gzipped(bytes.Repeat(gzipped(make([]byte, 4<<20)), 25))
	for _, max := range []int64{1 << 10, 1 << 20} {
		if got, err := decode([]string{"gzip", "gzip"}, bytes.NewReader(bomb), max, -1); !errors.Is(err, errTooBig) {
			t.Errorf("max %d: %d bytes, %v; want errTooBig", max, len(got), err)
		}
	}
	if _, err := decode([]string{"gzip", "gzip", "gzip", "gzip"}, bytes.NewReader(bomb), 1<<20, -1); !typed(err) {
		t.Errorf("four layers: %v, want a DecodeError", err)
	}
}

func TestDecode_endings(t *testing.T) {
	good := gzipped([]byte("hello"))
	for name, test := range map[string]struct {
		coding string
		body   []byte
		want   string
		ok     bool
	}{
		"nothing at all":     {"gzip", nil, "", true},
		"two members":        {"gzip", append(slices.Clone(good), good...), "hellohello", true},
		"rubbish behind":     {"gzip", append(slices.Clone(good), "xyz rubbish"...), "hello", true},
		"zeros behind":       {"gzip", append(slices.Clone(good), make([]byte, 100)...), "hello", true},
		"checksum wrong":     {"gzip", append(slices.Clone(good[:len(good)-8]), make([]byte, 8)...), "", false},
		"end missing":        {"gzip", good[:len(good)-3], "", false},
		"not gzip":           {"gzip", []byte("<html>"), "", false},
		"not zlib, not bare": {"deflate", []byte("\xff\xff\xff"), "", false},
		"one byte":           {"deflate", []byte("\x78"), "", false},
		"not brotli":         {"br", []byte("\xff\xff"), "", false},
		"not zstd":           {"zstd", []byte("<html>"), "", false},
	} {
		got, err := decode([]string{test.coding}, bytes.NewReader(test.body), 1<<20, -1)
		var e *DecodeError
		if (err == nil) != test.ok || test.ok && string(got) != test.want || !test.ok && (!errors.As(err, &e) || e.Encoding != test.coding) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	var z bytes.Buffer
	zw := zlib.NewWriter(&z)
	zw.Write([]byte("hello"))
	zw.Close()
	for _, b := range [][]byte{gzipped([]byte("hello")), z.Bytes(), gzipped(make([]byte, 1<<18)), []byte("\x28\xb5\x2f\xfd\x00\x38\x29\x00\x00hello"), []byte("\x0b\x02\x80hello\x03"), nil} {
		for i := range uint8(6) {
			f.Add(i, b)
		}
	}
	sets := [][]string{{"gzip"}, {"deflate"}, {"br"}, {"zstd"}, {"gzip", "br"}, {"zstd", "deflate"}}
	f.Fuzz(func(t *testing.T, set uint8, body []byte) {
		const max = 1 << 16
		got, err := decode(sets[int(set)%len(sets)], &bounded{r: bytes.NewReader(body), left: max}, max, int64(len(body)))
		if len(got) > max {
			t.Errorf("%d bytes came out, over the limit", len(got))
		}
		var e *DecodeError
		if err != nil && !errors.Is(err, errTooBig) && !errors.As(err, &e) {
			t.Errorf("error %v is of no type", err)
		}
	})
}
