package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func zipped(t testing.TB, parts ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&out)
		io.WriteString(w, part)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func encoded(t *testing.T, e encoding.Encoding, s string) string {
	t.Helper()
	out, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRead_gzip(t *testing.T) {
	const ab = "urlset https://site.example/a\nurlset https://site.example/b"
	doc := entries(a + b)
	whole := zipped(t, doc)
	checkAll(t, []testCase{
		{"one", whole, ab},
		{"in two members", zipped(t, doc[:50], doc[50:]), ab},
		{"twice", zipped(t, whole), ab},
		{"text", zipped(t, "https://site.example/a"), "text https://site.example/a"},
	})
	// What is said of damaged data has details of the library; only the URLs and the codes count.
	for name, c := range map[string]struct {
		doc  string
		want Code
		n    int
	}{
		"three times":        {zipped(t, zipped(t, whole)), BadEncoding, 0}, // and NotSitemap before
		"without trailer":    {whole[:len(whole)-8], Truncated, 2},
		"junk behind":        {whole + "junk and more junk", ReadFailed, 2},
		"bad checksum":       {whole[:len(whole)-8] + "xxxxxxxx", ReadFailed, 2},
		"only the magic":     {"\x1f\x8b", Truncated, 0},
		"bad header":         {"\x1f\x8bnot gzip at all", ReadFailed, 0},
		"cut in the middle":  {whole[:len(whole)/2], Truncated, 0},
		"named, not zipped":  {doc, "", 2},
		"damaged bits":       {whole[:20] + "\xff\xff\xff\xff" + whole[24:], ReadFailed, 0},
		"nothing in it":      {zipped(t, ""), NotSitemap, 0},
		"many empty members": {strings.Repeat(zipped(t, ""), 1000) + whole, "", 2},
	} {
		urls, codes, err := locs(t.Context(), strings.NewReader(c.doc), Limits{})
		last := Code("")
		if len(codes) > 0 {
			last = codes[len(codes)-1]
		}
		if err != nil || last != c.want || len(urls) < c.n {
			t.Errorf("%s: %q, %v, %v; want %d URLs and %q", name, urls, codes, err, c.n, c.want)
		}
	}
}

func TestRead_charsets(t *testing.T) {
	declared := func(name string) string {
		return `<?xml version="1.0" encoding="` + name + `"?>` + entries("<url><loc>https://site.example/é</loc></url>")
	}
	const want = "urlset https://site.example/%C3%A9"
	bare := entries("<url><loc>https://site.example/é</loc></url>")
	checkAll(t, []testCase{
		{"utf-8", declared("utf-8"), want},
		{"utf-8 with mark", "\ufeff" + declared("UTF-8"), want},
		{"latin1", encoded(t, charmap.ISO8859_1, declared("ISO-8859-1")), want},
		{"latin1 behind blanks", "\n  " + encoded(t, charmap.ISO8859_1, declared("iso-8859-1")), want},
		{"windows-1252", encoded(t, charmap.Windows1252, declared("windows-1252")), want},
		{"shift_jis", encoded(t, japanese.ShiftJIS, strings.ReplaceAll(declared("Shift_JIS"), "é", "日")), "urlset https://site.example/%E6%97%A5"},
		{"utf-16 with mark", encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), declared("utf-16")), want},
		{"utf-16be with mark", encoded(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), declared("utf-16")), want},
		{"utf-16le without mark", encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), declared("utf-16")), want},
		{"utf-16be without mark", encoded(t, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), declared("utf-16")), want},
		{"utf-16 only by its word", declared("utf-16"), want},
		{"unknown", declared("klingon"), "! BAD_ENCODING 1 unknown charset \"klingon\"\n" + want},
		{"mark wins", "\ufeff" + declared("iso-8859-1"), want},
		{"invalid bytes", encoded(t, charmap.ISO8859_1, bare), "urlset https://site.example/%EF%BF%BD\n! BAD_ENCODING 0 bytes that are invalid in the encoding"},
		{"text in utf-16", encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "https://site.example/é\n"), "text https://site.example/%C3%A9"},
	})
}

func TestRead_smallReadsMakeNoDifference(t *testing.T) {
	doc := zipped(t, "\ufeff<?xml version='1.0'?>"+entries(a+"<!-- -- -->"+strings.Repeat("<url><loc>https://site.example/日本&amp;é</loc></url>", 100)))
	want := reading(t, doc, Limits{})
	if got := transcript(t, iotest.OneByteReader(strings.NewReader(doc)), Limits{}); got != want {
		t.Errorf("byte by byte:\n%s\nat once:\n%s", got, want)
	}
	if got := transcript(t, iotest.DataErrReader(strings.NewReader(doc)), Limits{}); got != want {
		t.Errorf("data with error:\n%s\nat once:\n%s", got, want)
	}
}

func TestRead_aBodyThatBreaksOffKeepsWhatCame(t *testing.T) {
	broken := errors.New("connection reset")
	r := io.MultiReader(strings.NewReader(openSet+a+b), iotest.ErrReader(broken))
	var last error
	n := 0
	for _, err := range Read(t.Context(), r, base, Limits{}) {
		if last = err; err == nil {
			n++
		}
	}
	p, ok := errors.AsType[*Problem](last)
	if !ok || p.Code != ReadFailed || !errors.Is(p, broken) || n != 2 {
		t.Errorf("got %d URLs and %v", n, last)
	}
}
