package engine

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

var oats = pdfOf("Oats are sown early in spring.\nThey keep best in a dry loft.", "Barley is sown in autumn.")

// library serves files, each under the type that servers give it.
func library(t testing.TB) http.Handler {
	files := map[string]struct {
		mediaType string
		body      []byte
	}{
		"/oats.pdf":    {"application/pdf", oats},
		"/unsaid":      {"application/octet-stream", oats},
		"/lying.html":  {"text/html", oats},
		"/letter.docx": {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", docxOf(t, "To the miller", "Twelve sacks are yours.")},
		"/wrong.pdf":   {"application/pdf", docxOf(t, "To the baker", "No sacks are yours.")},
		"/t.csv":       {"text/csv; charset=iso-8859-1", []byte("Crop;Sacks\nBl\xe9;12\n")},
		"/feed":        {"application/rss+xml", []byte(`<rss version="2.0"><channel><title>News</title><item><title>Oats sold</title><link>/news/1</link><description>All of them.</description></item></channel></rss>`)},
		"/p.png":       {"image/png", pngOf(t)},
		"/broken.pdf":  {"application/pdf", []byte("%PDF-1.4\nnothing")},
		"/old.doc":     {"application/msword", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600))},
		"/page":        {"text/html", []byte(`<main><h1>Files</h1><p>All that there is: <a href="/oats.pdf">Oats</a>, <a href="letter.docx">Letter</a>, <a href="/old.doc">Old</a></p></main>`)},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", f.mediaType)
		w.Write(f.body)
	})
}

func TestScrape_readsFiles(t *testing.T) {
	e := cachingEngine(t, library(t))
	const text = "Oats are sown early in spring. They keep best in a dry loft.\n\nBarley is sown in autumn."
	for path, want := range map[string]struct {
		markdown       string
		pages, credits int
	}{
		"/oats.pdf":    {text, 2, 2},
		"/unsaid":      {text, 2, 2},
		"/lying.html":  {text, 2, 2},
		"/letter.docx": {"# To the miller\n\nTwelve sacks are yours.", 0, 1},
		"/wrong.pdf":   {"# To the baker\n\nNo sacks are yours.", 0, 1},
		"/t.csv":       {"| Crop | Sacks |\n|---|---|\n| Blé | 12 |", 0, 1},
	} {
		for _, from := range []string{"miss", "hit"} {
			doc := scrapeOK(t, e, "https://granary.example"+path, ScrapeOptions{})
			m := doc.Metadata
			if doc.Markdown != want.markdown || m.NumPages != want.pages || m.TotalPages != want.pages || m.CreditsUsed != want.credits || m.CacheState != from {
				t.Errorf("%s: got %q, %d pages, %d credits, %s; want %+v, %s", path, doc.Markdown, m.NumPages, m.CreditsUsed, m.CacheState, want, from)
			}
			if path == "/oats.pdf" && (m.Title != "On oats" || m.ContentType != "application/pdf") {
				t.Errorf("metadata %+v", m)
			}
		}
	}
	feed := scrapeOK(t, e, "https://granary.example/feed", ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Links}}})
	if !strings.Contains(feed.Markdown, "Oats sold") || !strings.Contains(feed.Markdown, "All of them.") || !strings.Contains(strings.Join(feed.Links, " "), "https://granary.example/news/1") {
		t.Errorf("feed: %q, links %v", feed.Markdown, feed.Links)
	}
	picture := scrapeOK(t, e, "https://granary.example/p.png", ScrapeOptions{})
	if !strings.Contains(picture.Markdown, "8") || !strings.Contains(picture.Markdown, "PNG") {
		t.Errorf("picture: %q", picture.Markdown)
	}
}

func TestScrape_parsersOfAPDF(t *testing.T) {
	e := cachingEngine(t, library(t))
	const url = "https://granary.example/oats.pdf"
	scrapeOK(t, e, url, ScrapeOptions{})
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask := func(parsers []Parser) *Document { // of the bytes that are stored, whatever was asked of them first
		return scrapeOK(t, e, url, ScrapeOptions{Parsers: parsers, Lockdown: true, Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.HTML}}})
	}
	if doc := ask([]Parser{}); doc.Markdown != base64.StdEncoding.EncodeToString(oats) || doc.HTML != doc.Markdown || doc.Metadata.NumPages != 0 {
		t.Errorf("unread: %.60q, %+v", doc.Markdown, doc.Metadata)
	}
	if doc := ask([]Parser{{Type: "pdf", MaxPages: 1}}); strings.Contains(doc.Markdown, "Barley") || doc.Metadata.NumPages != 1 || doc.Metadata.TotalPages != 2 {
		t.Errorf("one page: %q, %+v", doc.Markdown, doc.Metadata)
	}
	doc := ask([]Parser{{Type: "pdf", Pages: true, Blocks: true, PageMarkers: true}})
	if want := "a dry loft.\n\n---\n\n<!-- page 2 -->\n\nBarley is sown in autumn."; !strings.HasSuffix(doc.Markdown, want) {
		t.Errorf("markers: got %q, want it to end with %q", doc.Markdown, want)
	}
	if len(doc.Pages) != 2 || doc.Pages[1] != (PageMarkdown{2, "Barley is sown in autumn."}) {
		t.Errorf("pages: %+v", doc.Pages)
	}
	if len(doc.Blocks) != 2 || len(doc.Blocks[1].Items) != 1 {
		t.Fatalf("blocks: %+v", doc.Blocks)
	}
	b := doc.Blocks[1].Items[0]
	if b.ID != "p2.b1" || b.Content != "Barley is sown in autumn." || b.MarkdownSpan == nil || *b.MarkdownSpan != [2]int{0, len(b.Content)} || b.BBox[0] >= b.BBox[2] || b.Source != "text" {
		t.Errorf("block: %+v", b)
	}
	if plain := ask(nil); plain.Pages != nil || plain.Blocks != nil || strings.Contains(plain.Markdown, "<!--") {
		t.Errorf("unasked: %+v", plain)
	}
}

func TestScrape_filesThatGiveNoDocument(t *testing.T) {
	e := cachingEngine(t, library(t))
	for path, code := range map[string]Code{"/broken.pdf": CodeUnsupportedFile, "/old.doc": CodeUnsupportedFile} {
		if _, err := e.Scrape(t.Context(), "https://granary.example"+path, ScrapeOptions{}); CodeOf(err) != code {
			t.Errorf("%s: got %v, want %s", path, err, code)
		}
	}
	e.options.OCR = nil // as where tesseract isn't installed
	_, err := e.Scrape(t.Context(), "https://granary.example/p.png", ScrapeOptions{Parsers: []Parser{{Type: "image"}}})
	if CodeOf(err) != CodePDFNeedsOCR {
		t.Errorf("recognition without a recogniser: got %v, want %s", err, CodePDFNeedsOCR)
	}
}

// reader recognises the same text in every picture.
type reader struct{ text string }

func (r reader) Recognize(_ context.Context, img document.Image) (document.Recognized, error) {
	if img.MediaType != "image/png" || len(img.Body) == 0 {
		return document.Recognized{}, errors.New("no picture")
	}
	return document.Recognized{Paragraphs: []document.Paragraph{{Text: r.text, Confidence: 0.9}}}, nil
}

func TestScrape_recognisesPicturesWhereAsked(t *testing.T) {
	e := cachingEngine(t, library(t), func(o *Options) { o.OCR = reader{"Sold out"} })
	doc := scrapeOK(t, e, "https://granary.example/p.png", ScrapeOptions{Parsers: []Parser{{Type: "image"}}})
	if !strings.Contains(doc.Markdown, "Sold out") {
		t.Errorf("got %q", doc.Markdown)
	}
	if doc := scrapeOK(t, e, "https://granary.example/p.png", ScrapeOptions{}); strings.Contains(doc.Markdown, "Sold out") {
		t.Errorf("unasked: got %q", doc.Markdown)
	}
}

// extractor stands for another reader of PDFs.
type extractor struct{}

func (extractor) ExtractPDF(_ context.Context, in document.Input, _ document.Options) (*document.Result, error) {
	return &document.Result{Kind: document.PDF, HTML: []byte("<p>read elsewhere, " + in.Name + "</p>"), NumPages: 3, TotalPages: 3}, nil
}

func TestScrape_anotherPDFReader(t *testing.T) {
	e := cachingEngine(t, library(t), func(o *Options) { o.PDFExtractor = extractor{} })
	doc := scrapeOK(t, e, "https://granary.example/oats.pdf", ScrapeOptions{})
	if doc.Markdown != "read elsewhere, oats.pdf" || doc.Metadata.CreditsUsed != 3 {
		t.Errorf("got %q for %d credits", doc.Markdown, doc.Metadata.CreditsUsed)
	}
}

func TestCrawl_readsTheFilesThatPagesLinkTo(t *testing.T) {
	e := cachingEngine(t, library(t))
	job, err := e.Crawl(t.Context(), "https://granary.example/page", CrawlOptions{CrawlEntireDomain: true, Sitemap: SitemapSkip})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		got[doc.Metadata.URL] = doc.Markdown
	}
	if len(got) != 3 || !strings.Contains(got["https://granary.example/oats.pdf"], "Barley") || !strings.Contains(got["https://granary.example/letter.docx"], "miller") {
		t.Errorf("got %v", got)
	}
	failed, err := job.Errors(t.Context())
	if err != nil || len(failed) != 1 || failed[0].Code != CodeUnsupportedFile {
		t.Errorf("errors %+v, %v; want the old document's", failed, err)
	}
	if s, err := job.Status(t.Context()); err != nil || s.CreditsUsed != 1+2+1 {
		t.Errorf("%+v, %v; want 4 credits", s, err)
	}
}

func TestScrape_aBrowserThatMeetsAFileLeavesItToHTTP(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	e := hostEngine(t, map[string]http.Handler{"granary.example": library(t)}, func(*Options) {})
	for _, path := range []string{"/oats.pdf", "/letter.docx"} {
		doc := scrapeOK(t, e, "https://granary.example"+path, ScrapeOptions{Render: RenderAlways})
		if !strings.Contains(doc.Markdown, "sacks are yours") && !strings.Contains(doc.Markdown, "dry loft") {
			t.Errorf("%s: got %q", path, doc.Markdown)
		}
	}
}

func TestParse_readsFilesAndKeepsNothingWhereAsked(t *testing.T) {
	dir, log := t.TempDir(), &logBuffer{}
	e := newTestEngine(t, Options{Dir: dir, Logger: log.logger(), AllowZeroDataRetention: true})
	doc, err := e.Parse(t.Context(), ParseInput{Reader: strings.NewReader(string(pdfOf("A text about kernelmarker."))), Name: "secretname.pdf"}, ParseOptions{ZeroDataRetention: true, Owner: "o"})
	if err != nil || doc.Markdown != "A text about kernelmarker." || doc.Metadata.NumPages != 1 {
		t.Fatalf("got %+v, %v", doc, err)
	}
	if _, err := e.Parse(t.Context(), ParseInput{Reader: strings.NewReader("%PDF-1.4 kernelmarker"), Name: "secretname.pdf"}, ParseOptions{ZeroDataRetention: true}); err == nil || strings.Contains(err.Error(), "secretname") {
		t.Errorf("the error tells the name, or there is none: %v", err)
	}
	if _, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID); CodeOf(err) != CodeNotFound {
		t.Errorf("a record: %v", err)
	}
	if list, _, err := e.Activity(t.Context(), ActivityQuery{}); err != nil || len(list) != 0 {
		t.Errorf("activity %+v, %v", list, err)
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := foundIn(t, dir, "kernelmarker", "secretname"); len(found) != 0 || strings.Contains(log.String(), "secretname") {
		t.Errorf("found in %v, log %q", found, log.String())
	}
}
