package local

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	scoring "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local/internal/vectors"
)

// Found is a passage that was found, and its page.
type Found struct {
	// URL and Title of the page. Date of its publication or, if unknown, of storing.
	URL, Title string
	Date       time.Time
	Passage    search.Passage
}

// FoundPassages are the answer to a query for passages.
type FoundPassages struct {
	// List is best first.
	List []Found
	// Warning is a sentence for users about what is missing; usually empty.
	Warning string
}

// Passages finds the best passages of all pages, at most q.Limit, as a model is given to answer from. Words, phrases and operators are
// as in Search, but for a passage some of the words are enough; -without is about the passage, not its page. Its source is
// search.Web; others are an [*search.OptionError].
func (x *Index) Passages(ctx context.Context, q search.Query) (found FoundPassages, err error) {
	q = q.WithDefaults()
	if err := x.Can().Check(x.Name(), q); err != nil {
		return found, err
	}
	if q.Source != search.Web {
		return found, &search.OptionError{Field: "source", Value: q.Source, Want: "web: passages are of pages"}
	}
	err = x.use(ctx, func(late string) error {
		found, err = lookup{x}.findPassages(ctx, q)
		found.Warning = strings.TrimSpace(late + found.Warning)
		return err
	})
	return found, err
}

func (x lookup) findPassages(ctx context.Context, q search.Query) (found FoundPassages, err error) {
	found.List = []Found{}
	s, warning := x.sense(ctx, q, compile(q, x.store.folded, x.setup.Now()))
	found.Warning = warning
	q.Source = inPages
	c := compile(q, x.store.folded, x.setup.Now())
	ids, err := x.partIDs(ctx, q, c.some(), s.depth(2*q.Limit))
	if err != nil {
		return found, err
	}
	if s.query != nil {
		near, err := x.nearParts(ctx, s, s.depth(2*q.Limit))
		if err != nil {
			return found, err
		}
		ids = fused(func(id string) string { return id }, ids, near)
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if len(found.List) == q.Limit {
			break
		}
		f, ok, err := x.found(ctx, id)
		if err != nil {
			return found, err
		}
		if same := addressOf(pageOf(id, inPages)) + "\x00" + f.Passage.ID; ok && !seen[same] {
			seen[same] = true
			found.List = append(found.List, f)
		}
	}
	return found, nil
}

// found reads a passage and what is known of its page; ok is false if the cache no longer has it.
func (x lookup) found(ctx context.Context, id string) (f Found, ok bool, err error) {
	page, ok, err := x.shown(ctx, pageOf(id, inPages), search.Web)
	if err != nil || !ok {
		return f, false, err
	}
	f = Found{URL: page.URL, Title: page.Title, Date: page.Date.UTC().Truncate(time.Millisecond)}
	ok, err = x.stored(id, &f.Passage)
	return f, ok, err
}

// partIDs are the best passages by words.
func (x lookup) partIDs(ctx context.Context, q search.Query, full query.Query, limit int) (ids []string, err error) {
	r, err := x.request(ctx, q, full, limit)
	if err != nil {
		return nil, err
	}
	found, err := x.search(ctx, r)
	for _, hit := range found {
		ids = append(ids, hit.ID)
	}
	return ids, err
}

// parts finds the passages of pages that match a query.
type parts struct {
	index lookup
	words query.Query // nil: the query has none
	stats *scoring.BM25Stats
}

// partsFor prepares the search for the passages of results.
func (x lookup) partsFor(ctx context.Context, q search.Query) (p parts, err error) {
	c := compile(search.Query{Text: q.Text, Language: q.Language, Source: inPages}, x.store.folded, x.setup.Now())
	p = parts{index: x}
	if len(c.terms) > 0 && x.passages > 0 {
		p.words = c.some()
	}
	p.stats, err = x.store.stats(ctx, inPages)
	return p, err
}

// of are the best passages of a page.
func (p parts) of(ctx context.Context, s sense, key string) (list []search.Passage, err error) {
	if p.words == nil {
		return nil, nil
	}
	r := bleve.NewSearchRequestOptions(bleve.NewConjunctionQuery(p.words, term(byPage, key)), p.index.passages, 0, false)
	r.PreSearchData = map[string]any{scoring.BM25PreSearchDataKey: p.stats}
	r.SortBy([]string{"-_score", "_id"})
	found, err := p.index.search(ctx, r)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(found))
	for _, hit := range found {
		ids = append(ids, hit.ID)
	}
	near, err := p.index.nearOf(s, key)
	if err != nil {
		return nil, err
	}
	ids = fused(func(id string) string { return id }, ids, near)
	for _, id := range ids[:min(len(ids), p.index.passages)] {
		var passage search.Passage
		ok, err := p.index.stored(id, &passage)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, passage)
		}
	}
	return list, nil
}

// nearOf are the passages of a page whose meaning is near, best first.
func (x lookup) nearOf(s sense, key string) (ids []string, err error) {
	if s.query == nil {
		return nil, nil
	}
	near, err := x.meaning.table.Load().Of(vectors.PageOf(addressOf(key)), s.query)
	if err != nil {
		return nil, err
	}
	for _, n := range near[:min(len(near), x.passages)] {
		of, err := x.store.idsWith(byVector, vectorTerm(n.Page, n.Text))
		if err != nil {
			return nil, err
		}
		of = slices.DeleteFunc(of, func(id string) bool { return pageOf(id, inPages) != key })
		ids = append(ids, of...)
	}
	return ids, nil
}

// idsWith are the documents that have a term in a field.
func (s *store) idsWith(field, value string) (ids []string, err error) {
	err = s.read(func(r api.IndexReader) error {
		return eachWith(r, field, value, func(id string, _ api.IndexInternalID) error {
			ids = append(ids, id)
			return nil
		})
	})
	slices.Sort(ids)
	return ids, err
}
