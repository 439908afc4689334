package document

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/document/internal/pdf"
)

// convertPDF reads a PDF.
func convertPDF(ctx context.Context, in Input, o Options) (*Result, error) {
	if o.Extractor != nil {
		return o.Extractor.ExtractPDF(ctx, in, o)
	}
	pages := o.Limits.Pages
	if o.MaxPages > 0 {
		pages = min(pages, o.MaxPages)
	}
	began := time.Now()
	options := pdf.Options{
		MaxPages: pages, Mode: o.Mode, Markers: o.PageMarkers, Password: in.Password,
		Unpacked: o.Limits.Unzipped, Text: o.Limits.Text,
		Recognize: recognizer(o.OCR), ResolveURL: resolver(in.URL), Progress: o.Progress,
		Pictures: o.pictures,
	}
	if o.PagePictures != nil {
		d := &drawing{from: o.PagePictures, in: in}
		defer d.close()
		options.Draw = d.draw
	}
	doc, err := pdf.Read(ctx, in.Body, options)
	if err != nil {
		return nil, pdfError(ctx, err, o, began)
	}
	return pdfResult(doc, o), nil
}

// pdfError makes the errors of this package of those of package pdf.
func pdfError(ctx context.Context, err error, o Options, began time.Time) error {
	if stop := ctx.Err(); stop != nil {
		return stop
	}
	if e, ok := errors.AsType[*pdf.PasswordError](err); ok {
		return &EncryptedError{Kind: PDF, Wrong: e.Given}
	}
	switch {
	case errors.Is(err, pdf.ErrTime):
		return &TimeError{After: time.Since(began)}
	case errors.Is(err, pdf.ErrTooLarge):
		return &TooLargeError{What: "unzipped", Limit: o.Limits.Unzipped}
	case errors.Is(err, pdf.ErrNoText):
		e := &OCRRequiredError{Kind: PDF}
		if o.OCR != nil && o.Mode != ModeFast {
			e.Err = err
		}
		return e
	}
	return &DamagedError{Kind: PDF, Err: err}
}

func pdfResult(doc *pdf.Document, o Options) *Result {
	m := Metadata{
		Title: doc.Info.Title, Author: doc.Info.Author, Subject: doc.Info.Subject, Language: doc.Info.Language,
		Keywords: doc.Info.Keywords, Producer: doc.Info.Producer, Created: doc.Info.Created, Modified: doc.Info.Modified,
	}
	res := &Result{
		Kind: PDF, Metadata: m, HTML: writeHTML(m, doc.HTML), Warnings: doc.Warnings,
		NumPages: len(doc.Pages), TotalPages: doc.TotalPages, Incomplete: doc.Incomplete,
	}
	if !o.Pages && !o.Blocks {
		return res
	}
	for _, p := range doc.Pages {
		page := Page{Number: p.Number, Width: p.Width, Height: p.Height, Status: p.Status}
		if o.Pages {
			page.HTML = p.HTML
		}
		if o.Blocks {
			page.Blocks = pdfBlocks(p)
		}
		res.Pages = append(res.Pages, page)
	}
	return res
}

// layoutConfidence is how sure a block's place and kind are: they are worked out, not written in the file.
const layoutConfidence = 0.9

func pdfBlocks(p pdf.Page) []Block {
	out := make([]Block, len(p.Blocks))
	for i, b := range p.Blocks {
		out[i] = Block{
			ID: blockID(p.Number, i+1), Type: b.Type, Label: b.Label, BBox: b.Box, Text: b.Text, HTML: b.HTML,
			ReadingOrder: i, Source: "text", Confidence: Confidence{Layout: layoutConfidence, OCR: 1},
		}
		if b.OCR > 0 {
			out[i].Source, out[i].Confidence.OCR = "ocr", b.OCR
		}
	}
	return out
}

// recognizer lets package pdf use an OCR.
func recognizer(ocr OCR) pdf.Recognizer {
	if ocr == nil {
		return nil
	}
	return func(ctx context.Context, image []byte, mediaType string) ([]pdf.Recognized, error) {
		r, err := ocr.Recognize(ctx, Image{Body: image, MediaType: mediaType})
		if err != nil {
			return nil, err
		}
		out := make([]pdf.Recognized, len(r.Paragraphs))
		for i, p := range r.Paragraphs {
			out[i] = pdf.Recognized{Text: p.Text, Box: p.BBox, Confidence: p.Confidence}
		}
		return out, nil
	}
}

// resolver makes links absolute against base. Links that are no web or mail address are dropped: a file may name
// programs and paths of the reader's machine.
func resolver(base string) func(string) string {
	from, err := weburl.NewBase(base)
	return func(link string) string {
		u, parseErr := weburl.Parse(link)
		if parseErr != nil && err == nil {
			u, parseErr = from.Resolve(link)
		}
		if parseErr != nil {
			return ""
		}
		for _, scheme := range []string{"https:", "http:", "mailto:", "tel:", "ftp:"} {
			if strings.HasPrefix(u, scheme) {
				return u
			}
		}
		return ""
	}
}

func blockID(page, index int) string { return fmt.Sprintf("p%d.b%d", page, index) }
