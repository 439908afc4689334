package search

import (
	"context"
	"time"
	"unicode/utf8"
)

// Provider is a search engine. Implementations are safe for concurrent use and end soon after
// ctx has ended.
type Provider interface {
	// Name of the provider, for people and messages.
	Name() string
	// Local says that neither query nor results leave machines of the operator. Only a local
	// provider is asked under lockdown and zero data retention.
	Local() bool
	// Can tells what the provider honours. It doesn't change.
	Can() Capabilities
	// Search gives at most q.Limit results, best first, each URL once. None is no error. What the
	// provider can't honour is an [*OptionError], see [Capabilities.Check]. Other errors:
	// [*StatusError], [ErrAnswer], a network's or a context's.
	Search(ctx context.Context, q Query) (Results, error)
}

// Source is what is looked for.
type Source string

// The sources of the service.
const (
	Web    Source = "web"
	News   Source = "news"
	Images Source = "images"
)

// Safe says how much is filtered out that isn't for everybody.
type Safe string

// The levels of filtering. The zero value is the provider's own choice.
const (
	SafeOff      Safe = "off"
	SafeModerate Safe = "moderate"
	SafeStrict   Safe = "strict"
)

// MaxLimit is the most results of one query: twice what a caller may ask for, since some are
// dropped. MaxText is the longest query, in characters.
const (
	MaxLimit = 200
	MaxText  = 2000
)

// Query is one search in one source. The zero value of each field but Text is the provider's own
// choice.
type Query struct {
	// Text as a person types it: words that all should be found, "phrases in quotes", -without,
	// site:example.com. 1 to MaxText characters.
	Text string
	// Source; empty is Web.
	Source Source
	// Limit of results, 1 to MaxLimit; 0 is 10.
	Limit int
	// Categories narrow the results to those that are in one of them.
	Categories []Category
	// IncludeDomains and ExcludeDomains are host names in lower case; their subdomains count.
	IncludeDomains, ExcludeDomains []string
	// Span of the results' dates, and whether the newest come first.
	Span Span
	// Filter is the "filter" parameter of the service ("0" or "1": similar results are left out),
	// for providers that have it.
	Filter string
	// Language is a BCP 47 tag such as "en". Country is an ISO 3166-1 alpha-2 code in lower case.
	// Location is a place in words, such as "Berlin, Germany".
	Language, Country, Location string
	Safe                        Safe
}

// Result is one hit.
type Result struct {
	// URL is where it is; of an image, the page that shows it.
	URL string
	// Title and Description are plain text. Description holds what fits the query.
	Title, Description string
	// Date of publication or, where that is unknown, of the last known change. Zero: unknown.
	Date time.Time
	// ImageURL is the picture, of an image or beside a news story; width and height in pixels, 0: unknown.
	ImageURL                string
	ImageWidth, ImageHeight int
	// Category is the first of the query's that the result is in; empty without one.
	Category Category
	// Matches are the places in Description that fit the query, in order. Nil: not known.
	Matches []Match
}

// Match is a place in a text, in bytes.
type Match struct{ Start, End int }

// Results are what a query gave.
type Results struct {
	List []Result
	// Warning says what isn't as it should be, in a sentence; mostly empty.
	Warning string
}

// WithDefaults fills in Source and Limit.
func (q Query) WithDefaults() Query {
	if q.Source == "" {
		q.Source = Web
	}
	if q.Limit == 0 {
		q.Limit = 10
	}
	return q
}

// validate checks what no provider could honour.
func (q Query) validate() error {
	switch n := utf8.RuneCountInString(q.Text); {
	case n == 0 || n > MaxText:
		return &OptionError{Field: "query", Value: q.Text, Want: "1 to 2000 characters"}
	case q.Limit < 1 || q.Limit > MaxLimit:
		return &OptionError{Field: "limit", Value: q.Limit, Want: "1 to 200"}
	case len(q.IncludeDomains) > 0 && len(q.ExcludeDomains) > 0:
		return &OptionError{Field: "excludeDomains", Value: q.ExcludeDomains, Want: "unset beside includeDomains"}
	}
	return nil
}
