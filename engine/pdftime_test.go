package engine

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats/document"
)

// scanOf is a PDF of pages that each are one image.
func scanOf(pages int) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray/Length 8>>\nstream\nUUUUUUUU\nendstream"}
	const draw = "q 612 0 0 792 0 0 cm /I Do Q"
	objects = append(objects, fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(draw), draw))
	kids := ""
	for range pages {
		objects = append(objects, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I 3 0 R>>>>/Contents 4 0 R>>")
		kids += fmt.Sprintf("%d 0 R ", len(objects))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", pages, kids)
	return pdfFile(append(objects, "<<>>"))
}

// slowReader recognizes text, but the page of that number not before its time is over.
type slowReader struct {
	slow atomic.Int64
	n    atomic.Int64
}

func (r *slowReader) Recognize(ctx context.Context, _ document.Image) (document.Recognized, error) {
	n := r.n.Add(1)
	if n == r.slow.Load() {
		<-ctx.Done()
		return document.Recognized{}, ctx.Err()
	}
	return document.Recognized{Paragraphs: []document.Paragraph{{Text: fmt.Sprintf("Sheet %d.", n), Confidence: 0.9}}}, nil
}

const pdfTime = 15 * time.Second // also on a busy machine there is time for the first pages, and in its last fifth for the rest

func TestParse_aPDFIsReadAsFarAsTheTimeGoes(t *testing.T) {
	t.Parallel()
	ocr := &slowReader{}
	ocr.slow.Store(3)
	e := newTestEngine(t, Options{OCR: ocr})
	var pages []int
	o := ParseOptions{Timeout: pdfTime, OnPage: func(done, all int) { pages = append(pages, done, all) }}
	doc := parsed(t, e, ParseInput{Reader: strings.NewReader(string(scanOf(5))), Name: "a.pdf"}, o)
	if !strings.Contains(doc.Warning, "pages 3 to 5") || doc.Markdown != "Sheet 1.\n\nSheet 2." || doc.Metadata.NumPages != 2 || doc.Metadata.TotalPages != 5 {
		t.Errorf("got %q, %q, %d of %d pages", doc.Markdown, doc.Warning, doc.Metadata.NumPages, doc.Metadata.TotalPages)
	}
	if !slices.Equal(pages, []int{1, 5, 2, 5}) {
		t.Errorf("progress: %v", pages)
	}
}

func TestParse_aPDFOfWhichNoPageIsReadIsAnError(t *testing.T) {
	t.Parallel()
	ocr := &slowReader{}
	ocr.slow.Store(1)
	e := newTestEngine(t, Options{OCR: ocr})
	_, err := e.Parse(t.Context(), ParseInput{Reader: strings.NewReader(string(scanOf(5))), Name: "a.pdf"}, ParseOptions{Timeout: pdfTime})
	if CodeOf(err) != CodePDFTime {
		t.Errorf("got %v", err)
	}
}

// What lacks pages isn't kept as the file's rendering.
func TestScrape_aPDFThatWasCutShortIsReadAgain(t *testing.T) {
	t.Parallel()
	ocr := &slowReader{}
	ocr.slow.Store(2)
	site := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(scanOf(3))
	})
	e := cachingEngine(t, site, func(o *Options) { o.OCR = ocr })
	first := scrapeOK(t, e, "https://granary.example/a.pdf", ScrapeOptions{Timeout: pdfTime})
	ocr.slow.Store(0)
	second := scrapeOK(t, e, "https://granary.example/a.pdf", ScrapeOptions{Timeout: pdfTime})
	if first.Metadata.NumPages != 1 || second.Metadata.NumPages != 3 || second.Metadata.CacheState != "hit" {
		t.Errorf("got %d, then %d pages, %s", first.Metadata.NumPages, second.Metadata.NumPages, second.Metadata.CacheState)
	}
}
