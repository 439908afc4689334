package formats

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/content/sample"
)

// converted makes Markdown of a page.
type converted func(address string, page []byte) (string, error)

// converters are ours and, as the measure to compare with, the bare one that ours writes with, which always takes the whole page.
func converters(onlyMainContent bool) map[string]converted {
	bare := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))
	return map[string]converted{
		"winnow": func(address string, page []byte) (string, error) {
			d, err := Parse(context.Background(), Source{URL: address, MediaType: "text/html", Body: page})
			if err != nil {
				return "", err
			}
			out, err := d.Render(context.Background(), Options{Formats: []Type{Markdown}, OnlyMainContent: onlyMainContent, RemoveBase64Images: true})
			if err != nil {
				return "", err
			}
			return out.Markdown, nil
		},
		"bare": func(address string, page []byte) (string, error) {
			doc, err := html.Parse(bytes.NewReader(page))
			if err != nil {
				return "", err
			}
			md, err := bare.ConvertNode(doc, converter.WithDomain(address))
			return string(md), err
		},
	}
}

// converterNames are the keys of converters in the order of the table.
var converterNames = []string{"winnow", "bare"}

// BenchmarkMainContent converts real pages whose main content is known, measures what comes out and prints a table of the figures for
// each sample. WINNOW_CORPUS names the folder that holds the samples wcxb-dev and wcxb-dev2; WINNOW_IDS, if set, a file with the ids
// of the pages to take.
func BenchmarkMainContent(b *testing.B) {
	for _, c := range realPages(b) {
		b.Run(c.name, func(b *testing.B) {
			var columns []column
			for _, name := range converterNames {
				convert := converters(true)[name]
				b.Run(name, func(b *testing.B) { columns = append(columns, column{name, benchPages(b, c.pages, convert)}) })
			}
			if len(columns) == 0 {
				return
			}
			if err := writeTable(os.Stdout, c.name, columns); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// benchPages reports, beside what the figures say, how many times the median per byte the slowest page takes.
func benchPages(b *testing.B, pages []sample.Page, convert converted) *figures {
	markdown, best := make([]string, len(pages)), make([]time.Duration, len(pages))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		for i, p := range pages {
			begin := time.Now()
			md, err := convert(p.URL, p.HTML)
			if err != nil {
				b.Fatalf("%s: %v", p.ID, err)
			}
			markdown[i] = md
			if took := time.Since(begin); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	runtime.ReadMemStats(&after)
	f, err := figuresOf(pages, markdown)
	if err != nil {
		b.Fatal(err)
	}
	n := float64(b.N * len(pages))
	f.speed, f.memory = n/b.Elapsed().Seconds(), float64(after.TotalAlloc-before.TotalAlloc)/n/1e6
	b.ReportMetric(worstPerByte(pages, best), "worst/median")
	report(b, f)
	return f
}

func report(b *testing.B, f *figures) {
	b.ReportMetric(f.all.of(f.all.f1), "F1")
	b.ReportMetric(f.macro(), "macro-F1")
	b.ReportMetric(100*f.low.value(), "%under-0.5")
	b.ReportMetric(f.speed, "pages/s")
	b.ReportMetric(f.memory, "MB/page")
}

// worstPerByte leaves small pages out, whose fixed costs are most of theirs. It is 0 where all are small.
func worstPerByte(pages []sample.Page, took []time.Duration) float64 {
	const small = 4 << 10
	var perByte []float64
	for i, p := range pages {
		if len(p.HTML) > small {
			perByte = append(perByte, float64(took[i])/float64(len(p.HTML)))
		}
	}
	if len(perByte) == 0 {
		return 0
	}
	slices.Sort(perByte)
	return perByte[len(perByte)-1] / perByte[len(perByte)/2]
}

// BenchmarkRoundTrip makes Markdown of the HTML of each example of GFM's specification, and of that what a reader makes of it, and reports
// the share that comes back the same. WINNOW_CORPUS names the folder that holds markdown/gfm-spec.txt.
func BenchmarkRoundTrip(b *testing.B) {
	spec, err := os.ReadFile(filepath.Join(corpusFolder(b), "markdown", "gfm-spec.txt"))
	if err != nil {
		b.Fatal(err)
	}
	examples := specExamples(string(spec))
	if len(examples) == 0 {
		b.Fatal("markdown/gfm-spec.txt has no examples")
	}
	for _, name := range converterNames {
		convert := converters(false)[name]
		b.Run(name, func(b *testing.B) { benchExamples(b, examples, convert) })
	}
}

func benchExamples(b *testing.B, examples []specExample, convert converted) {
	markdown := make([]string, len(examples))
	for b.Loop() {
		for i, e := range examples {
			md, err := convert("", []byte(e.html)) // without an address links stay as they are
			if err != nil {
				b.Fatalf("%s: %v", e.section, err)
			}
			markdown[i] = md
		}
	}
	strict, lenient, err := cameBack(examples, markdown)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(examples)), "examples")
	b.ReportMetric(100*strict.value(), "%strict")
	b.ReportMetric(100*lenient.value(), "%lenient")
}
