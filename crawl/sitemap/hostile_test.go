package sitemap

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// repeat reads a text n times (for ever, if n is negative) between a head and a tail, without keeping it.
type repeat struct {
	head, unit, tail string
	n                int
	part             int // 0: head, 1: unit, 2: tail, 3: the end
	at               int // in that part
	read             int // bytes in all
}

func (r *repeat) Read(p []byte) (n int, err error) {
	for n < len(p) && r.part < 3 {
		c := copy(p[n:], r.text()[r.at:])
		n += c
		if r.at += c; r.at == len(r.text()) {
			r.next()
		}
	}
	r.read += n
	if n == 0 && len(p) > 0 {
		err = io.EOF
	}
	return n, err
}

func (r *repeat) text() string { return [...]string{r.head, r.unit, r.tail}[r.part] }

func (r *repeat) next() {
	r.at = 0
	if r.part == 1 {
		r.n--
	}
	if r.part != 1 || r.n == 0 {
		r.part++
	}
	if r.part == 1 && r.n == 0 {
		r.part++
	}
}

// allocated is how many bytes f allocates in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestRead_entitiesOfADocumentAreNeverExpanded(t *testing.T) {
	var dtd strings.Builder
	dtd.WriteString(`<!DOCTYPE urlset [<!ENTITY a0 "https://site.example/lol"><!ENTITY x SYSTEM "file:///etc/passwd">`)
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&dtd, `<!ENTITY a%d "%s">`, i, strings.Repeat(fmt.Sprintf("&a%d;", i-1), 10))
	}
	dtd.WriteString("]>")
	doc := `<?xml version="1.0"?>` + dtd.String() + entries("<url><loc>https://site.example/&a29;&x;</loc></url><url><loc>&a0;</loc></url>")
	var got string
	if size := allocated(func() { got = reading(t, doc, Limits{}) }); size > 4<<20 {
		t.Errorf("%d bytes allocated for a document of %d", size, len(doc))
	}
	if want := "urlset https://site.example/&a29;&x;\n! RELATIVE_LOC 1 &a0;\nurlset https://site.example/maps/&a0;"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRead_hugeTokensAreSkippedAndReadingGoesOn(t *testing.T) {
	leftToUnraced(t)
	size := soak(20 << 20)
	for name, c := range map[string]struct {
		head, unit, tail string
		urls             int
		codes            string
	}{
		"text in loc":           {"<url><loc>https://site.example/", "x", "</loc></url>", 1, "[MALFORMED NO_LOC]"},
		"text in lastmod":       {"<url><loc>https://site.example/a</loc><lastmod>", "2", "</lastmod></url>", 2, "[MALFORMED]"},
		"text between":          {"", "x", "", 1, "[]"},
		"cdata":                 {"<url><loc>https://site.example/a</loc><description><![CDATA[", "<a>]] ", "]]></description></url>", 2, "[]"},
		"comment":               {"<!-- ", a, " -->", 1, "[]"},
		"instruction":           {"<?x ", "? > ", "?>", 1, "[]"},
		"attribute":             {"<url x='", "y", "'/>", 1, "[MALFORMED MALFORMED NO_LOC]"},
		"name":                  {"<", "y", ">", 1, "[MALFORMED]"},
		"end":                   {"</", "y", ">", 1, "[MALFORMED]"},
		"declaration":           {"<!DOCTYPE x [<!ENTITY a '", "b", "'>]>", 1, "[]"},
		"entity":                {"<url><loc>https://site.example/&", "y", ";</loc></url>", 1, "[MALFORMED NO_LOC]"},
		"numeric entity":        {"<url><loc>https://site.example/&#", "7", ";</loc></url>", 1, "[MALFORMED NO_LOC]"},
		"long loc in one token": {"<url><loc>https://site.example/", "", strings.Repeat("x", 1<<15) + "</loc></url>", 1, "[NO_LOC]"},
	} {
		r := &repeat{head: openSet + c.head, unit: c.unit, tail: c.tail + b + closeSet}
		if c.unit != "" {
			r.n = size / len(c.unit)
		}
		var urls []string
		var codes []Code
		total := allocated(func() { urls, codes, _ = locs(t.Context(), r, Limits{}) })
		if len(urls) != c.urls || urls[len(urls)-1] != "https://site.example/b" || fmt.Sprint(codes) != c.codes {
			t.Errorf("%s: %q %v, want %d URLs and %s", name, urls, codes, c.urls, c.codes)
		}
		if total > 1<<20 {
			t.Errorf("%s: %d bytes allocated for %d", name, total, r.read)
		}
	}
}

func TestRead_tenMegabytesOfOneText(t *testing.T) {
	leftToUnraced(t)
	r := &repeat{head: openSet + "<url><loc>", unit: "https://site.example/", n: 10 << 20 / 21, tail: "</loc></url>" + b + closeSet}
	var got string
	total := allocated(func() { got = transcript(t, r, Limits{}) })
	if want := "! MALFORMED 1\n! NO_LOC 1\nurlset https://site.example/b"; got != want || total > 1<<20 {
		t.Errorf("%d bytes allocated, got\n%s", total, got)
	}
}

func TestRead_deepNestingCostsNoMemory(t *testing.T) {
	leftToUnraced(t)
	n := soak(2_000_000)
	for name, head := range map[string]string{"outside": openSet, "within": openSet + "<url><loc>https://site.example/a</loc>", "before": ""} {
		tail := b + closeSet
		if name == "within" {
			tail = "</url>" + tail
		}
		r := &repeat{head: head, unit: "<a>", n: n, tail: tail}
		var heap uint64
		urls, codes, _ := locs(t.Context(), &sampled{Reader: r, peak: &heap}, Limits{})
		if name == "before" {
			if len(urls) != 0 || fmt.Sprint(codes) != "[NOT_SITEMAP]" {
				t.Errorf("%s: %q %v", name, urls, codes)
			}
		} else if urls[len(urls)-1] != "https://site.example/b" || codes != nil {
			t.Errorf("%s: %q %v", name, urls, codes)
		}
		if heap > 32<<20 {
			t.Errorf("%s: heap of %d bytes", name, heap)
		}
	}
}

// sampled notes the largest heap while it is read, against that at the start.
type sampled struct {
	io.Reader
	peak  *uint64
	start uint64
	n     int
}

func (s *sampled) Read(p []byte) (int, error) {
	if s.n%64 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if s.n == 0 {
			s.start = m.HeapAlloc
		}
		if m.HeapAlloc > s.start {
			*s.peak = max(*s.peak, m.HeapAlloc-s.start)
		}
	}
	s.n++
	return s.Reader.Read(p)
}

func TestRead_limits(t *testing.T) {
	doc := entries(a + b + c)
	for _, tc := range []struct {
		name string
		doc  string
		o    Limits
		urls int
		want string
	}{
		{"just the bytes", doc, Limits{MaxBytes: int64(len(doc))}, 3, "[]"},
		{"a byte too many", doc, Limits{MaxBytes: int64(len(doc)) - 1}, 3, "[TOO_LARGE]"},
		{"half of it", doc, Limits{MaxBytes: int64(len(openSet) + len(a) + 5)}, 1, "[NO_LOC TOO_LARGE]"},
		{"zipped, just the bytes", zipped(t, doc), Limits{MaxBytes: int64(len(doc))}, 3, "[]"},
		{"zipped, a byte too many", zipped(t, doc), Limits{MaxBytes: int64(len(doc)) - 1}, 3, "[TOO_LARGE]"},
		{"just the URLs", doc, Limits{MaxURLs: 3}, 3, "[]"},
		{"a URL too many", doc, Limits{MaxURLs: 2}, 2, "[TOO_MANY_URLS]"},
		{"text", "https://a.example/\nhttps://b.example/\n", Limits{MaxURLs: 1}, 1, "[TOO_MANY_URLS]"},
		{"the largest limits", doc, Limits{MaxBytes: 1<<63 - 1, MaxURLs: 1<<63 - 1}, 3, "[]"},
	} {
		urls, codes, err := locs(t.Context(), strings.NewReader(tc.doc), tc.o)
		if len(urls) != tc.urls || fmt.Sprint(codes) != tc.want || err != nil {
			t.Errorf("%s: %q %v %v, want %d URLs and %s", tc.name, urls, codes, err, tc.urls, tc.want)
		}
	}
}

func TestRead_defaultLimitOfURLs(t *testing.T) {
	urls, codes, _ := locs(t.Context(), &repeat{head: openSet, unit: a, n: DefaultMaxURLs + 10}, Limits{})
	if len(urls) != DefaultMaxURLs || fmt.Sprint(codes) != "[TOO_MANY_URLS]" {
		t.Errorf("%d URLs, %v", len(urls), codes)
	}
}

// bomb is n MiB of one byte, zipped the given number of times.
func bomb(t *testing.T, head string, n, layers int) []byte {
	t.Helper()
	var in io.Reader = io.MultiReader(strings.NewReader(head), &repeat{unit: strings.Repeat(" ", 1<<20), n: n})
	var out bytes.Buffer
	for range layers {
		out = bytes.Buffer{}
		w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // the best packs four times as long under the race detector
		if _, err := io.Copy(w, in); err != nil {
			t.Fatal(err)
		}
		w.Close()
		in = bytes.NewReader(bytes.Clone(out.Bytes()))
	}
	return out.Bytes()
}

func TestRead_gzipBombsEndAtTheLimit(t *testing.T) {
	for layers := 1; layers <= 2; layers++ {
		data := bomb(t, openSet+a, 16, layers)
		var urls []string
		var codes []Code
		total := allocated(func() { urls, codes, _ = locs(t.Context(), bytes.NewReader(data), Limits{MaxBytes: 4 << 20}) })
		if len(urls) != 1 || fmt.Sprint(codes) != "[TOO_LARGE]" {
			t.Errorf("%d layers, %d bytes: %q %v", layers, len(data), urls, codes)
		}
		if total > 4<<20 {
			t.Errorf("%d layers: %d bytes allocated", layers, total)
		}
	}
}

func TestRead_endlessEmptyGzipMembersEnd(t *testing.T) {
	r := &repeat{unit: zipped(t, ""), n: -1}
	_, codes, _ := locs(t.Context(), r, Limits{MaxBytes: 1 << 20})
	if fmt.Sprint(codes) != "[TOO_LARGE]" || r.read > 2<<20 {
		t.Errorf("%v after %d bytes", codes, r.read)
	}
}

func TestRead_endlessBodyEndsWithTheContext(t *testing.T) {
	leftToUnraced(t)
	for name, unit := range map[string]string{
		"urls":    a,
		"text":    "x",
		"comment": "<!-- -- ",
		"tags":    "<x>",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r := &cancelling{Reader: &repeat{head: openSet, unit: unit, n: -1}, after: 1 << 20, cancel: cancel}
		_, _, err := locs(ctx, r, Limits{MaxBytes: 1 << 40, MaxURLs: 1 << 40})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: ended with %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := &cancelling{Reader: &repeat{unit: "https://site.example/a\n", n: -1}, after: 1 << 20, cancel: cancel}
	if _, _, err := locs(ctx, r, Limits{MaxURLs: 1 << 40}); !errors.Is(err, context.Canceled) {
		t.Errorf("text: ended with %v", err)
	}
}

// cancelling cancels a context when so many bytes were read.
type cancelling struct {
	io.Reader
	after  int
	cancel func()
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.after -= n; c.after < 0 {
		c.cancel()
	}
	return n, err
}

func TestRead_absurdlyManyTagsAreTooLarge(t *testing.T) {
	var codes []error
	s := &stream{maxURLs: 9, yield: func(_ Item, err error) bool { codes = append(codes, err); return true }}
	d := newDocument(s, open(t.Context(), strings.NewReader(openSet+a+strings.Repeat("<a>", 100)), 1<<20))
	d.budget = 50
	s.finish(t.Context(), d.read())
	if len(codes) != 2 || codes[0] != nil || codes[1].(*Problem).Code != TooLarge {
		t.Errorf("got %v", codes)
	}
}

func TestRead_manyFaultsAreGivenUp(t *testing.T) {
	r := &repeat{head: openSet, unit: "< ", n: 1 << 20}
	_, codes, _ := locs(t.Context(), r, Limits{})
	if len(codes) != maxProblems+2 || codes[len(codes)-1] != Malformed {
		t.Errorf("%d problems, the last %s", len(codes), codes[len(codes)-1])
	}
	if r.read > 4*maxFaults {
		t.Errorf("%d bytes were read", r.read)
	}
}

func TestRead_memoryStaysFlat(t *testing.T) {
	leftToUnraced(t)
	peak := func(n int) (heap uint64) {
		r := &sampled{Reader: &repeat{head: openSet, unit: fullEntry, n: n, tail: closeSet}, peak: &heap}
		for range Read(t.Context(), r, base, Limits{MaxURLs: n, MaxBytes: 1 << 30}) {
		}
		return heap
	}
	small, large := peak(1000), peak(soak(200_000))
	if large > small+16<<20 { // garbage between two collections
		t.Errorf("heap %d bytes for 1000 URLs, %d for many", small, large)
	}
}

func TestRead_aReaderThatGivesNothingEnds(t *testing.T) {
	_, codes, _ := locs(t.Context(), readerFunc(func([]byte) (int, error) { return 0, nil }), Limits{})
	if fmt.Sprint(codes) != "[READ_FAILED]" {
		t.Errorf("%v", codes)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

const fullEntry = "<url>\n  <loc>https://site.example/section/page-with-a-name.html?id=12345&amp;lang=en</loc>\n" +
	"  <lastmod>2024-05-06T07:08:09+00:00</lastmod>\n  <changefreq>weekly</changefreq>\n  <priority>0.5</priority>\n</url>\n"

var fullEntryTime = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
