package search

import (
	"context"
	"time"
	"unicode/utf8"
)

// Provider is a search engine. Implementations are safe for concurrent use and return soon after
// ctx is done.
type Provider interface {
	// Name of the provider, as shown in messages.
	Name() string
	// Local reports whether queries and results stay on the operator's machines, at least those with
	// Query.Private. Under lockdown and zero data retention only local providers are used.
	Local() bool
	// Can returns what the provider supports. It is always the same.
	Can() Capabilities
	// Search returns at most q.Limit results, best first, each URL once. No results is not an error.
	// An option that the provider does not support is an [*OptionError], see [Capabilities.Check].
	// Other errors: [*StatusError], [ErrAnswer], those of the network and of ctx.
	Search(ctx context.Context, q Query) (Results, error)
}

// Source is what is searched: the web, news or images.
type Source string

// The sources.
const (
	Web    Source = "web"
	News   Source = "news"
	Images Source = "images"
)

// Safe is the level at which explicit results are filtered out.
type Safe string

// The levels of filtering. The zero value is the provider's own choice.
const (
	SafeOff      Safe = "off"
	SafeModerate Safe = "moderate"
	SafeStrict   Safe = "strict"
)

// MaxLimit is the maximum number of results of one query: twice what a caller may request, since some
// are dropped. MaxText is the maximum length of a query, in characters.
const (
	MaxLimit = 200
	MaxText  = 2000
)

// Query is one search in one source. Fields other than Text may be zero: the provider's default.
type Query struct {
	// Text as a person types it: words that should all be found, "phrases in quotes", -without,
	// site:example.com. 1 to MaxText characters.
	Text string
	// Source to search. Defaults to Web.
	Source Source
	// Limit is the maximum number of results, 1 to MaxLimit. Defaults to 10.
	Limit int
	// Categories restrict the results to those that are in one of them.
	Categories []Category
	// IncludeDomains and ExcludeDomains are host names in lower case; they include subdomains.
	IncludeDomains, ExcludeDomains []string
	// Span restricts the results' dates and says whether the newest come first.
	Span Span
	// Filter is the "filter" parameter ("1": similar results are omitted; "0": they are not), for
	// providers that have it.
	Filter string
	// Language is a BCP 47 tag such as "en". Country is an ISO 3166-1 alpha-2 code in lower case.
	// Location is a place in words, such as "Berlin, Germany".
	Language, Country, Location string
	Safe                        Safe
	// Private: nothing of the query may leave the operator's machines, as under lockdown and zero data
	// retention. A local provider leaves out what would, with a warning.
	Private bool
}

// Result is one hit.
type Result struct {
	// URL of the page; of an image, the page that shows it.
	URL string
	// Title and Description are plain text. Description is a passage that matches the query.
	Title, Description string
	// Date of publication or, if unknown, of the last known change. Zero: unknown.
	Date time.Time
	// ImageURL is the image of an image result or of a news story; its width and height are in
	// pixels, 0: unknown.
	ImageURL                string
	ImageWidth, ImageHeight int
	// Category is the first of the query's that the result is in; empty without one.
	Category Category
	// Matches are the places in Description that match the query, in order. Nil: unknown.
	Matches []Match
	// Passages of the page that match the query, best first. Nil: unknown.
	Passages []Passage
}

// Match is a range of a text, in bytes; End is exclusive.
type Match struct{ Start, End int }

// Results are the answer to a query.
type Results struct {
	List []Result
	// Warning is a sentence for users about what is missing; usually empty.
	Warning string
}

// WithDefaults returns the query with defaults for Source and Limit.
func (q Query) WithDefaults() Query {
	if q.Source == "" {
		q.Source = Web
	}
	if q.Limit == 0 {
		q.Limit = 10
	}
	return q
}

// validate returns an error for what no provider supports.
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
