package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
)

// Search implements search.Provider. Pages that were put before are found. The text is read as
// words that all must be there, in any form where the page's language is known, "phrases in quotes",
// -without, site:, filetype:pdf and OR. Where no page has all words, those with some are given, and
// a warning. Dates are those of publication where pages tell, else of storing.
func (x *Index) Search(ctx context.Context, q search.Query) (search.Results, error) {
	q = q.WithDefaults()
	if err := x.Can().Check(x.Name(), q); err != nil {
		return search.Results{}, err
	}
	late, err := x.wait(ctx)
	if err != nil {
		return search.Results{}, err
	}
	x.using.RLock()
	defer x.using.RUnlock()
	if x.store == nil {
		return search.Results{}, x.gone()
	}
	found, err := x.find(ctx, q)
	if late {
		found.Warning = strings.TrimSpace("The index is still being brought up to date: some pages may be missing. " + found.Warning)
	}
	return found, err
}

// wait catches up, for as long as there is patience. late: not all is in the index.
func (x *Index) wait(ctx context.Context) (late bool, err error) {
	patient, cancel := context.WithTimeout(ctx, x.patience)
	defer cancel()
	err = x.catchUp(patient)
	if err != nil && ctx.Err() == nil && patient.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// gone is why there is no store.
func (x *Index) gone() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || x.failed == nil {
		return search.ErrClosed
	}
	return x.failed
}

// find asks the library, with all words and then, if nothing has them, with some.
func (x *Index) find(ctx context.Context, q search.Query) (search.Results, error) {
	a := ask(q, x.store.folded, x.setup.Now())
	list, err := x.hits(ctx, q, a, a.all)
	if err != nil || len(list) > 0 || a.any == nil {
		return search.Results{List: list}, err
	}
	list, err = x.hits(ctx, q, a, a.any)
	if err != nil || len(list) == 0 {
		return search.Results{List: list}, err
	}
	return search.Results{List: list, Warning: "No page has all words of the query; these have some."}, nil
}

// mostHits bounds how far the library's list is read: some of its hits are the same page, fetched
// in another way.
const mostHits = 1000

func (x *Index) hits(ctx context.Context, q search.Query, a asked, ask query.Query) ([]search.Result, error) {
	r := bleve.NewSearchRequestOptions(ask, min(3*q.Limit+30, mostHits), 0, false)
	r.SortBy([]string{"-_score", "-" + byDate, "_id"})
	if q.Span.ByDate {
		r.SortBy([]string{"-" + byDate, "-_score", "_id"})
	}
	found, err := x.search(ctx, r)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	list := []search.Result{}
	for _, hit := range found {
		page, _, _ := strings.Cut(hit, "\x00")
		if seen[page] || len(list) == q.Limit {
			continue
		}
		s, ok, err := x.shown(ctx, hit)
		if err != nil {
			return nil, err
		}
		if ok {
			seen[page] = true
			list = append(list, x.result(s, q, a))
		}
	}
	return list, nil
}

// search gives the keys that fit; a panic of the library is an error.
func (x *Index) search(ctx context.Context, r *bleve.SearchRequest) (keys []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("search index: panic: %v", p)
		}
	}()
	found, err := x.store.index.SearchInContext(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, hit := range found.Hits {
		keys = append(keys, hit.ID)
	}
	return keys, nil
}

// shown reads what is kept of a page to be shown, if it is still what the cache has.
func (x *Index) shown(ctx context.Context, key string) (s shown, ok bool, err error) {
	now, err := x.pages.Version(ctx, key)
	if err != nil || now == "" {
		return s, false, err
	}
	d, err := x.store.index.Document(key)
	if err != nil || d == nil {
		return s, false, err
	}
	d.VisitFields(func(f api.Field) {
		if f.Name() == shownField {
			ok = json.Unmarshal(f.Value(), &s) == nil
		}
	})
	return s, ok, nil
}

func (x *Index) result(s shown, q search.Query, a asked) search.Result {
	r := search.Result{URL: s.URL, Title: s.Title, Date: s.Date.UTC().Truncate(time.Millisecond), ImageURL: s.Image}
	r.Description, r.Matches = passage(s, x.store.folded, a)
	if r.Category = search.FirstOf(q.Categories, s.URL); r.Category == "" && len(q.Categories) == 1 {
		r.Category = q.Categories[0]
	}
	return r
}
