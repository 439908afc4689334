package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// FileOptions say how a request wants files read. Its JSON is part of what distinguishes renderings.
type FileOptions struct {
	PDF         bool   // as text; otherwise base64
	Images      bool   // their text is recognised
	Mode        string // of a PDF
	MaxPages    int
	Pages       bool
	Blocks      bool
	PageMarkers bool
	Password    string
	Embedded    *Pictures `json:",omitempty"` // where the pictures in files go; nil: they aren't kept

	OnPage    func(done, all int)   `json:"-"` // of a PDF that was read
	Memory    int64                 `json:"-"` // that reading may take; 0: see [document.Limits]
	OCR       document.OCR          `json:"-"`
	Pictures  document.PagePictures `json:"-"`
	Extractor document.Extractor    `json:"-"`
}

func (p *Page) convertOptions(kind document.Kind) document.Options {
	f := p.Files
	o := document.Options{
		Limits: document.Limits{Bytes: int64(len(p.Body)) + 1, Memory: f.Memory},
		Mode:   f.Mode, MaxPages: f.MaxPages, Extractor: f.Extractor, Progress: f.OnPage, Blocks: f.Blocks,
		PagePictures: f.Pictures, Pages: f.Pages || f.PageMarkers || f.Blocks,
	}
	if kind == document.PDF || f.Images {
		o.OCR = f.OCR
	}
	return o
}

// FileKind is what kind of file the page is, Unknown for a page or a plain text.
func (p *Page) FileKind() document.Kind {
	if p.kind == nil {
		kind := document.Unknown
		text := len(p.Body) == 0 && fetch.IsText(p.MediaType) // with nothing in it to convert
		if !p.FromTree && !p.IsHTML() && !text {              // fetch has looked for signatures of files under the type of a page
			kind = document.Detect(p.input())
		}
		p.kind = &kind
	}
	return *p.kind
}

func (p *Page) input() document.Input {
	mediaType := p.ContentType
	if !SameType(mediaType, p.MediaType) { // what it says of itself is nothing, or wrong
		mediaType = p.MediaType
	}
	return document.Input{Body: p.Body, MediaType: mediaType, Name: cmp.Or(p.Name, NameOf(p.URL)), URL: p.URL, Password: p.Files.Password}
}

// FileTypeError says that a file that was handed over is of a type that cannot be read.
type FileTypeError struct{ Err error }

// Error is the cause's text.
func (e *FileTypeError) Error() string { return e.Err.Error() }
func (e *FileTypeError) Unwrap() error { return e.Err }

// SameType reports whether a Content-Type header names a media type.
func SameType(header, mediaType string) bool {
	named, _, _ := strings.Cut(header, ";")
	return strings.EqualFold(strings.TrimSpace(named), mediaType)
}

// NameOf is the last part of a URL's path.
func NameOf(href string) string {
	u, err := url.Parse(href)
	if err != nil || u.Path == "" {
		return ""
	}
	return path.Base(u.Path)
}

// Read turns the page, which is a file, into HTML, once. A file that was handed over and is of no readable type is a
// [*FileTypeError].
func (p *Page) Read(ctx context.Context) (*document.Result, error) {
	if p.Result != nil {
		return p.Result, nil
	}
	kind := p.FileKind()
	if kind == document.Picture && p.Files.Images && p.Files.OCR == nil {
		return nil, &document.OCRRequiredError{Kind: kind}
	}
	res, err := p.convert(ctx, kind)
	if _, unsupported := errors.AsType[*document.UnsupportedError](err); unsupported && p.By == "" {
		return nil, &FileTypeError{err}
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s file: %w", kind, err)
	}
	p.Result = res
	return res, nil
}

// convert turns the file into HTML, and keeps the pictures in it where they are wanted.
func (p *Page) convert(ctx context.Context, kind document.Kind) (*document.Result, error) {
	o := p.convertOptions(kind)
	if p.Files.Embedded == nil {
		return document.Convert(ctx, p.input(), o)
	}
	k := p.Files.Embedded.keeper()
	o.KeepPicture = k.keep
	res, err := document.Convert(ctx, p.input(), o)
	if err == nil {
		res.Warnings = append(res.Warnings, k.warnings()...)
		p.kept, p.Pictured = k.paths, len(k.known) > 0
	}
	return res, err
}

// Source is a part of what a file was turned into.
func (p *Page) Source(html []byte) formats.Source {
	return formats.Source{URL: p.URL, MediaType: "text/html", Body: html, Kept: p.kept}
}

// IsFile reports a page that is read before it is rendered. A PDF that isn't to be read is
// given as it is.
func (p *Page) IsFile() bool {
	kind := p.FileKind()
	return kind != document.Unknown && (kind != document.PDF || p.Files.PDF)
}
