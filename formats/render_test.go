package formats

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	unsafe "github.com/yuin/goldmark/renderer/html"
)

var allTypes = []Type{Markdown, HTML, RawHTML, RawBase64, Links, Images, Attributes}

func TestRender_onlyWhatIsAskedFor(t *testing.T) {
	d := mustParse(t, `<title>T</title><p>x <a href="/y">y</a><img src="z">`, "text/html")
	out := render(t, d, Options{})
	if want := (&Output{Metadata: Metadata{Title: "T"}}); !reflect.DeepEqual(out, want) {
		t.Errorf("got %+v, want metadata only", out)
	}
	out = render(t, d, Options{}, Links, Summary, Screenshot)
	if want := []string{"https://example.com/y"}; !reflect.DeepEqual(out.Links, want) || out.Markdown != "" || out.HTML != "" {
		t.Errorf("got %+v, want links only", out)
	}
}

func TestRender_rawFormatsAreUntouched(t *testing.T) {
	raw := []byte("\xEF\xBB\xBF<P>A &amp; B<!-- c -->\r\n")
	d, err := Parse(context.Background(), Source{URL: goldenURL, MediaType: "text/html", Body: raw, Raw: []byte{0, 255}})
	if err != nil {
		t.Fatal(err)
	}
	out := render(t, d, Options{}, RawHTML, RawBase64)
	if out.RawHTML != string(raw) {
		t.Errorf("rawHtml: got %q, want %q", out.RawHTML, raw)
	}
	if want := base64.StdEncoding.EncodeToString([]byte{0, 255}); out.RawBase64 != want {
		t.Errorf("rawBase64: got %q, want %q", out.RawBase64, want)
	}
}

func TestRender_domStaysUsable(t *testing.T) {
	body := corpusPage(t, "markdown/article.in.html")
	d := mustParse(t, body, "text/html")
	first := render(t, d, Options{}, allTypes...)
	_ = render(t, d, Options{OnlyMainContent: true, IncludeTags: []string{"p"}, ExcludeTags: []string{"a"}}, allTypes...)
	_, _, _ = ask(t, d.Signals), ask(t, d.Text), ask(t, d.MainText)
	if again := render(t, d, Options{}, allTypes...); !reflect.DeepEqual(again, first) {
		t.Errorf("second Render differs: got %+v, want %+v", again, first)
	}
}

func TestRender_isDeterministic(t *testing.T) {
	for _, file := range corpusFiles(t) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var first *Output
		for range 3 {
			d := mustParse(t, string(body), "text/html")
			out := render(t, d, Options{OnlyMainContent: true, Selectors: []Selector{{"a", "href"}}}, allTypes...)
			if first == nil {
				first = out
			}
			if !reflect.DeepEqual(out, first) {
				t.Errorf("%s: the same bytes gave another output", file)
			}
		}
	}
}

func TestRender_badSelectorsAreOptionErrors(t *testing.T) {
	cases := []struct {
		o     Options
		field string
	}{
		{Options{IncludeTags: []string{"p", "div["}}, "includeTags[1]"},
		{Options{ExcludeTags: []string{":nope(x)"}}, "excludeTags[0]"},
		{Options{ExcludeTags: []string{strings.Repeat("a ", 600)}}, "excludeTags[0]"},
	}
	for _, mediaType := range []string{"text/html", "text/plain"} {
		d := mustParse(t, "<p>x", mediaType)
		for _, c := range cases {
			c.o.Formats = []Type{Markdown}
			_, err := d.Render(context.Background(), c.o)
			for _, err := range []error{err, c.o.Validate()} {
				var got *OptionError
				if !errors.As(err, &got) || got.Field != c.field {
					t.Errorf("%s: got %v, want an OptionError of %s", mediaType, err, c.field)
				}
			}
		}
	}
	valid := Options{IncludeTags: []string{"", "  ", "*x*", "a > b:not(.c)"}, ExcludeTags: []string{"iframe"}}
	if err := valid.Validate(); err != nil {
		t.Error(err)
	}
}

func TestRender_stopsWhenContextIsDone(t *testing.T) {
	d := mustParse(t, strings.Repeat("<p>Some <b>text</b> that <a href=x>goes</a> on.</p>", 1000), "text/html")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.Render(ctx, Options{Formats: []Type{Markdown}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Render: got %v, want context.Canceled", err)
	}
	if _, err := Parse(ctx, Source{Body: []byte("<p>x")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Parse: got %v, want context.Canceled", err)
	}
}

// doneAfter is a context that is done once Err was asked a number of times.
type doneAfter struct {
	context.Context
	left int
}

func (d *doneAfter) Err() error {
	if d.left--; d.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestRender_stopsInTheMiddle(t *testing.T) {
	body := strings.Repeat("<p>Some <b>text</b> that <a href=x>goes</a> on.</p>", 500)
	stopped := 0
	for _, left := range []int{1, 5, 20, 100, 500} {
		ctx := &doneAfter{context.Background(), left}
		d, err := Parse(ctx, Source{URL: goldenURL, Body: []byte(body)})
		if err == nil {
			_, err = d.Render(ctx, Options{Formats: []Type{Markdown}})
		}
		if errors.Is(err, context.Canceled) {
			stopped++
		}
	}
	if stopped != 5 {
		t.Errorf("stopped %d times of 5", stopped)
	}
}

func TestParse_nestedBeyondTheParsersLimit(t *testing.T) {
	cases := map[string]string{
		"divs":          strings.Repeat("<div>", 5000) + "<p>bottom</p>",
		"spans":         strings.Repeat("<span>", 5000) + "bottom",
		"lists":         strings.Repeat("<ul><li>", 3000) + "bottom",
		"tables":        strings.Repeat("<table><tr><td>", 1000) + "bottom",
		"links":         strings.Repeat("<p><a href=x>", 2000) + "bottom",
		"unknown":       strings.Repeat("<x-y>", 2000) + "<script>var a = '</x-y>'</script>bottom",
		"attributes":    "<b" + strings.Repeat(" a b c d", 3000) + ">" + strings.Repeat("<p>", 10) + "bottom",
		"formatting":    strings.Repeat("<b><i><u>", 1000) + "<p>bottom",
		"body tags":     strings.Repeat("<body a=b>", 1000) + "bottom",
		"blockquotes":   strings.Repeat("<blockquote>", 1000) + "bottom" + strings.Repeat("</blockquote>", 1000),
		"svg":           strings.Repeat("<svg><g>", 1000) + strings.Repeat("</g></svg>", 1000) + "bottom",
		"after the end": strings.Repeat("<div>", 600) + strings.Repeat("</div>", 600) + "<h1>bottom</h1>",
	}
	for name, body := range cases {
		d := mustParse(t, "<p>top</p>"+body, "text/html")
		if text := ask(t, d.Text); !strings.Contains(text, "top") || !strings.Contains(text, "bottom") {
			t.Errorf("%s: got text %q, want top and bottom", name, text)
		}
		out := render(t, d, Options{OnlyMainContent: true}, Markdown, HTML)
		if !strings.Contains(out.Markdown, "bottom") || !strings.Contains(out.HTML, "bottom") {
			t.Errorf("%s: got %q, want bottom in it", name, out.Markdown)
		}
	}
}

func TestParse_structureSurvivesFlattening(t *testing.T) {
	d := mustParse(t, strings.Repeat("<div>", 600)+`<h2>Title</h2><ul><li>one</li><li><a href="/two">two</a></li></ul>`, "text/html")
	got := render(t, d, Options{}, Markdown).Markdown
	if want := "## Title\n\n- one\n- [two](https://example.com/two)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParse_kindOfBody(t *testing.T) {
	cases := []struct {
		mediaType, body string
		want            kind
	}{
		{"", "  <!doctype html><p>x", kindHTML},
		{"", "hello <p>world</p>", kindHTML},
		{"", "just text", kindPlain},
		{"", `{"a":1}`, kindJSON},
		{"", "", kindHTML},
		{"application/octet-stream", "<html>", kindHTML},
		{"text/html", "{}", kindHTML},
		{"application/ld+json", "{}", kindJSON},
		{"application/xml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>`, kindHTML},
		{"text/xml", "<rss/>", kindSource},
		{"image/svg+xml", "<svg/>", kindSource},
		{"text/markdown", "# x", kindMarkdown},
		{"text/plain", "<p>", kindPlain},
		{"text/css", "p{}", kindSource},
	}
	for _, c := range cases {
		if got := kindOf(Source{MediaType: c.mediaType, Body: []byte(c.body)}); got != c.want {
			t.Errorf("%s %q: got %d, want %d", c.mediaType, c.body, got, c.want)
		}
	}
}

func TestParse_badAddressOfThePage(t *testing.T) {
	d, err := Parse(context.Background(), Source{URL: "not a url", MediaType: "text/html", Body: []byte(`<a href="rel">r</a> <a href="https://example.com/abs">a</a>`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ask(t, d.Links), []string{"https://example.com/abs"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestText_foldsWhiteSpaceAndKeepsWordsApart(t *testing.T) {
	d := mustParse(t, "<title>no</title><p>one\n <b>two</b>three<p>four<br>five<script>no</script><p>six<div hidden>seven</div>", "text/html")
	if got, want := ask(t, d.Text), "one twothree four five six seven"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMainText_isWithoutNavigation(t *testing.T) {
	d := mustParse(t, corpusPage(t, "main/docs-page.in.html"), "text/html")
	if got := ask(t, d.MainText); !strings.Contains(got, "Bees do not sleep") || strings.Contains(got, "Reference") {
		t.Errorf("got %q, want the article without the side bar", got)
	}
}

func TestMarkdown_isIdempotent(t *testing.T) {
	notYet := map[string]string{
		"testdata/markdown/math.in.html": "the reader used here takes backslashes in formulas for escapes",
	}
	gm := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(unsafe.WithUnsafe()))
	for _, file := range corpusFiles(t) {
		if notYet[file] != "" {
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		once := render(t, mustParse(t, string(body), "text/html"), Options{}, Markdown).Markdown
		var html bytes.Buffer
		if err := gm.Convert([]byte(once), &html); err != nil {
			t.Fatal(err)
		}
		twice := render(t, mustParse(t, html.String(), "text/html"), Options{}, Markdown).Markdown
		if once != twice {
			t.Errorf("%s: got\n%s\nwant\n%s", file, twice, once)
		}
	}
}

func corpusPage(t testing.TB, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func corpusFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/m*/*.in.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	return files
}

// FuzzRender: any bytes give every format without a panic, as valid UTF-8, within a bounded length, twice the same.
func FuzzRender(f *testing.F) {
	for _, file := range corpusFiles(f) {
		body, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, uint8(0))
		f.Add(body, uint8(1))
	}
	for i, s := range []string{"<", "<table><colgroup><td rowspan=9 colspan=9>", "[a](b)", "{\"a\":", "<b><p><i></b>x", "<pre><table><tr><td class=gutter><pre>", "\xff<p>\xc3", "<select><option>", "<svg><a xlink:href=x>",
		"<ul><table><li><tr>", "<a href='data:x'><a>", "<math><mi>x<annotation-xml>", "<template><td>", "<frameset><frame>", "<li><input type=checkbox><p>"} {
		f.Add([]byte(s), uint8(i))
	}
	mediaTypes := []string{"text/html", "text/html", "", "text/plain", "text/markdown", "application/json", "application/xml"}
	f.Fuzz(func(t *testing.T, body []byte, how uint8) {
		o := Options{Formats: allTypes, Selectors: []Selector{{"a", "href"}}, OnlyMainContent: how&1 == 1, RemoveBase64Images: how&2 == 2}
		if how&4 == 4 {
			o.IncludeTags, o.ExcludeTags = []string{"p", "*a*", "td"}, []string{"b", "*=\"x*"}
		}
		src := Source{URL: goldenURL, MediaType: mediaTypes[int(how)%len(mediaTypes)], Body: body}
		d, err := Parse(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		out, err := d.Render(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range append([]string{out.Markdown, out.HTML, out.RawHTML, ask(t, d.Text), ask(t, d.MainText)}, append(out.Links, out.Images...)...) {
			if !utf8.ValidString(s) {
				t.Errorf("not UTF-8: %q", s)
			}
		}
		if limit := 40*len(body) + 1000 + strings.Count(string(body), "<")*len(goldenURL)*8; len(out.Markdown) > limit {
			t.Errorf("markdown of %d bytes from %d", len(out.Markdown), len(body))
		}
		_ = ask(t, d.Signals)
		if again, err := d.Render(context.Background(), o); err != nil || !reflect.DeepEqual(out, again) {
			t.Errorf("second Render differs: %v", err)
		}
	})
}

// What is kept of a page where no selector matches is nothing, which a warning says.
func TestRender_includeTagsWithoutAMatchIsAWarning(t *testing.T) {
	d := mustParse(t, "<main><p>Some words.</p></main>", "text/html")
	for tag, want := range map[string]int{"aside": 1, "*ASIDE*": 1, "p": 0} {
		out := render(t, d, Options{OnlyMainContent: true, IncludeTags: []string{tag}}, Markdown)
		if len(out.Warnings) != want || (out.Markdown == "") != (want == 1) {
			t.Errorf("%s: got %q with warnings %q", tag, out.Markdown, out.Warnings)
		}
	}
	if out := render(t, d, Options{IncludeTags: []string{"aside", "p"}}, Markdown); out.Warnings != nil {
		t.Errorf("one of two matches: %q", out.Warnings)
	}
}
