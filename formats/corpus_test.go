package formats

import (
	"bytes"
	"compress/gzip"
	"io"
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
)

// realPages are those of the folder wcxb-dev/html in the folder that WINNOW_CORPUS names.
func realPages(tb testing.TB) [][]byte {
	tb.Helper()
	root := os.Getenv("WINNOW_CORPUS")
	if root == "" {
		tb.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	files, err := filepath.Glob(filepath.Join(root, "wcxb-dev", "html", "*.html.gz"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no pages below %s: %v", root, err)
	}
	var pages [][]byte
	for _, name := range files {
		pages = append(pages, unzipped(tb, name))
	}
	return pages
}

func unzipped(tb testing.TB, name string) []byte {
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

// BenchmarkCorpus converts real pages: to their main content as Markdown, and, as the measure to compare with, whole by the bare
// converter. Beside time and allocations a page it tells how many times the median per byte the slowest page takes.
func BenchmarkCorpus(b *testing.B) {
	pages := realPages(b)
	bare := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))
	for _, way := range []struct {
		name string
		run  func(page []byte) error
	}{
		{"main", func(page []byte) error {
			return benchRender(Options{Formats: []Type{Markdown}, OnlyMainContent: true})(Source{URL: goldenURL, MediaType: "text/html", Body: page})
		}},
		{"bare", func(page []byte) error {
			doc, err := html.Parse(bytes.NewReader(page))
			if err == nil {
				_, err = bare.ConvertNode(doc)
			}
			return err
		}},
	} {
		b.Run(way.name, func(b *testing.B) { benchCorpus(b, pages, way.run) })
	}
}

func benchCorpus(b *testing.B, pages [][]byte, run func([]byte) error) {
	best := make([]time.Duration, len(pages))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		for i, page := range pages {
			begin := time.Now()
			if err := run(page); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(begin); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	runtime.ReadMemStats(&after)
	n := float64(b.N * len(pages))
	b.ReportMetric(n/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/n/1e6, "MB/page")
	b.ReportMetric(worstPerByte(pages, best), "worst/median")
}

// worstPerByte leaves small pages out, whose fixed costs are most of theirs.
func worstPerByte(pages [][]byte, took []time.Duration) float64 {
	const small = 4 << 10
	var perByte []float64
	for i, page := range pages {
		if len(page) > small {
			perByte = append(perByte, float64(took[i])/float64(len(page)))
		}
	}
	slices.Sort(perByte)
	return perByte[len(perByte)-1] / perByte[len(perByte)/2]
}
