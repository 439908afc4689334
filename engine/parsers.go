package engine

import (
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats/document"
)

// The service's bounds of a PDF's pages.
const maxPDFPages = 10_000

// parserTypes in the order of a message.
var parserTypes = []string{"pdf", "image"}

// fileOptions checks how files are to be read. Nil parsers read PDFs.
func (e *Engine) fileOptions(parsers []Parser) (page.FileOptions, error) {
	o := &e.options
	f := page.FileOptions{OCR: o.OCR, Pictures: o.PagePictures, Extractor: o.PDFExtractor, Memory: o.MaxFileMemory}
	if parsers == nil {
		parsers = []Parser{{Type: "pdf"}}
	}
	seen := map[string]bool{}
	for i, p := range parsers {
		field := fmt.Sprintf("parsers[%d]", i)
		if seen[p.Type] {
			return f, &OptionError{Field: field + ".type", Value: p.Type, Want: "each type once"}
		}
		seen[p.Type] = true
		if err := addParser(&f, field, p); err != nil {
			return f, err
		}
	}
	return f, nil
}

func addParser(f *page.FileOptions, field string, p Parser) error {
	switch {
	case !slices.Contains(parserTypes, p.Type):
		return &OptionError{Field: field + ".type", Value: p.Type, Want: fmt.Sprintf("one of %q", parserTypes)}
	case p.Type == "image" && p != (Parser{Type: "image"}):
		return &OptionError{Field: field, Value: "options", Want: "no options with the type image"}
	case p.Type == "image":
		f.Images = true
		return nil
	case !slices.Contains([]string{"", document.ModeFast, document.ModeAuto, document.ModeOCR}, p.Mode):
		return &OptionError{Field: field + ".mode", Value: p.Mode, Want: `"fast", "auto" or "ocr"`}
	case p.MaxPages < 0 || p.MaxPages > maxPDFPages:
		return &OptionError{Field: field + ".maxPages", Value: p.MaxPages, Want: fmt.Sprintf("1 to %d, or 0 for all", maxPDFPages)}
	}
	f.PDF, f.Mode, f.MaxPages, f.Password = true, p.Mode, p.MaxPages, p.Password
	f.Pages, f.Blocks, f.PageMarkers = p.Pages, p.Blocks, p.PageMarkers
	return nil
}
