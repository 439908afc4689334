package formats

import (
	"context"
	"strings"
	"testing"
)

// benchPage is a page of some 60 kB, made from the fixed pages of testdata: an article with navigation, tables, code and lists.
func benchPage(tb testing.TB) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html lang=en><head><title>Bench</title><meta name=description content=x><script>" + strings.Repeat("var a=1;", 1000) + "</script></head><body>")
	b.WriteString("<nav>" + strings.Repeat(`<a href="/section/page">Entry</a> `, 60) + "</nav><main>")
	for range 8 {
		for _, name := range []string{"article", "tables", "nested-lists", "code", "forum", "cards"} {
			b.WriteString(corpusPage(tb, "markdown/"+name+".in.html"))
		}
	}
	b.WriteString("</main><footer>" + strings.Repeat(`<a href="/x">Link</a> `, 40) + "</footer></body></html>")
	return []byte(b.String())
}

func benchmark(b *testing.B, run func(src Source) error) {
	src := Source{URL: goldenURL, MediaType: "text/html", Body: benchPage(b)}
	b.SetBytes(int64(len(src.Body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := run(src); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}

func benchRender(o Options) func(Source) error {
	return func(src Source) error {
		d, err := Parse(context.Background(), src)
		if err == nil {
			_, err = d.Render(context.Background(), o)
		}
		return err
	}
}

func BenchmarkParse(b *testing.B) {
	benchmark(b, func(src Source) error {
		_, err := Parse(context.Background(), src)
		return err
	})
}

func BenchmarkMetadata(b *testing.B) {
	benchmark(b, benchRender(Options{}))
}

func BenchmarkSignals(b *testing.B) {
	benchmark(b, func(src Source) error {
		d, err := Parse(context.Background(), src)
		if err == nil {
			_, err = d.Signals(context.Background())
		}
		return err
	})
}

func BenchmarkMainText(b *testing.B) {
	benchmark(b, func(src Source) error {
		d, err := Parse(context.Background(), src)
		if err == nil {
			_, err = d.MainText(context.Background())
		}
		return err
	})
}

func BenchmarkHTML(b *testing.B) {
	benchmark(b, benchRender(Options{Formats: []Type{HTML}, OnlyMainContent: true}))
}

func BenchmarkMarkdown(b *testing.B) {
	benchmark(b, benchRender(Options{Formats: []Type{Markdown}, OnlyMainContent: true}))
}

func BenchmarkAllFormats(b *testing.B) {
	benchmark(b, benchRender(Options{Formats: allTypes, OnlyMainContent: true, Selectors: []Selector{{"a", "href"}}}))
}
