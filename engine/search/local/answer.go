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

// Search implements search.Provider. It finds every page that was stored before the call. The text is
// parsed as words that must all be found (in any form, if the page's language is known), "phrases in
// quotes", -without, site:, filetype:pdf and OR. If no page has all words, pages with some of them are
// returned, with a warning. The date of a result is that of publication or, if unknown, of storing.
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

// wait catches up, at most for the index's patience. late reports that it did not finish.
func (x *Index) wait(ctx context.Context) (late bool, err error) {
	patient, cancel := context.WithTimeout(ctx, x.patience)
	defer cancel()
	err = x.catchUp(patient)
	if err != nil && ctx.Err() == nil && patient.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// gone returns the reason why there is no store.
func (x *Index) gone() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || x.failed == nil {
		return search.ErrClosed
	}
	return x.failed
}

// find searches for all words and then, if no page has them, for some.
func (x *Index) find(ctx context.Context, q search.Query) (search.Results, error) {
	c := compile(q, x.store.folded, x.setup.Now())
	list, err := x.hits(ctx, q, c, c.all)
	if err != nil || len(list) > 0 || c.any == nil {
		return search.Results{List: list}, err
	}
	list, err = x.hits(ctx, q, c, c.any)
	if err != nil || len(list) == 0 {
		return search.Results{List: list}, err
	}
	return search.Results{List: list, Warning: "No page has all words of the query; these have some."}, nil
}

// maxHits is the maximum number of hits of the library that are read: several may be the same page,
// fetched in different ways.
const maxHits = 1000

func (x *Index) hits(ctx context.Context, q search.Query, c compiled, full query.Query) ([]search.Result, error) {
	r := bleve.NewSearchRequestOptions(full, min(3*q.Limit+30, maxHits), 0, false)
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
			list = append(list, x.result(s, q, c))
		}
	}
	return list, nil
}

// search returns the keys of the hits; a panic of the library is an error.
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

// shown reads what results show of a page; ok is false if the cache no longer has the page.
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

func (x *Index) result(s shown, q search.Query, c compiled) search.Result {
	r := search.Result{URL: s.URL, Title: s.Title, Date: s.Date.UTC().Truncate(time.Millisecond), ImageURL: s.Image}
	r.Description, r.Matches = passage(s, x.store.folded, c)
	if r.Category = search.FirstOf(q.Categories, s.URL); r.Category == "" && len(q.Categories) == 1 {
		r.Category = q.Categories[0]
	}
	return r
}
