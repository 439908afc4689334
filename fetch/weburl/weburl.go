package weburl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// MaxLength is the length in bytes of the longest URL or reference that is read.
// Parsing costs more than linear time beyond what pages really use.
const MaxLength = 16 << 10

// ErrInvalid is wrapped by every error of this package: the text is not a URL by the standard.
var ErrInvalid = errors.New("invalid URL")

// ErrTooLong is returned for a URL or reference of more than MaxLength bytes; it is an ErrInvalid too.
var ErrTooLong = fmt.Errorf("%w: longer than %d bytes", ErrInvalid, MaxLength)

// Parse reads an absolute URL of any scheme and returns its normalized form ("href"):
// lower-case host in ASCII, no default port, dot segments resolved, forbidden characters
// percent-encoded. The fragment is kept. The error wraps ErrInvalid.
// It is safe for concurrent use.
func Parse(s string) (string, error) {
	if href, ok := fastAbsolute(s); ok {
		return href, nil
	}
	u, err := parse(s)
	if err != nil {
		return "", err
	}
	return u.Href(false), nil
}

func parse(s string) (*url.Url, error) {
	if len(s) > MaxLength {
		return nil, ErrTooLong
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, invalid(s, err)
	}
	return u, nil
}

func invalid(s string, err error) error {
	const shown = 200
	if len(s) > shown {
		s = s[:shown] + "…"
	}
	return fmt.Errorf("%w: %q: %w", ErrInvalid, s, err)
}

// Base is a URL that references are resolved against. It is parsed once, never changes
// and is safe for concurrent use.
type Base struct {
	url  *url.Url
	href string
	fast fastBase
}

// NewBase parses href, which must be an absolute URL. The error wraps ErrInvalid.
func NewBase(href string) (*Base, error) {
	u, err := parse(href)
	if err != nil {
		return nil, err
	}
	return &Base{url: u, href: u.Href(false), fast: newFastBase(u)}, nil
}

// String is the normalized URL of the base, fragment included.
func (b *Base) String() string { return b.href }

// Resolve returns the normalized absolute URL that ref means on a page with this base.
// An absolute ref stands for itself; an empty one is the base without its fragment.
// The error wraps ErrInvalid.
func (b *Base) Resolve(ref string) (string, error) {
	if href, ok := b.fast.resolve(ref); ok {
		return href, nil
	}
	return b.slow(ref)
}

// slow resolves by the standard's state machine alone.
func (b *Base) slow(ref string) (string, error) {
	if len(ref) > MaxLength {
		return "", ErrTooLong
	}
	u, err := b.url.Parse(ref)
	if err != nil {
		return "", invalid(ref, err)
	}
	return u.Href(false), nil
}

// Host returns the host of an http or https URL in normalized form, with its port when that is
// not the scheme's own; "" for every other text.
func Host(href string) string {
	rest, ok := strings.CutPrefix(href, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(href, "http://"); !ok {
			return ""
		}
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}
