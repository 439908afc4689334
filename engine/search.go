package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine/internal/prices"
	"github.com/winnow-go/winnow/engine/internal/searchindex"
	"github.com/winnow-go/winnow/engine/internal/searching"
	"github.com/winnow-go/winnow/engine/search"
)

// SearchResult is what a search has found.
type SearchResult struct {
	// ID of the search, a UUIDv7.
	ID string `json:"id"`
	// Data are the results by source.
	Data SearchData `json:"data"`
	// Warning joins what isn't as it should be into one text.
	Warning string `json:"warning,omitempty"`
	// Credits that it costs: 2 for each ten results begun, and those of the pages that were scraped.
	Credits int `json:"creditsUsed"`
}

// SearchData are results by source, best first; nil for a source that wasn't asked.
type SearchData struct {
	Web    []WebHit   `json:"web,omitempty"`
	News   []NewsHit  `json:"news,omitempty"`
	Images []ImageHit `json:"images,omitempty"`
}

// WebHit is a page that was found. Document is nil where it wasn't scraped; it may be shared by hits
// of the same page.
type WebHit struct {
	URL         string `json:"url"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Position begins at 1.
	Position int    `json:"position,omitempty"`
	Category string `json:"category,omitempty"`
	// Matches are the places in Description that fit the query, where the provider gives them.
	Matches []search.Match `json:"-"`
	// Passages of the page that fit the query, best first, where the provider gives them: the local index does.
	Passages []search.Passage `json:"-"`
	// Error says why the page could not be scraped; Code is that error's.
	Error string `json:"error,omitempty"`
	Code  Code   `json:"code,omitempty"`
	*Document
}

// NewsHit is a news story that was found; its fields are as those of [WebHit].
type NewsHit struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Snippet string `json:"snippet"`
	// Date is RFC 3339; empty: unknown.
	Date     string `json:"date,omitempty"`
	ImageURL string `json:"imageUrl,omitempty"`
	Position int    `json:"position,omitempty"`
	Category string `json:"category,omitempty"`
	Error    string `json:"error,omitempty"`
	Code     Code   `json:"code,omitempty"`
	*Document
}

// ImageHit is a picture that was found on the page at URL. It is not scraped.
type ImageHit struct {
	Title       string `json:"title"`
	ImageURL    string `json:"imageUrl"`
	ImageWidth  int    `json:"imageWidth,omitempty"`
	ImageHeight int    `json:"imageHeight,omitempty"`
	URL         string `json:"url"`
	Position    int    `json:"position,omitempty"`
}

// Search asks the providers of [Options.Search]: for each source the first that can honour the
// options; when it fails, the next. Without any the error is [CodeSearchNotConfigured]. Results come
// each URL once; with o.Scrape the pages are scraped, some at a time, and a page that cannot be fetched is
// that hit's Error. Every error is an [*Error]. Safe for concurrent use.
//
// The local index (package engine/search/local) finds what the cache holds, regardless of the owner whose request fetched it:
// the cache is common to all owners.
func (e *Engine) Search(ctx context.Context, query string, o SearchOptions) (*SearchResult, error) {
	return e.searchPaid(ctx, query, o, func(*SearchResult) error { return nil })
}

// searchPaid is Search that is paid for once keep has returned, unless that fails.
func (e *Engine) searchPaid(ctx context.Context, query string, o SearchOptions, keep func(*SearchResult) error) (*SearchResult, error) {
	p, err := e.resolveSearch(query, o)
	if err != nil {
		return nil, searchFailure(context.Background(), query, err, o.private())
	}
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, searchFailure(context.Background(), query, err, p.private())
	}
	defer done()
	began := e.now()
	result, err := e.find(ctx, p)
	if err != nil {
		return nil, searchFailure(ctx, query, err, p.private())
	}
	pages := e.scrapeHits(ctx, p, &result.Data)
	if ctx.Err() != nil {
		return nil, searchFailure(ctx, query, context.Cause(ctx), p.private())
	}
	if err := keep(result); err != nil {
		return nil, searchFailure(ctx, query, err, p.private())
	}
	e.stores.Ledger.Add(p.owner, began, result.Credits) // each page was paid for by itself
	result.Credits += pages
	if !p.quiet {
		e.note(ctx, Activity{ID: result.ID, Endpoint: "search", Owner: p.owner, Target: p.text, CreatedAt: began})
	}
	return result, nil
}

// find is a search that is neither accounted for nor scraped.
func (e *Engine) find(ctx context.Context, p *searchPlan) (*SearchResult, error) {
	answers, err := searching.Run(ctx, p.request, e.log)
	if err != nil {
		return nil, searchError(err)
	}
	result := &SearchResult{ID: uuid.Must(uuid.NewV7()).String(), Warning: strings.Join(searchWarnings(answers), " ")}
	found := 0
	for _, a := range answers {
		found += len(a.List)
		result.Data.take(a.Source, a.List)
	}
	result.Credits = prices.Search(found)
	return result, nil
}

// searchWarnings say what isn't as it should be.
func searchWarnings(answers []searching.Answer) (list []string) {
	for _, a := range answers {
		switch {
		case a.Failed:
			list = append(list, fmt.Sprintf("There are no results of the source %s: %s.", a.Source, searchError(a.Err)))
		case a.Err != nil:
			list = append(list, strings.TrimSpace(fmt.Sprintf("The results are from %s: %s. %s", a.Provider, searchError(a.Err), a.Warning)))
		case a.Warning != "":
			list = append(list, a.Warning)
		}
	}
	return list
}

// searchFailure is the error of a search; its URL is the query.
func searchFailure(ctx context.Context, query string, err error, private bool) *Error {
	if opt, ok := errors.AsType[*search.OptionError](err); ok {
		err = &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want}
	}
	f := failure(ctx, "search", query, err)
	if f.Code == CodeTimeout {
		f.Code = CodeSearchTimeout
	}
	if private {
		return privateFailure(f)
	}
	return f
}

// take files the results of one source.
func (d *SearchData) take(source search.Source, list []search.Result) {
	switch source {
	case search.News:
		d.News = []NewsHit{}
	case search.Images:
		d.Images = []ImageHit{}
	default:
		d.Web = []WebHit{}
	}
	for i, r := range list {
		d.append(source, i+1, r)
	}
}

func (d *SearchData) append(source search.Source, position int, r search.Result) {
	switch source {
	case search.News:
		d.News = append(d.News, NewsHit{
			Title: r.Title, URL: r.URL, Snippet: r.Description, Date: dateText(r.Date), ImageURL: r.ImageURL,
			Position: position, Category: string(r.Category),
		})
	case search.Images:
		d.Images = append(d.Images, ImageHit{
			Title: r.Title, ImageURL: r.ImageURL, ImageWidth: r.ImageWidth, ImageHeight: r.ImageHeight, URL: r.URL, Position: position,
		})
	default:
		d.Web = append(d.Web, WebHit{
			URL: r.URL, Title: r.Title, Description: r.Description, Position: position, Category: string(r.Category), Matches: r.Matches,
			Passages: r.Passages,
		})
	}
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// attachIndex gives the index the pages of the cache. It is kept in the folder "index" of [Options.Dir].
func (e *Engine) attachIndex() (err error) {
	setup := search.Setup{Folder: e.folder("index"), Now: e.now, Logger: e.log}
	e.index, err = searchindex.Attach(e.options.Search, searchindex.StoredIn(e.pageStore), setup)
	return err
}
