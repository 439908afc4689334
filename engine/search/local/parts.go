package local

import (
	"context"
	"slices"
	"strings"
	"time"

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
	ids, err := x.partIDs(ctx, q, c, s.depth(2*q.Limit))
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
func (x lookup) partIDs(ctx context.Context, q search.Query, c compiled, limit int) (ids []string, err error) {
	err = x.store.read(func(r api.IndexReader) error {
		k, err := x.ranked(ctx, r, q, c)
		if err != nil {
			return err
		}
		var among map[uint64]bool
		if c.filtered {
			among = map[uint64]bool{}
			err = x.store.filtered(ctx, r, c.filter, func(internal api.IndexInternalID) error {
				among[internal.Value()] = true
				return nil
			})
			if err != nil {
				return err
			}
		}
		ids, err = k.best(limit, among)
		return err
	})
	return ids, err
}

// ranked scores all passages.
func (x lookup) ranked(ctx context.Context, r api.IndexReader, q search.Query, c compiled) (ranking, error) {
	words, err := x.termsOf(r, q, c)
	if err != nil {
		return ranking{}, err
	}
	return x.store.lengths.rank(ctx, r, words)
}

// addParts adds to the results the passages of their pages that match the query.
func (x lookup) addParts(ctx context.Context, q search.Query, c compiled, s sense, list []picked, results []search.Result) error {
	if q.Source == search.Images || x.passages == 0 || len(c.terms) == 0 {
		return nil
	}
	return x.store.read(func(r api.IndexReader) error {
		k, err := x.ranked(ctx, r, q, c)
		if err != nil {
			return err
		}
		for i, p := range list {
			if results[i].Passages, err = x.partsOf(k, s, p.id); err != nil {
				return err
			}
		}
		return nil
	})
}

// partsOf are the best passages of a page.
func (x lookup) partsOf(k ranking, s sense, key string) (list []search.Passage, err error) {
	among, err := k.of(key)
	if err != nil {
		return nil, err
	}
	ids, err := k.best(x.passages, among)
	if err != nil {
		return nil, err
	}
	near, err := x.nearOf(s, key)
	if err != nil {
		return nil, err
	}
	ids = fused(func(id string) string { return id }, ids, near)
	for _, id := range ids[:min(len(ids), x.passages)] {
		var passage search.Passage
		ok, err := x.stored(id, &passage)
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
