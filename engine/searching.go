package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

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
	// Matches are the places in Description that fit the query, where the provider tells.
	Matches []search.Match `json:"-"`
	// Error tells why the page could not be scraped; Code is that error's.
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
// each URL once; with o.Scrape the pages are scraped, some at a time, and a page that can't be had is
// that hit's Error. Every error is an [*Error]. Safe for concurrent use.
//
// The local index (package engine/search/local) finds what the cache holds, whoever had it fetched:
// the cache is common to all owners.
func (e *Engine) Search(ctx context.Context, query string, o SearchOptions) (*SearchResult, error) {
	p, err := e.resolveSearch(query, o)
	if err != nil {
		return nil, searchFailure(context.Background(), query, err, o.private())
	}
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, searchFailure(context.Background(), query, err, p.private)
	}
	defer done()
	s := &searching{engine: e, plan: p, began: e.now(), id: uuid.Must(uuid.NewV7()).String()}
	result, err := s.run(ctx)
	if err != nil {
		return nil, searchFailure(ctx, query, err, p.private)
	}
	e.stores.ledger.add(p.owner, s.began, s.credits)
	if !p.quiet {
		e.stores.ledger.note(Activity{ID: s.id, Endpoint: "search", Owner: p.owner, Target: p.text, CreatedAt: s.began, Labels: labelsOf(ctx)})
	}
	return result, nil
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

// searching is the state of one search.
type searching struct {
	engine *Engine
	plan   *searchPlan
	began  time.Time
	id     string

	credits  int // without those of pages, which are counted when they are scraped
	warnings []string
}

// answer is what came of one query.
type answer struct {
	list    []search.Result
	warning string
	err     error
}

// run is the order of a search.
func (s *searching) run(ctx context.Context) (_ *SearchResult, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	answers, err := s.ask(ctx)
	if err != nil {
		return nil, err
	}
	result := &SearchResult{ID: s.id}
	found := 0
	for i, a := range answers {
		list := s.keep(s.plan.queries[i].Source, a.list)
		found += len(list)
		result.Data.take(s.plan.queries[i].Source, list)
	}
	s.credits = searchCredits(found)
	result.Credits = s.credits + s.scrapeHits(ctx, &result.Data)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	result.Warning = strings.Join(s.warnings, " ")
	return result, nil
}

// ask asks for all sources at the same time. As long as one gives an answer the failures of others
// are warnings.
func (s *searching) ask(ctx context.Context) ([]answer, error) {
	ctx, clock := withDeadline(ctx, s.plan.timeout)
	defer clock.stop()
	answers := make([]answer, len(s.plan.queries))
	var work sync.WaitGroup
	for i, q := range s.plan.queries {
		work.Go(func() { answers[i] = s.engine.askProviders(ctx, q, s.plan.private) })
	}
	work.Wait()
	if ctx.Err() != nil {
		if timeout, ok := errors.AsType[*timeoutError](context.Cause(ctx)); ok {
			return nil, &Error{Code: CodeSearchTimeout, Err: timeout}
		}
		return nil, context.Cause(ctx)
	}
	failed := 0
	for i, a := range answers {
		if a.err != nil {
			failed++
			s.warnings = append(s.warnings, fmt.Sprintf("There are no results of the source %s: %s.", s.plan.queries[i].Source, a.err))
		}
		if a.warning != "" {
			s.warnings = append(s.warnings, a.warning)
		}
	}
	if failed == len(answers) {
		return nil, answers[0].err
	}
	return answers, nil
}

// askProviders asks one after the other until one answers. The error is the first one's.
func (e *Engine) askProviders(ctx context.Context, q plannedQuery, private bool) (a answer) {
	for _, p := range q.providers {
		found, err := askProvider(ctx, p, q.to(p))
		if err == nil {
			warning := found.Warning
			if a.err != nil {
				warning = strings.TrimSpace(fmt.Sprintf("The results are from %s: %s. %s", p.Name(), a.err, warning))
			}
			return answer{list: found.List, warning: warning}
		}
		if !private {
			e.log.Warn("a search provider failed", "provider", p.Name(), "error", err)
		}
		if a.err == nil {
			a.err = &Error{Code: CodeSearchFailed, Op: "search", Err: err}
		}
		if ctx.Err() != nil {
			break
		}
	}
	return a
}

// askProvider keeps to itself what goes wrong in a provider.
func askProvider(ctx context.Context, p search.Provider, q search.Query) (found search.Results, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return p.Search(ctx, q)
}

// keep drops what is there twice or beyond the limit and, where asked, what can't be scraped.
func (s *searching) keep(source search.Source, list []search.Result) (kept []search.Result) {
	seen := map[string]bool{}
	for _, r := range list {
		key := r.URL
		href, err := parseTarget(r.URL)
		if err == nil {
			key = pageKey(href)
		}
		if source == search.Images {
			key += " " + r.ImageURL
		}
		if err != nil && s.plan.valid || r.URL == "" || seen[key] || len(kept) == s.plan.limit {
			continue
		}
		seen[key] = true
		kept = append(kept, r)
	}
	return kept
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
		switch source {
		case search.News:
			d.News = append(d.News, NewsHit{Title: r.Title, URL: r.URL, Snippet: r.Description, Date: dateText(r.Date), ImageURL: r.ImageURL, Position: i + 1, Category: string(r.Category)})
		case search.Images:
			d.Images = append(d.Images, ImageHit{Title: r.Title, ImageURL: r.ImageURL, ImageWidth: r.ImageWidth, ImageHeight: r.ImageHeight, URL: r.URL, Position: i + 1})
		default:
			d.Web = append(d.Web, WebHit{URL: r.URL, Title: r.Title, Description: r.Description, Position: i + 1, Category: string(r.Category), Matches: r.Matches})
		}
	}
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
