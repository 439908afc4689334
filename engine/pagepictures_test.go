package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document"
)

// pictures stands for a program that draws pages.
type pictures struct{}

func (pictures) OpenPages(context.Context, document.Input) (document.OpenPages, error) {
	return pictures{}, nil
}

func (pictures) NumPages() int { return 1 }

func (pictures) DrawPage(context.Context, int) (document.Image, error) {
	return document.Image{Body: []byte("drawn"), MediaType: "image/png"}, nil
}

func (pictures) Close() error { return nil }

func TestParse_recognitionReadsPagePictures(t *testing.T) {
	body := pdfOf(") Tj ET " + strings.Repeat("72 700 m 80 700 l 76 712 l h f ", 20) + "BT (")
	parse := func(o Options) *Document {
		t.Helper()
		o.OCR = reader{"Sold out"}
		doc, err := newTestEngine(t, o).Parse(t.Context(), ParseInput{Reader: strings.NewReader(string(body)), Name: "a.pdf"}, ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	if doc := parse(Options{PagePictures: pictures{}}); doc.Markdown != "Sold out" || doc.Warning != "" {
		t.Errorf("got %q, warning %q", doc.Markdown, doc.Warning)
	}
	if doc := parse(Options{}); doc.Markdown != "" || !strings.Contains(doc.Warning, "page 1: there are shapes and no text") {
		t.Errorf("without pictures: got %q, warning %q", doc.Markdown, doc.Warning)
	}
}
