package replay

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// Parts of one file that were recorded are served where they belong, whatever parts a page wants next.
func TestServeHTTP_recordedParts(t *testing.T) {
	part := func(address, body, place string) (string, string, string, string, string) {
		return "GET " + address, "", body, "HTTP/1.1 206 Partial Content", "Content-Range: bytes " + place
	}
	const film, clip = "https://a.example/film", "https://a.example/clip"
	r := opened(t, recorded(t, "x.wacz", exchange(part(film, "0123", "0-3/10")), exchange(part(film, "456789", "4-9/10")),
		exchange(part(clip, "01234", "0-9/10")))) // broken off
	for _, tt := range []struct {
		address, wanted string
		status          int
		body, place     string
	}{
		{film, "bytes=0-3", 206, "0123", "bytes 0-3/10"},
		{film, "bytes=4-9", 206, "456789", "bytes 4-9/10"},
		{film, "bytes=1-2", 206, "12", "bytes 1-2/10"},
		{film, "bytes=5-", 206, "56789", "bytes 5-9/10"},
		{film, "bytes=-2", 206, "89", "bytes 8-9/10"},
		{film, "bytes=2-", 206, "23", "bytes 2-3/10"},
		{film, "bytes=20-", 502, "", ""},
		{clip, "", 200, "01234", ""},
		{clip, "bytes=3-", 206, "34", "bytes 3-4/10"},
	} {
		w := ask(r, "GET", tt.address, "", "Range: "+tt.wanted)
		if w.Code != tt.status || w.Body.String() != tt.body || w.Header().Get("Content-Range") != tt.place {
			t.Errorf("%s, %s: %d %q %q, want %d %q %q", tt.address, tt.wanted, w.Code, w.Body, w.Header().Get("Content-Range"), tt.status, tt.body, tt.place)
		}
	}
	for _, damaged := range []string{"bytes", "bytes=", "bytes=-", "bytes=3-1", "bytes=--1", "bytes=a-b", "bytes=0-1,3-4", "lines=1-2"} {
		if s := parseRange(damaged); s != nil {
			t.Errorf("%q: %+v", damaged, *s)
		}
	}
}

// A revisit whose payload lies in another archive is answered from there, and one whose payload is nowhere by the next archive.
func TestFind_revisitsAcrossArchives(t *testing.T) {
	whole := recorded(t, "whole.warc.gz", shopExchanges()...)
	revisits := withoutFirst(t, recorded(t, "all.warc", exchange("GET "+shop, "", "home"), exchange("GET "+shop+"again", "", "home"), exchange("GET "+shop+"new", "", "home")))
	r := opened(t, revisits, whole)
	for _, path := range []string{"again", "new"} {
		if got := found(r, Request{URL: shop + path}); got != "home" {
			t.Errorf("%s: %q", path, got)
		}
	}
	other := recorded(t, "other.wacz", exchange("GET "+shop+"new", "", "another home"))
	if got := found(opened(t, revisits, other), Request{URL: shop + "new"}); got != "another home" {
		t.Errorf("%q", got)
	}
	if got := found(opened(t, revisits), Request{URL: shop + "new"}); !strings.Contains(got, errNoOriginal.Error()) {
		t.Errorf("%q", got)
	}
}

// A miss names the nearest addresses of all archives, not those of the first.
func TestFind_missNamesTheNearestOfAllArchives(t *testing.T) {
	upper := recorded(t, "upper.wacz", exchange("GET "+shop+"a", "", "1"), exchange("GET "+shop+"b", "", "2"), exchange("GET "+shop+"c", "", "3"))
	r := opened(t, upper, recorded(t, "lower.wacz", exchange("GET "+shop+"list/1", "", "4")))
	if got := found(r, Request{URL: shop + "list/2"}); !strings.Contains(got, "the nearest are "+shop+"list/1, ") {
		t.Error(got)
	}
}

// withoutFirst is an uncompressed WARC file without its first response.
func withoutFirst(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	records := strings.SplitAfter(string(text), "\r\n\r\n\r\n")
	kept := slices.DeleteFunc(records, func(r string) bool { return strings.Contains(r, "WARC-Type: response") })
	name := filepath.Join(t.TempDir(), "revisits.warc")
	if err := os.WriteFile(name, []byte(strings.Join(kept, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A body has the Content-Encoding of its header, or else is served without.
func TestServeHTTP_bodiesThatAreDecodedAlready(t *testing.T) {
	text := "<title>Example</title><p>Text as scripts see it</p>"
	var zipped, squeezed bytes.Buffer
	z, b := gzip.NewWriter(&zipped), brotli.NewWriter(&squeezed)
	for _, w := range []io.WriteCloser{z, b} {
		if _, err := io.WriteString(w, strings.Repeat(text, 100)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
	}
	for body, codings := range map[string]map[string]bool{text: {"gzip": false, "br": false, "zstd": false, "other": true},
		zipped.String(): {"gzip": true}, squeezed.String(): {"br": true}, "": {"gzip": true}} {
		for coding, kept := range codings {
			r := opened(t, recorded(t, "x.warc.gz", exchange("GET "+shop, "", body, "Content-Encoding: "+coding)))
			if w := ask(r, "GET", shop, ""); w.Body.String() != body || (w.Header().Get("Content-Encoding") != "") != kept {
				t.Errorf("%.20q, %s: %v", body, coding, w.Header())
			}
		}
	}
}
