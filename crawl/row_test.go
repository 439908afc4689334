package crawl

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Whatever is in a row, reading it gives an error or something that can be written and read again.
func FuzzRow(f *testing.F) {
	found := Found{URL: "http://a/", Key: "k", From: "http://a/b", Hops: 3, Sitemap: true, Priority: 0.25, LastMod: time.UnixMilli(1e12)}
	late := entry{id: 8, Found: Found{URL: "http://a/", Hops: 9, Late: true}}
	full := entry{id: 7, attempts: 2, cause: "reset", Found: found}
	counters := state{known: 1, done: 2, bytes: 1 << 40, dropping: true}
	f.Add(full.encode(), false)
	f.Add(late.encode(), false)
	f.Add(counters.encode(), false)
	f.Add(tally{3, 4}.encode(), false)
	f.Add(encodeNumber(5), false)
	f.Add(bytes.Repeat([]byte{0xff}, 40), true)
	f.Add([]byte{1, 1, 1, 0, 200, 1, 'x'}, true)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, row []byte, whole bool) {
		if whole { // past the checksum
			row = seal(append([]byte{rowFormat}, row...))
		}
		again(t, row, decodeEntry, entry.encode)
		again(t, row, decodeState, func(s state) []byte { return s.encode() })
		again(t, row, decodeTally, tally.encode)
		again(t, row, decodeNumber, encodeNumber)
		if r, err := decodeResult(row); err == nil && len(r.Data) > len(row) {
			t.Errorf("%d bytes of data in a row of %d", len(r.Data), len(row))
		}
		hostOf(row)
		dueOf(row)
	})
}

func again[T any](t *testing.T, row []byte, decode func([]byte) (T, error), encode func(T) []byte) {
	t.Helper()
	v, err := decode(row)
	if err != nil {
		return
	}
	second, err := decode(encode(v))
	if err != nil || !bytes.Equal(encode(second), encode(v)) {
		t.Errorf("%+v became %+v, %v", v, second, err)
	}
}

// A row of which one bit is wrong, or the end is missing, is no row.
func TestRow_damageIsSeen(t *testing.T) {
	row := entry{id: 1, Found: Found{URL: "http://a/"}}.encode()
	for i := range row {
		for bit := range 8 {
			bad := bytes.Clone(row)
			bad[i] ^= 1 << bit
			if _, err := decodeEntry(bad); err == nil {
				t.Errorf("byte %d, bit %d", i, bit)
			}
		}
		if _, err := decodeEntry(row[:i]); err == nil {
			t.Errorf("the first %d bytes", i)
		}
	}
	if _, err := decodeEntry(seal(append(row[:len(row)-4:len(row)-4], 'x'))); err == nil {
		t.Error("a byte too many")
	}
}

func TestFound_keepsWhatItIs(t *testing.T) {
	date := time.Date(2026, 5, 6, 7, 8, 9, 123e6, time.UTC)
	last := time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)
	for _, tt := range []struct{ put, want Found }{
		{Found{URL: "http://a/x", From: "http://a/y", Hops: 2}, Found{URL: "http://a/x", From: "http://a/y", Hops: 2}},
		{Found{URL: "http://a/x", From: "http://a/x"}, Found{URL: "http://a/x", From: "http://a/x"}},
		{Found{URL: "http://a/x", Key: "\x00\xff", From: "other"}, Found{URL: "http://a/x", Key: "\x00\xff", From: "other"}},
		{Found{URL: "u", Hops: -1}, Found{URL: "u"}},
		{Found{URL: "u", Hops: 1 << 20}, Found{URL: "u", Hops: math.MaxUint16}},
		{Found{URL: "u", Priority: 0.3, LastMod: date}, Found{URL: "u"}}, // no sitemap's
		{Found{URL: "u", Sitemap: true, LastMod: date}, Found{URL: "u", Sitemap: true, LastMod: date}},
		{Found{URL: "u", Sitemap: true, Priority: 2}, Found{URL: "u", Sitemap: true, Priority: 0.5}},
		{Found{URL: "u", Sitemap: true, Priority: math.NaN()}, Found{URL: "u", Sitemap: true, Priority: 0.5}},
		{Found{URL: "u", Sitemap: true, Priority: math.Copysign(0, -1)}, Found{URL: "u", Sitemap: true}},
		{Found{URL: "u", Sitemap: true, LastMod: time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)}, Found{URL: "u", Sitemap: true}},
		{Found{URL: "u", Sitemap: true, LastMod: time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)}, Found{URL: "u", Sitemap: true, LastMod: last}},
	} {
		got, err := decodeEntry(entry{Found: tt.put, id: 1}.encode())
		if !got.LastMod.IsZero() {
			got.LastMod = got.LastMod.UTC()
		}
		if err != nil || !reflect.DeepEqual(got.Found, tt.want) {
			t.Errorf("%+v became %+v, %v", tt.put, got.Found, err)
		}
	}
}

func TestFound_ranksSortAsTheWorkIsDone(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	inOrder := []Found{
		{}, {Sitemap: true, Priority: 1, LastMod: day(1)}, {Sitemap: true, Priority: 1},
		{Sitemap: true, Priority: 0.51, LastMod: day(1)}, {Sitemap: true, Priority: -1, LastMod: day(9)}, {Sitemap: true, Priority: 0.5, LastMod: day(8)},
		{Sitemap: true, Priority: 0, LastMod: day(30)}, {Hops: 1}, {Hops: 255}, {Hops: 256}, {Hops: 65535},
	}
	var ranks [][]byte
	for i, f := range inOrder {
		ranks = append(ranks, f.rank(uint64(len(inOrder)-i)))
	}
	if !slices.IsSortedFunc(ranks, bytes.Compare) {
		t.Errorf("%x", ranks)
	}
	if bytes.Compare(Found{}.rank(255), Found{}.rank(256)) >= 0 {
		t.Error("the later one goes first")
	}
}

func TestFound_host(t *testing.T) {
	for url, want := range map[string]string{
		"http://A.Example/x":        "a.example",
		"https://a.example:8443/":   "a.example:8443",
		"http://user:pw@a.example/": "a.example",
		"http://[2001:DB8::1]/":     "[2001:db8::1]",
		"http://ä.example/":         "ä.example",
		"/x":                        "",
		"mailto:a@b":                "",
		"http://a\x00b/":            "",
		"http://a b/":               "",
		"http://%zz/":               "",
		"http://" + strings.Repeat("a", 1025) + "/": "",
	} {
		if got := (Found{URL: url}).host(); got != want {
			t.Errorf("%q: got %q, want %q", url, got, want)
		}
	}
}
