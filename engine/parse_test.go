package engine

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/winnow-go/winnow/formats"
)

func parsed(t *testing.T, e *Engine, in ParseInput, o ParseOptions) *Document {
	t.Helper()
	doc, err := e.Parse(t.Context(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestParse_readsPagesAndTexts(t *testing.T) {
	var o Options
	noNetwork(t)(&o)
	e := newTestEngine(t, o)
	page := `<title>Oats</title><nav><a href=/>Home</a></nav><main><h1>Oats</h1><p>Dry <a href="loft">loft</a>.</p></main>`
	path := filepath.Join(t.TempDir(), "oats.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name string
		in   ParseInput
		want string
	}{
		{"a path", ParseInput{Path: path, URL: "https://farm.example/x/"}, "# Oats\n\nDry [loft](https://farm.example/x/loft)."},
		{"a reader with a name", ParseInput{Reader: strings.NewReader("# Hi\n"), Name: "a.md"}, "# Hi\n"},
		{"a type", ParseInput{Reader: strings.NewReader(`{"a":1}`), ContentType: "application/json"}, "```json\n{\n  \"a\": 1\n}\n```"},
		{"a charset", ParseInput{Reader: strings.NewReader("<p>caf\xe9</p>"), ContentType: "text/html; charset=iso-8859-1"}, "café"},
		{"content alone", ParseInput{Reader: strings.NewReader("<html><p>x</p></html>")}, "x"},
		{"source code", ParseInput{Reader: strings.NewReader("package x\n"), Name: "x.go"}, "```go\npackage x\n```"},
	}
	for _, c := range cases {
		if doc := parsed(t, e, c.in, ParseOptions{}); doc.Markdown != c.want {
			t.Errorf("%s: got %q, want %q", c.name, doc.Markdown, c.want)
		}
	}
	doc := parsed(t, e, ParseInput{Path: path}, ParseOptions{Formats: []formats.Format{{Type: formats.HTML}}, OnlyMainContent: new(false)})
	if doc.Metadata.Title != "Oats" || doc.Metadata.SourceURL != "oats.html" || doc.Metadata.StatusCode != 200 || !strings.Contains(doc.HTML, "Home") {
		t.Errorf("got %+v", doc)
	}
}

func TestParse_refusals(t *testing.T) {
	e := newTestEngine(t, Options{})
	text := func() ParseInput { return ParseInput{Reader: strings.NewReader("x"), Name: "x.txt"} }
	broken := errors.New("broken")
	cases := []struct {
		name string
		in   ParseInput
		o    ParseOptions
		want Code
	}{
		{"no input", ParseInput{}, ParseOptions{}, CodeBadRequest},
		{"two inputs", ParseInput{Reader: strings.NewReader(""), Path: "x"}, ParseOptions{}, CodeBadRequest},
		{"no such file", ParseInput{Path: filepath.Join(t.TempDir(), "none")}, ParseOptions{}, CodeBadRequest},
		{"a folder", ParseInput{Path: t.TempDir()}, ParseOptions{}, CodeBadRequest},
		{"a reader that fails", ParseInput{Reader: iotest.ErrReader(broken)}, ParseOptions{}, CodeBadRequest},
		{"too large", text(), ParseOptions{MaxBytes: -1}, CodeBadRequest},
		{"over the limit", ParseInput{Reader: io.LimitReader(zeros{}, 2000)}, ParseOptions{MaxBytes: 1999}, CodeUnsupportedFile},
		{"a program", ParseInput{Reader: strings.NewReader("\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 100)), Name: "x.bin"}, ParseOptions{}, CodeFileType},
		{"an old document", ParseInput{Reader: strings.NewReader("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)), Name: "x.doc"}, ParseOptions{}, CodeUnsupportedFile},
		{"a timeout", text(), ParseOptions{Timeout: 1}, CodeBadRequest},
		{"a screenshot", text(), ParseOptions{Formats: []formats.Format{{Type: formats.Screenshot}}}, CodeParseOptions},
		{"its bytes", text(), ParseOptions{Formats: []formats.Format{{Type: formats.RawBase64}}}, CodeParseOptions},
		{"parsers", text(), ParseOptions{Parsers: []Parser{{Type: "x"}}}, CodeBadRequest},
		{"zero data retention", text(), ParseOptions{ZeroDataRetention: true}, CodeBadRequest},
	}
	for _, c := range cases {
		if _, err := e.Parse(t.Context(), c.in, c.o); CodeOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestParse_leavesARecordAndNoCachedPage(t *testing.T) {
	e := newTestEngine(t, Options{})
	doc := parsed(t, e, ParseInput{Reader: strings.NewReader("# Hi"), Name: "hi.md", URL: "https://farm.example/hi.md"}, ParseOptions{Owner: "o"})
	record, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID)
	if err != nil || record.Owner != "o" || record.Document.Markdown != "# Hi" || record.Credits != 1 {
		t.Errorf("got %+v, %v", record, err)
	}
	list, _, err := e.Activity(t.Context(), ActivityQuery{Owner: new("o")})
	if err != nil || len(list) != 1 || list[0].Endpoint != "parse" || list[0].Target != "hi.md" {
		t.Errorf("activity: got %+v, %v", list, err)
	}
	if stats, err := e.CacheStats(t.Context()); err != nil || stats.Versions != 0 {
		t.Errorf("cache: got %+v, %v; want nothing", stats, err)
	}
}

func TestParse_memoryOfAFileIsBounded(t *testing.T) {
	t.Parallel()
	const rows, slow = 16_000, 4 * time.Minute
	e := newTestEngine(t, Options{MaxFileMemory: 1 << 20})
	table := func(rows int) ParseInput {
		return ParseInput{Reader: strings.NewReader("a,b\n" + strings.Repeat("sack of oats,1\n", rows)), Name: "oats.csv"}
	}
	if doc := parsed(t, e, table(rows), ParseOptions{Timeout: slow}); strings.Count(doc.Markdown, "sack of oats") != rows {
		t.Errorf("got %d rows", strings.Count(doc.Markdown, "sack of oats"))
	}
	whole := ParseOptions{Formats: []formats.Format{{Type: formats.HTML}}, Timeout: slow}
	for name, c := range map[string]struct {
		rows int
		o    ParseOptions
	}{"the text": {5 * rows, ParseOptions{Timeout: slow}}, "the tree": {rows, whole}} {
		_, err := e.Parse(t.Context(), table(c.rows), c.o)
		if CodeOf(err) != CodeUnsupportedFile || !strings.Contains(err.Error(), "1048576 bytes of memory") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
