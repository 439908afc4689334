// Package searching asks search providers: for each source the first that can honour the query, and when that fails the next.
//
// Terms.Queries checks what a caller asks for, Plan finds who can honour a query, Run asks, Pages reads what was found.
//
//	terms.go      Terms: from what a caller asks for to queries
//	plan.go       Query, Plan: who can honour a query, and what a provider gets
//	searching.go  Request, Run, Answer
//	pages.go      Pages: each page once, several at a time
package searching

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Request is one search. Its fields are valid as they are: there are no defaults.
type Request struct {
	Queries []Query       // at least one
	Limit   int           // of results for each query
	Timeout time.Duration // of all queries together
	Web     bool          // leave out results that are no web addresses
	Private bool          // nothing of the search is logged, or leaves the machine
}

// Answer is what came of one query.
type Answer struct {
	Source   search.Source
	List     []search.Result // each page once, up to the limit
	Provider string          // that answered
	Warning  string          // the provider's
	Err      error           // a [*ProviderError]: what the first provider failed with
	Failed   bool            // so did all others
}

// ProviderError is the failure of a provider.
type ProviderError struct{ Err error }

func (e *ProviderError) Error() string { return e.Err.Error() }

func (e *ProviderError) Unwrap() error { return e.Err }

// TimeoutError says that the request's timeout ran out.
type TimeoutError struct{ Err error }

func (e *TimeoutError) Error() string { return e.Err.Error() }

func (e *TimeoutError) Unwrap() error { return e.Err }

// Run asks all queries at the same time, and returns their answers in order. As long as one is answered the failures of others are
// in their answers; else the error is the first one's [*ProviderError]. It is a [*TimeoutError] or ctx's cause where the time ran out.
func Run(ctx context.Context, r Request, log *slog.Logger) (answers []Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			answers, err = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	ctx, clock := deadline.With(ctx, r.Timeout)
	defer clock.Stop()
	answers = make([]Answer, len(r.Queries))
	var work sync.WaitGroup
	for i, q := range r.Queries {
		work.Go(func() { answers[i] = r.ask(ctx, q, log) })
	}
	work.Wait()
	if ctx.Err() != nil {
		return nil, ended(context.Cause(ctx))
	}
	failed := 0
	for i, a := range answers {
		if a.Failed {
			failed++
		}
		answers[i].List = r.keep(a)
	}
	if failed == len(answers) {
		return nil, answers[0].Err
	}
	return answers, nil
}

// ended is the error of a search whose context has ended.
func ended(cause error) error {
	if timeout, ok := errors.AsType[*deadline.TimeoutError](cause); ok {
		return &TimeoutError{Err: timeout}
	}
	return cause
}

// ask asks one provider after the other until one answers.
func (r Request) ask(ctx context.Context, q Query, log *slog.Logger) Answer {
	a := Answer{Source: q.Source}
	q.Private = r.Private
	for _, p := range q.Providers {
		found, err := askProvider(ctx, p, q.to(p))
		if err == nil {
			a.List, a.Provider, a.Warning = found.List, p.Name(), strings.TrimSpace(found.Warning+" "+q.unhonoured(p))
			return a
		}
		if !r.Private {
			log.Warn("a search provider failed", "provider", p.Name(), "error", err)
		}
		if a.Err == nil {
			a.Err = &ProviderError{Err: err}
		}
		if ctx.Err() != nil {
			break
		}
	}
	a.Failed = true
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

// keep drops what is there twice or beyond the limit and, where requested, what is no web address.
func (r Request) keep(a Answer) (kept []search.Result) {
	seen := map[string]bool{}
	for _, found := range a.List {
		key := found.URL
		href, err := weburl.Target(found.URL)
		if err == nil {
			key = weburl.Key(href)
		}
		if a.Source == search.Images {
			key += " " + found.ImageURL
		}
		if err != nil && r.Web || found.URL == "" || seen[key] || len(kept) == r.Limit {
			continue
		}
		seen[key] = true
		kept = append(kept, found)
	}
	return kept
}
