package sitemap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Code is the kind of fault of a Problem.
type Code string

// The codes.
const (
	FetchFailed     Code = "FETCH_FAILED"      // the Fetcher returned an error
	NotSitemap      Code = "NOT_SITEMAP"       // an HTML page, other XML, other text, or nothing at all
	Malformed       Code = "MALFORMED"         // broken markup; the reading goes on behind it
	Truncated       Code = "TRUNCATED"         // the document is cut off
	ReadFailed      Code = "READ_FAILED"       // the body broke off: network, or damaged compression
	BadEncoding     Code = "BAD_ENCODING"      // unknown charset, or bytes that aren't of it (read as U+FFFD)
	TooLarge        Code = "TOO_LARGE"         // more than Limits.MaxBytes, or absurdly many tags; the rest isn't read
	TooManyURLs     Code = "TOO_MANY_URLS"     // more than MaxURLs, of Limits or of WalkOptions; the rest isn't read
	TooManySitemaps Code = "TOO_MANY_SITEMAPS" // more than WalkOptions.MaxSitemaps; the others aren't fetched
	TooDeep         Code = "TOO_DEEP"          // nested deeper than WalkOptions.MaxDepth; not fetched, reported once per parent
	NoLoc           Code = "NO_LOC"            // an entry without a (readable) address; skipped
	BadLoc          Code = "BAD_LOC"           // an address that is no http(s) URL; skipped
	RelativeLoc     Code = "RELATIVE_LOC"      // an address that isn't absolute; resolved and given
	BadImage        Code = "BAD_IMAGE"         // an image's address that is no http(s) URL; left out
	BadLastMod      Code = "BAD_LASTMOD"       // not a date; left out
	BadChangeFreq   Code = "BAD_CHANGEFREQ"    // not a word of the protocol; left out
	BadPriority     Code = "BAD_PRIORITY"      // not a number (left out), or outside 0 to 1 (the nearest taken)
	Suppressed      Code = "SUPPRESSED"        // further problems of this document aren't reported
)

// maxProblems is how many faults within one document are reported; how it ends is always reported.
const maxProblems = 100

// Problem is one fault of one sitemap, reported in the stream of Read and Walk. None of them ends a walk.
type Problem struct {
	Code    Code
	Sitemap string // URL of the document, as it was given to Read or Walk
	Line    int    // from 1, of the decoded document; 0: the fault has no line
	Detail  string // the text at fault, or what was expected; at most 200 bytes of a document
	Err     error  // the cause, where there is one
}

// Error names the sitemap, the line, the fault and its cause, as far as they are known.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sitemap %s", p.Sitemap)
	if p.Line > 0 {
		fmt.Fprintf(&b, " line %d", p.Line)
	}
	fmt.Fprintf(&b, ": %s", p.Code)
	if p.Detail != "" {
		fmt.Fprintf(&b, ": %s", p.Detail)
	}
	if p.Err != nil {
		fmt.Fprintf(&b, ": %v", p.Err)
	}
	return b.String()
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// stream is where one document's entries and problems go.
type stream struct {
	sitemap string
	base    *weburl.Base // nil: none
	yield   func(Item, error) bool

	maxURLs  int
	urls     int
	problems int
	done     bool // the caller has enough, or a bound is reached: nothing more is read
	silent   bool // the caller has enough: nothing more may be yielded
}

func (s *stream) send(it Item, err error) {
	if s.silent {
		return
	}
	if !s.yield(it, err) {
		s.done, s.silent = true, true
	}
}

// item returns one entry, or ends the reading when there are too many.
func (s *stream) item(it Item) {
	if s.done {
		return
	}
	if s.urls >= s.maxURLs {
		s.finally(TooManyURLs, 0, fmt.Sprintf("more than %d", s.maxURLs), nil)
		s.done = true
		return
	}
	s.urls++
	it.Sitemap = s.sitemap
	s.send(it, nil)
}

// problem reports a fault within the document; their number is bounded.
func (s *stream) problem(code Code, line int, detail string, err error) {
	if s.done || s.problems > maxProblems {
		return
	}
	if s.problems++; s.problems > maxProblems {
		code, line, detail, err = Suppressed, 0, fmt.Sprintf("more than %d problems", maxProblems), nil
	}
	s.finally(code, line, detail, err)
}

// finally reports a fault that is always reported: how the document ends, what it is as a whole.
func (s *stream) finally(code Code, line int, detail string, err error) {
	s.send(Item{}, &Problem{Code: code, Sitemap: s.sitemap, Line: line, Detail: shorten(detail), Err: err})
}

// finish reports why the reading of the bytes ended; nil and io.EOF are no fault.
func (s *stream) finish(ctx context.Context, end error) {
	switch {
	case s.done || end == nil || end == io.EOF:
	case ctx.Err() != nil: // whatever the reader calls it
		s.send(Item{}, ctx.Err())
	case errors.Is(end, errTooLarge):
		s.finally(TooLarge, 0, "", end)
	case errors.Is(end, io.ErrUnexpectedEOF):
		s.finally(Truncated, 0, "", end)
	default:
		s.finally(ReadFailed, 0, "", end)
	}
}

// shorten keeps problems small whatever a document says.
func shorten(s string) string {
	const shown = 200
	if len(s) > shown {
		return strings.ToValidUTF8(s[:shown], "") + "…"
	}
	return s
}
