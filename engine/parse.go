package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/window"
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
	// Empty: the content and the name decide.
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
	Budget             window.Budget
	IncludeTags        []string
	ExcludeTags        []string
	Parsers            []Parser
	RemoveBase64Images *bool
	Owner              string
	ZeroDataRetention  bool
	MaxTokens          int
	OnStep             func(Step) `json:"-"`
	// OnPage is called after each page of a PDF that was read, with how many were and how many will be, from Parse's
	// goroutine: Parse waits for it. An [Options].PDFExtractor may make no calls. Nil: none.
	OnPage func(done, all int) `json:"-"`
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
// formats. It contacts no host, and the file isn't cached; like a scrape it leaves a record, but under zero
// data retention. Every error is an [*Error]: [CodeFileType] for a type that can't be read, bytes of no known type
// included, [CodeUnsupportedFile] for a file that is damaged, encrypted or too large, [CodeBadRequest] for one of
// 0 bytes. A file that has bytes and nothing to show gives a document with a warning. Safe for concurrent use.
func (e *Engine) Parse(ctx context.Context, in ParseInput, o ParseOptions) (*Document, error) {
	s, err := e.newParse(in, o)
	if err != nil {
		return nil, refusal("parse", page.Upload(in).Title(), err, o.ZeroDataRetention)
	}
	return s.do(ctx, nil)
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
	s := e.scrapeOf(p, "parse")
	s.Acquire = func(ctx context.Context) (page.Result, error) {
		return page.Upload(in).Acquire(ctx, &p.Request.Request, e.now, cmp.Or(o.MaxBytes, defaultParseBytes))
	}
	return s, nil
}

// parsePlan checks the options by the rules of a scrape.
func (e *Engine) parsePlan(in ParseInput, o ParseOptions) (*plan, error) {
	like := ScrapeOptions{
		Formats: o.Formats, OnlyMainContent: o.OnlyMainContent, OnlyCleanContent: o.OnlyCleanContent,
		IncludeTags: o.IncludeTags, ExcludeTags: o.ExcludeTags,
		Parsers: o.Parsers, RemoveBase64Images: o.RemoveBase64Images, Owner: o.Owner, ZeroDataRetention: o.ZeroDataRetention,
		MaxTokens: o.MaxTokens, CleanBelow: o.CleanBelow, LeftOut: o.LeftOut, Budget: o.Budget,
	}
	p := &plan{
		source:  page.Upload(in).Title(),
		timeout: cmp.Or(o.Timeout, defaultParseTimeout),
		Request: scraping.Request{
			Request: page.Request{
				URL: in.URL, Formats: o.Formats, Owner: o.Owner, Observe: observer(o.OnStep), Private: o.ZeroDataRetention,
			},
			NoRetention: o.ZeroDataRetention,
		},
	}
	if len(p.Formats) == 0 {
		p.Formats = []formats.Format{{Type: formats.Markdown}}
	}
	p.Rendering = render.Request{Options: renderingOptions(p.Formats, like), Raw: p.Wants(formats.RawBase64), Once: true}
	rules := []func(ScrapeOptions) error{
		p.checkParsed, p.checkFormats, p.checkPortion, checkLeftOut, checkOwner, p.checkTimes, e.checkRetention,
	}
	for _, rule := range rules {
		if err := rule(like); err != nil {
			return nil, err
		}
	}
	if err := e.checkModel(p, like); err != nil {
		return nil, err
	}
	var err error
	p.Rendering.Files, err = e.fileOptions(o.Parsers)
	p.Rendering.Files.OnPage = o.OnPage
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
