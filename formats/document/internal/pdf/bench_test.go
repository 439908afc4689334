package pdf

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// bookPages is a made file of pages with a header, two paragraphs and a page number each.
func bookPages(n int) []byte {
	pages := make([]pdftest.Page, n)
	for i := range pages {
		var c strings.Builder
		c.WriteString(pdftest.TextAt("F1", 8, 72, 760, "The Harbour at Low Water"))
		for l := range 46 {
			c.WriteString(pdftest.TextAt("F1", 10, 72, 720-14*float64(l), fmt.Sprintf("Line %d of page %d tells of the harbour and of its boats, which leave with the tide.", l, i)))
		}
		c.WriteString(pdftest.TextAt("F1", 9, 300, 30, fmt.Sprint(i+1)))
		pages[i].Content = c.String()
	}
	return pdftest.File("", pages...)
}

func BenchmarkRead_book(b *testing.B) {
	const pages = 200
	body := bookPages(pages)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(b.Context(), body, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(pages*float64(b.N)/b.Elapsed().Seconds(), "pages/s")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys>>20), "peak-heap-MB")
}

func BenchmarkRead_corpus(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("WINNOW_CORPUS"), "pdf", "*.pdf"))
	if os.Getenv("WINNOW_CORPUS") == "" || len(files) == 0 {
		b.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	pages := 0
	for b.Loop() {
		for _, path := range files {
			body, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			if doc, err := Read(b.Context(), body, Options{}); err == nil {
				pages += len(doc.Pages)
			}
		}
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}
