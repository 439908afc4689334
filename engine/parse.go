package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// ParseInput is a file that is handed over: Reader or Path, exactly one of them.
type ParseInput struct {
	// Reader is read to its end, by the goroutine that calls Parse: a Read that blocks
	// holds Parse up beyond its timeout. It isn't closed.
	Reader io.Reader
	// Path is a regular file on this machine.
	Path string
	// Name is the file's name, for its extension and for records. Empty: that of Path.
	Name string
	// ContentType is the media type that came with the file; its charset counts for text.
	// Empty is told by content and name.
	ContentType string
	// URL is where the file comes from, for relative links and metadata; nothing is
	// fetched from there. Empty: relative links are left out.
	URL string
}

// ParseOptions are the options of one Parse. The zero value gives the main content as markdown. The
// fields that ScrapeOptions has too mean the same.
type ParseOptions struct {
	// Formats asked for. Those that need a live page, and rawBase64, audio and video, are a
	// [CodeParseOptions] error.
	Formats            []formats.Format
	OnlyMainContent    *bool // of HTML files; others are content from end to end
	OnlyCleanContent   bool
	CleanBelow         float64
	LeftOut            bool
	IncludeTags        []string
	ExcludeTags        []string
	Parsers            []Parser
	RemoveBase64Images *bool
	Owner              string
	ZeroDataRetention  bool
	MaxTokens          int
	OnStep             func(Step) `json:"-"`
	// Timeout, 1 s to 300 s. Zero is 30 s.
	Timeout time.Duration
	// MaxBytes bounds the file. Zero is 50 MiB.
	MaxBytes int64
}

const (
	defaultParseTimeout = 30 * time.Second
	defaultParseBytes   = 50 << 20
)

// Parse reads a file (HTML, PDF, office document, e-book, mail, feed, table, picture or text) and returns it in the asked
// formats. It contacts nobody, and the file isn't cached; like a scrape it leaves a record, but under zero
// data retention. Every error is an [*Error]: [CodeFileType] for a type that can't be read, bytes of no known type
// included, [CodeUnsupportedFile] for a file that is damaged, encrypted or too large, [CodeBadRequest] for one of
// 0 bytes. A file that has bytes and nothing to show gives a document with a warning. Safe for concurrent use.
func (e *Engine) Parse(ctx context.Context, in ParseInput, o ParseOptions) (*Document, error) {
	s, err := e.newParse(in, o)
	if err != nil {
		return nil, refusal("parse", in.name(), err, o.ZeroDataRetention)
	}
	return s.do(ctx, func(context.Context) error { return nil })
}

func (e *Engine) newParse(in ParseInput, o ParseOptions) (*scrape, error) {
	if (in.Reader == nil) == (in.Path == "") {
		return nil, &OptionError{Field: "reader, path", Value: in.Path, Want: "exactly one of them"}
	}
	if o.MaxBytes < 0 {
		return nil, &OptionError{Field: "maxBytes", Value: o.MaxBytes, Want: "1 or more, or 0 for 50 MiB"}
	}
	p, err := e.parsePlan(in, o)
	if err != nil {
		return nil, err
	}
	s := &scrape{engine: e, plan: p, began: e.now(), id: uuid.Must(uuid.NewV7()).String(), endpoint: "parse"}
	s.get = func(ctx context.Context) error { return s.take(ctx, in, cmp.Or(o.MaxBytes, defaultParseBytes)) }
	return s, nil
}

// parsePlan checks the options by the rules of a scrape.
func (e *Engine) parsePlan(in ParseInput, o ParseOptions) (*plan, error) {
	like := ScrapeOptions{
		Formats: o.Formats, OnlyMainContent: o.OnlyMainContent, OnlyCleanContent: o.OnlyCleanContent, IncludeTags: o.IncludeTags, ExcludeTags: o.ExcludeTags,
		Parsers: o.Parsers, RemoveBase64Images: o.RemoveBase64Images, Owner: o.Owner, ZeroDataRetention: o.ZeroDataRetention,
		MaxTokens: o.MaxTokens, CleanBelow: o.CleanBelow, LeftOut: o.LeftOut,
	}
	p := &plan{
		source:  in.name(),
		Request: page.Request{URL: in.URL, Formats: o.Formats, Owner: o.Owner, Observe: observer(o.OnStep), Private: o.ZeroDataRetention},
		timeout: cmp.Or(o.Timeout, defaultParseTimeout), noRetention: o.ZeroDataRetention,
	}
	if len(p.Formats) == 0 {
		p.Formats = []formats.Format{{Type: formats.Markdown}}
	}
	p.rendering = render.Request{Options: renderingOptions(p.Formats, like), Raw: p.Wants(formats.RawBase64), Once: true}
	for _, rule := range []func(ScrapeOptions) error{p.checkParsed, p.checkFormats, checkLeftOut, checkOwner, p.checkTimes, e.checkRetention} {
		if err := rule(like); err != nil {
			return nil, err
		}
	}
	if err := e.checkModel(p, like); err != nil {
		return nil, err
	}
	var err error
	p.rendering.Files, err = e.fileOptions(o.Parsers)
	return p, err
}

// notParsed are the formats that a file can't be given in.
var notParsed = []formats.Type{
	formats.Screenshot, formats.Branding, formats.ChangeTracking, formats.RawBase64, formats.Audio, formats.Video,
}

func (p *plan) checkParsed(ScrapeOptions) error {
	for i, f := range p.Formats {
		if slices.Contains(notParsed, f.Type) {
			opt := &OptionError{Field: fmt.Sprintf("formats[%d]", i), Value: string(f.Type), Want: "a format that can be made of a file"}
			return &Error{Code: CodeParseOptions, Err: opt}
		}
	}
	return nil
}

// name is what the file is called.
func (in ParseInput) name() string {
	if in.Name != "" || in.Path == "" {
		return in.Name
	}
	return filepath.Base(in.Path)
}

// take reads the file.
func (s *scrape) take(ctx context.Context, in ParseInput, most int64) error {
	return s.step("read", func() (string, error) {
		body, err := in.read(ctx, most)
		if err != nil {
			return "", err
		}
		if len(body) == 0 {
			return "", &OptionError{Field: "file", Value: in.name(), Want: "a file with content: this one is empty (0 bytes)"}
		}
		s.source = fileSource(in, body)
		if !s.source.IsHTML() && s.source.FileKind() == document.Unknown && !fetch.IsText(s.source.MediaType) {
			return "", &Error{Code: CodeFileType, Err: fmt.Errorf("a file of type %q can't be read", s.source.MediaType)}
		}
		return fmt.Sprintf("%d bytes of %s", len(body), s.source.MediaType), nil
	})
}

func (in ParseInput) read(ctx context.Context, most int64) ([]byte, error) {
	r := in.Reader
	if r == nil {
		f, err := openRegular(in.Path)
		if err != nil {
			return nil, &OptionError{Field: "path", Value: in.Path, Want: "a regular file that can be read", Err: err}
		}
		defer f.Close()
		r = f
	}
	body, err := io.ReadAll(io.LimitReader(ctxReader{ctx, r}, most+1))
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, &OptionError{Field: "reader", Value: in.name(), Want: "a file that can be read", Err: err}
	case err != nil:
		return nil, err
	case int64(len(body)) > most:
		return nil, &document.TooLargeError{What: "bytes", Limit: most}
	}
	return body, nil
}

// openRegular opens no pipe, device or folder: those may block for ever.
func openRegular(path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("is no regular file")
	}
	return os.Open(path)
}

// ctxReader ends with its context, between two reads.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// textTypes are the types of texts whose content doesn't tell.
var textTypes = map[string]string{
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".md": "text/markdown", ".markdown": "text/markdown",
	".txt": "text/plain", ".text": "text/plain", ".log": "text/plain", ".json": "application/json", ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml",
	".css": "text/css", ".js": "text/javascript", ".go": "text/x-go", ".py": "text/x-python", ".sh": "text/x-sh", ".sql": "application/sql", ".toml": "application/toml",
}

func fileSource(in ParseInput, body []byte) *page.Page {
	declared := in.ContentType
	if known := textTypes[strings.ToLower(filepath.Ext(in.name()))]; known != "" && generic(declared) {
		declared = known
	}
	return &page.Page{
		Status: http.StatusOK, URL: in.URL, Name: in.name(), Body: body,
		ContentType: declared, MediaType: fetch.MediaType(declared, body),
	}
}

// generic types say nothing that a name doesn't say better.
func generic(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return slices.Contains([]string{"", "application/octet-stream", "text/plain"}, strings.ToLower(strings.TrimSpace(mediaType)))
}
