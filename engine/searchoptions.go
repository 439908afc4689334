package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine/internal/searching"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
)

// SearchOptions are the options of one search. The zero value gives ten web results.
//
// What a provider can't honour is a [CodeBadRequest] error that names the field; with several
// providers, only when none of them can. Of Country, Location and Safe, which clients give by
// habit, it is a warning that names the field.
type SearchOptions struct {
	// Sources to search, each once. Empty: the web. The local index has all three: news are the cached articles that have a date,
	// images those of cached pages that have a text.
	Sources []SearchSource
	// Limit of results for each source, 1 to 100. Zero is 10.
	Limit int
	// Categories narrow the results: "github", "research", "pdf", in any mixture, or "developer"
	// alone, also called "repo", "code" or "docs".
	Categories []string
	// IncludeDomains, or ExcludeDomains, but not both: host names, at most 100; their subdomains count.
	IncludeDomains, ExcludeDomains []string
	// TBS narrows by date: "qdr:" with h, d, w, m or y; "cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY";
	// "sbd:1" puts the newest first. This and the next five count for each source that doesn't say otherwise.
	TBS string
	// Filter "1" leaves similar results out, "0" doesn't, where the provider distinguishes them. The same
	// URL is never given twice.
	Filter string
	// Lang is a BCP 47 tag. Empty: "en" on the internet; in the local index any language.
	Lang string
	// Country is an ISO 3166-1 alpha-2 code. Empty: "us" on the internet, none when Location is set.
	Country string
	// Location is a place in words, such as "Berlin, Germany".
	Location string
	// Safe is "off", "moderate" or "strict", also called "active". Empty: the provider's choice.
	Safe string
	// Timeout of the search, 1 s to 300 s. Zero is 60 s. Hits that are scraped have the timeout of
	// Scrape, each by itself.
	Timeout time.Duration
	// IgnoreInvalidURLs leaves out results that couldn't be scraped: no web addresses.
	IgnoreInvalidURLs bool
	// Scrape gets the pages of the results of web and news too. Nil: no. Formats may be markdown, html,
	// rawHtml, links, images, summary, product, menu, json, question, highlights, query and screenshot.
	// Owner and ZeroDataRetention must be unset: they are the search's own. With Lockdown only a local
	// provider is called, and pages come from the cache. Virtual hosts ([Options.Hosts]) are scraped
	// only where all of [Options.Search] is local.
	Scrape *ScrapeOptions
	// Owner is the tenant that pays the credits.
	Owner string
	// ZeroDataRetention keeps nothing of the search and its pages, and asks a local provider only.
	// Refused unless [Options.AllowZeroDataRetention] is set.
	ZeroDataRetention bool
}

// SearchSource is one place to search, with options of its own; those that are empty are those of
// the search.
type SearchSource struct {
	// Type is search.Web, search.News or search.Images.
	Type     search.Source `json:"type"`
	TBS      string        `json:"tbs,omitempty"`
	Filter   string        `json:"filter,omitempty"`
	Lang     string        `json:"lang,omitempty"`
	Country  string        `json:"country,omitempty"`
	Location string        `json:"location,omitempty"`
}

// Limits of a search.
const (
	defaultSearchLimit = 10
	maxSearchLimit     = 100
)

// searchFormats are those that hits can be scraped in.
var searchFormats = []formats.Type{
	formats.Markdown, formats.HTML, formats.RawHTML, formats.Links, formats.Images, formats.Passages, formats.Summary, formats.Product,
	formats.Menu, formats.JSON, formats.Question, formats.Highlights, formats.Query, formats.Screenshot,
}

// searchPlan is a search with its defaults filled in and every option checked.
type searchPlan struct {
	text    string
	request searching.Request
	scrape  *ScrapeOptions
	quiet   bool // nothing is recorded
	owner   string
}

// private is lockdown or zero data retention.
func (p *searchPlan) private() bool { return p.request.Private }

var (
	errNoSearch = errors.New("no search provider is configured: set Options.Search to search.NewSearXNG (a SearXNG server), " +
		"search.NewJSONAPI (any service that answers in JSON) or local.New (full text of what the cache holds)")
	errSearchNotLocal = errors.New("under lockdown and zero data retention only a local search provider is called, and Options.Search has none")
)

// resolveSearch fills in defaults and checks every option.
func (e *Engine) resolveSearch(text string, o SearchOptions) (*searchPlan, error) {
	p := &searchPlan{
		text: strings.TrimSpace(text), owner: o.Owner, quiet: o.ZeroDataRetention || o.lockdown(),
		request: searching.Request{
			Limit: cmp.Or(o.Limit, defaultSearchLimit), Timeout: cmp.Or(o.Timeout, defaultTimeout),
			Web: o.IgnoreInvalidURLs, Private: o.private(),
		},
	}
	if err := p.check(o); err != nil {
		return nil, err
	}
	if err := e.checkSearchScrape(p, o); err != nil {
		return nil, err
	}
	providers, err := e.searchers(p.private())
	if err != nil {
		return nil, err
	}
	return p, p.plan(o, providers)
}

func (o SearchOptions) lockdown() bool { return o.Scrape != nil && o.Scrape.Lockdown }

// private searches leave the process only for local providers, and their errors say nothing of the query.
func (o SearchOptions) private() bool {
	return o.ZeroDataRetention || o.lockdown() || o.Scrape != nil && o.Scrape.ZeroDataRetention
}

func (p *searchPlan) check(o SearchOptions) error {
	switch n := utf8.RuneCountInString(p.text); {
	case n == 0 || n > search.MaxText:
		return &OptionError{Field: "query", Value: p.text, Want: fmt.Sprintf("1 to %d characters", search.MaxText)}
	case p.request.Limit < 1 || p.request.Limit > maxSearchLimit:
		return &OptionError{Field: "limit", Value: p.request.Limit, Want: fmt.Sprintf("1 to %d", maxSearchLimit)}
	case p.request.Timeout < minTimeout || p.request.Timeout > maxTimeout:
		return &OptionError{Field: "timeout", Value: p.request.Timeout, Want: fmt.Sprintf("%s to %s", minTimeout, maxTimeout)}
	case len(o.IncludeDomains) > 0 && len(o.ExcludeDomains) > 0:
		return &OptionError{Field: "excludeDomains", Value: o.ExcludeDomains, Want: "unset beside includeDomains"}
	}
	return checkOwner(ScrapeOptions{Owner: o.Owner})
}

// checkSearchScrape checks how the hits are to be scraped, before a provider is called.
func (e *Engine) checkSearchScrape(p *searchPlan, o SearchOptions) error {
	scrape := ScrapeOptions{}
	if o.Scrape != nil {
		scrape = *o.Scrape
	}
	switch {
	case scrape.Owner != "":
		return &OptionError{Field: "scrapeOptions.owner", Value: scrape.Owner, Want: "unset: it is the search's own"}
	case scrape.ZeroDataRetention:
		return &OptionError{Field: "scrapeOptions.zeroDataRetention", Value: true, Want: "unset: it is the search's own"}
	}
	for _, f := range scrape.Formats {
		if !slices.Contains(searchFormats, f.Type) {
			return &OptionError{Field: "scrapeOptions.formats", Value: string(f.Type), Want: fmt.Sprintf("one of %q", searchFormats)}
		}
	}
	scrape.Owner, scrape.ZeroDataRetention = o.Owner, o.ZeroDataRetention
	if o.Scrape != nil {
		p.scrape = &scrape
	}
	_, err := e.resolve("https://example.com/", scrape) // its rules are the search's too
	return err
}

// searchers are the providers that may be asked.
func (e *Engine) searchers(private bool) ([]search.Provider, error) {
	if len(e.options.Search) == 0 {
		return nil, &Error{Code: CodeSearchNotConfigured, Err: errNoSearch}
	}
	if !private {
		return e.options.Search, nil
	}
	var local []search.Provider
	for _, p := range e.options.Search {
		if p.Local() {
			local = append(local, p)
		}
	}
	if len(local) == 0 {
		return nil, &Error{Code: CodeSearchNotLocal, Err: errSearchNotLocal}
	}
	return local, nil
}

// plan makes a query for each source, and finds who can honour it.
func (p *searchPlan) plan(o SearchOptions, providers []search.Provider) (err error) {
	terms := searching.Terms{
		Text: p.text, Limit: p.request.Limit, Categories: o.Categories, IncludeDomains: o.IncludeDomains, ExcludeDomains: o.ExcludeDomains,
		Safe: o.Safe, Common: searching.Source{TBS: o.TBS, Filter: o.Filter, Lang: o.Lang, Country: o.Country, Location: o.Location},
	}
	for _, source := range o.Sources {
		terms.Sources = append(terms.Sources, searching.Source(source))
	}
	p.request.Queries, err = terms.Queries(providers)
	return err
}
