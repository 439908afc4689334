package engine

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// fileOptions say how a request wants files read. It is [ScrapeOptions.Parsers],
// checked, and part of what tells renderings apart.
type fileOptions struct {
	PDF         bool   // as text; otherwise base64
	Images      bool   // their text is recognised
	Mode        string // of a PDF
	MaxPages    int
	Pages       bool
	Blocks      bool
	PageMarkers bool
	Password    string

	ocr       document.OCR
	extractor document.Extractor
}

// The service's bounds of a PDF's pages.
const mostPDFPages = 10_000

// parserTypes in the order of a message.
var parserTypes = []string{"pdf", "image"}

func (e *Engine) fileOptions(parsers []Parser) (fileOptions, error) {
	f := fileOptions{ocr: e.options.OCR, extractor: e.options.PDFExtractor}
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
		if err := f.add(field, p); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (f *fileOptions) add(field string, p Parser) error {
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
	case p.MaxPages < 0 || p.MaxPages > mostPDFPages:
		return &OptionError{Field: field + ".maxPages", Value: p.MaxPages, Want: fmt.Sprintf("1 to %d, or 0 for all", mostPDFPages)}
	}
	f.PDF, f.Mode, f.MaxPages, f.Password = true, p.Mode, p.MaxPages, p.Password
	f.Pages, f.Blocks, f.PageMarkers = p.Pages, p.Blocks, p.PageMarkers
	return nil
}

func (s *source) convertOptions(kind document.Kind) document.Options {
	f := s.files
	o := document.Options{Limits: document.Limits{Bytes: int64(len(s.body)) + 1}, Mode: f.Mode, MaxPages: f.MaxPages, Extractor: f.extractor, Blocks: f.Blocks, Pages: f.Pages || f.PageMarkers || f.Blocks}
	if kind == document.PDF || f.Images {
		o.OCR = f.ocr
	}
	return o
}

// fileKind is what sort of file the source is, Unknown for a page or a plain text.
func (s *source) fileKind() document.Kind {
	if s.kind == nil {
		kind := document.Unknown
		text := len(s.body) == 0 && fetch.IsText(s.mediaType) // with nothing in it to convert
		if !s.fromTree && !s.isHTML() && !text {              // fetch has looked for signatures of files under the type of a page
			kind = document.Detect(s.input())
		}
		s.kind = &kind
	}
	return *s.kind
}

func (s *source) input() document.Input {
	mediaType := s.contentType
	if !sameType(mediaType, s.mediaType) { // what it says of itself is nothing, or wrong
		mediaType = s.mediaType
	}
	return document.Input{Body: s.body, MediaType: mediaType, Name: orDefault(s.name, nameOf(s.url)), URL: s.url, Password: s.files.Password}
}

// sameType tells whether a Content-Type header names a media type.
func sameType(header, mediaType string) bool {
	named, _, _ := strings.Cut(header, ";")
	return strings.EqualFold(strings.TrimSpace(named), mediaType)
}

// nameOf is the last part of a URL's path.
func nameOf(href string) string {
	u, err := url.Parse(href)
	if err != nil || u.Path == "" {
		return ""
	}
	return path.Base(u.Path)
}

// read turns the source, which is a file, into HTML, once.
func (s *source) read(ctx context.Context) (*document.Result, error) {
	if s.result != nil {
		return s.result, nil
	}
	kind := s.fileKind()
	if kind == document.Picture && s.files.Images && s.files.ocr == nil {
		return nil, &document.OCRRequiredError{Kind: kind}
	}
	res, err := document.Convert(ctx, s.input(), s.convertOptions(kind))
	if _, unsupported := errors.AsType[*document.UnsupportedError](err); unsupported && s.by == "" {
		return nil, &Error{Code: CodeFileType, Err: err}
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s file: %w", kind, err)
	}
	s.result = res
	return res, nil
}

// isFile reports a source that is read before it is rendered. A PDF that isn't to be read is
// given as it is.
func (s *source) isFile() bool {
	kind := s.fileKind()
	return kind != document.Unknown && (kind != document.PDF || s.files.PDF)
}

// renderFile makes the asked formats of a file. All of it is content: there is no boilerplate
// for onlyMainContent to leave out.
func renderFile(ctx context.Context, src *source, o formats.Options) (*made, error) {
	res, err := src.read(ctx)
	if err != nil {
		return nil, err
	}
	dom, err := src.parse(ctx)
	if err != nil {
		return nil, err
	}
	o.OnlyMainContent = false
	out, err := dom.Render(ctx, o)
	if err != nil {
		return nil, err
	}
	out.Warnings = append(out.Warnings, res.Warnings...)
	m := &made{Output: out, kind: res.Kind, numPages: res.NumPages, totalPages: res.TotalPages}
	return m, m.addPages(ctx, src, o)
}
