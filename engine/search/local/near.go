package local

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2/search/query"
	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local/internal/vectors"
	"github.com/winnow-go/winnow/llm"
)

// sense is what a query means. The zero value finds nothing.
type sense struct {
	query []float32
	ids   map[vectors.Page][]string // that may be found; nil: all
}

// Limits of the search by meaning.
const (
	minDepth    = 50 // of the lists that are joined
	perPage     = 8  // passages that are looked at for each page that is wanted
	queryTime   = 10 * time.Second
	queryTokens = 512 // of a query
)

// depth is how long the list by words has to be for a number of results.
func (s sense) depth(limit int) int {
	if s.query == nil {
		return limit
	}
	return max(2*limit, minDepth)
}

// or completes the sentence on pages that don't have all words.
func (s sense) or() string {
	if s.query == nil {
		return ""
	}
	return ", or a meaning that is near"
}

func (s sense) may() func(vectors.Page) bool {
	if s.ids == nil {
		return nil
	}
	return func(p vectors.Page) bool { return s.ids[p] != nil }
}

// sense makes the vector of a query. Where it can't, the search is by words, with a warning.
func (x lookup) sense(ctx context.Context, q search.Query, c compiled) (s sense, warning string) {
	m := x.meaning
	if m.embedder == nil || q.Source == search.Images || q.Span.ByDate || len(c.terms) == 0 {
		return s, ""
	}
	if q.Private && !m.embedder.Embedding().Local {
		return s, "The search is by words alone: the embedder is not local."
	}
	switch t := m.table.Load(); {
	case t == nil:
		return s, "The search is by words alone: the vectors are unavailable."
	case t.Count() == 0:
		return s, m.warning()
	}
	var err error
	if s.query, err = m.queryVector(ctx, c.words); err == nil && c.filtered {
		s.ids, err = x.matching(ctx, c.filter)
	}
	if err != nil || len(s.query) != m.table.Load().Dimensions() {
		x.setup.Logger.Warn("search index: no vector of a query", "error", err)
		return sense{}, "The search is by words alone: the embedder is unavailable."
	}
	return s, m.warning()
}

// queryVector calls the embedder.
func (m *meaning) queryVector(ctx context.Context, text string) ([]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	text = fitted(text, min(queryTokens, m.embedder.Embedding().Context))
	list, err := m.embed(ctx, llm.EmbedRequest{Texts: []string{text}, Query: true})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// matching are the documents of pages that a filter lets through.
func (x lookup) matching(ctx context.Context, filter query.Query) (ids map[vectors.Page][]string, err error) {
	ids = map[vectors.Page][]string{}
	err = x.store.read(func(r api.IndexReader) error {
		return x.store.filtered(ctx, r, filter, func(internal api.IndexInternalID) error {
			id, err := r.ExternalID(internal)
			if err != nil {
				return err
			}
			page := vectors.PageOf(addressOf(id))
			ids[page] = append(ids[page], id)
			return nil
		})
	})
	return ids, err
}

// nearPages are the pages with the nearest passages, best first.
func (x lookup) nearPages(ctx context.Context, q search.Query, s sense) (list []picked, err error) {
	depth := s.depth(q.Limit)
	near, err := x.meaning.table.Load().Nearest(ctx, s.query, depth*perPage, s.may())
	if err != nil {
		return nil, err
	}
	seen := map[vectors.Page]bool{}
	for _, n := range near {
		if seen[n.Page] || len(list) == depth {
			continue
		}
		seen[n.Page] = true
		page, ok, err := x.pageOf(ctx, s, n.Page)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, page)
		}
	}
	return list, nil
}

// pageOf is the document of a page.
func (x lookup) pageOf(ctx context.Context, s sense, p vectors.Page) (picked, bool, error) {
	ids := s.ids[p]
	if s.ids == nil {
		var err error
		if ids, err = x.store.idsWith(byDigest, pageTerm(p)); err != nil {
			return picked{}, false, err
		}
	}
	for _, id := range ids {
		if id[:min(1, len(id))] == passageMark {
			continue
		}
		if s, ok, err := x.shown(ctx, id, search.Web); err != nil || ok {
			return picked{id, s}, ok, err
		}
	}
	return picked{}, false, nil
}

// nearParts are the nearest passages, best first.
func (x lookup) nearParts(ctx context.Context, s sense, depth int) (ids []string, err error) {
	near, err := x.meaning.table.Load().Nearest(ctx, s.query, depth, s.may())
	if err != nil {
		return nil, err
	}
	for _, n := range near {
		of, err := x.store.idsWith(byVector, vectorTerm(n.Page, n.Text))
		if err != nil {
			return nil, err
		}
		ids = append(ids, of...)
	}
	return ids, nil
}

// fused joins lists by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): what is high in several comes first.
func fused[T any](key func(T) string, lists ...[]T) (joined []T) {
	const damping = 60
	scores := map[string]float64{}
	for _, list := range lists {
		for i, item := range list {
			if _, known := scores[key(item)]; !known {
				joined = append(joined, item)
			}
			scores[key(item)] += 1 / float64(damping+i+1)
		}
	}
	slices.SortStableFunc(joined, func(a, b T) int { return cmp.Compare(scores[key(b)], scores[key(a)]) })
	return joined
}
