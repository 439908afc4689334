package page

import (
	"errors"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// Accept refuses a page that gives no document.
func (r *Request) Accept(src *Page) error {
	if kind := MediaKind(src.MediaType); kind != "" && r.Wants(kind) {
		return nil // its address is what was asked for
	}
	if src.IsHTML() || r.Wants(formats.RawBase64) || src.FileKind().Converts() {
		return nil
	}
	if kind := src.FileKind(); kind != document.Unknown {
		return kind.Refusal()
	}
	if fetch.IsText(src.MediaType) {
		return nil
	}
	return &UnsupportedError{UnsupportedContent, src.Undocumented()}
}

// MediaKind is the format that gives the address of a medium of this type, "" for other types.
func MediaKind(mediaType string) formats.Type {
	if !formats.IsMedia(mediaType) {
		return ""
	}
	return formats.Type(mediaType[:len("audio")]) // "video" is as long
}

// ErrNotSupported is wrapped where a page of this kind does not have what was asked for.
var ErrNotSupported = errors.New("not supported")

// Unsupported is what a page does not have.
type Unsupported string

// What there may not be.
const (
	UnsupportedActions  Unsupported = "actions"
	UnsupportedBranding Unsupported = "branding"
	UnsupportedContent  Unsupported = "content"
)

// UnsupportedError means that the page is not available in the requested form.
type UnsupportedError struct {
	What Unsupported
	Err  error
}

func (e *UnsupportedError) Error() string { return e.Err.Error() }
func (e *UnsupportedError) Unwrap() error { return e.Err }

// GuardError says that the guard answered in the site's stead, without saying why any more.
type GuardError struct {
	URL, Word string
	Blocked   bool // by the policy
}

func (e *GuardError) Error() string { return "load " + e.URL + ": " + e.Word }

// ActionsTimeoutError says that the time ran out before actions were done.
type ActionsTimeoutError struct{ Err error }

func (e *ActionsTimeoutError) Error() string { return e.Err.Error() }
func (e *ActionsTimeoutError) Unwrap() error { return e.Err }
