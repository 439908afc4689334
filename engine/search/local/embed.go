package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	api "github.com/blevesearch/bleve_index_api"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local/internal/vectors"
	"github.com/winnow-go/winnow/llm"
)

// Embed returns when all passages of the pages stored so far have their vectors, or with the error of an attempt to make them, which
// is repeated in the background. Without an embedder it returns at once. Searches don't need it: what has no vector yet
// is found by its words.
func (x *Index) Embed(ctx context.Context) error {
	if x.meaning.embedder == nil {
		return nil
	}
	if err := x.catchUp(ctx); err != nil {
		return err
	}
	return x.meaning.wait(ctx, x.ctx.Done(), search.ErrClosed)
}

// embedding makes the vectors of an index.
type embedding struct{ *Index }

// embedAll makes vectors until the index is closed.
func (x embedding) embedAll() {
	for try := 0; x.meaning.idle(x.ctx); {
		pages, err := x.embedSome()
		x.meaning.finish(pages, err)
		if err == nil {
			try = 0
			continue
		}
		if x.ctx.Err() != nil {
			return
		}
		x.setup.Logger.Warn("search index: making vectors failed, it is tried again", "error", err)
		if !x.meaning.rest(x.ctx, x.meaning.pause(try)) {
			return
		}
		try++
	}
}

// embeddable is a passage without a vector.
type embeddable struct {
	page vectors.Page
	text vectors.Text
	body string
}

// embedSome makes the vectors of one batch or, if it has more, of one page.
func (x embedding) embedSome() (pages []vectors.Page, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	limits := x.meaning.limits()
	var list []embeddable
	for len(list) < limits.Batch {
		page, ok := x.meaning.take()
		if !ok {
			break
		}
		pages = append(pages, page)
		missing, err := x.missing(page, limits.Context)
		if err != nil {
			return pages, err
		}
		list = append(list, missing...)
	}
	for batch := range slices.Chunk(list, limits.Batch) {
		if err := x.embedBatch(batch); err != nil {
			return pages, err
		}
	}
	return pages, nil
}

// missing are the passages of a page that have no vector.
func (x embedding) missing(page vectors.Page, context int) (list []embeddable, err error) {
	x.using.RLock()
	defer x.using.RUnlock()
	if x.store == nil {
		return nil, x.gone()
	}
	t, known := x.meaning.table.Load(), map[vectors.Text]bool{}
	err = x.store.eachVector(page, func(id string, text vectors.Text) error {
		if known[text] || t.Has(page, text) || x.meaning.skips(text) {
			return nil
		}
		known[text] = true
		var p search.Passage
		ok, err := lookup(x).stored(id, &p)
		if body := fitted(embeddedText(p), context); ok && body != "" {
			list = append(list, embeddable{page, text, body})
		}
		return err
	})
	return list, err
}

// embedBatch makes the vectors of a batch. If the embedder refuses it, each text is tried by itself.
func (x embedding) embedBatch(list []embeddable) error {
	err := x.embedThese(list)
	if !refused(err) {
		return err
	}
	const maxFirst = 3 // all refused: it's not the texts
	done, bad := 0, []vectors.Text(nil)
	for i := range list {
		one := x.embedThese(list[i : i+1])
		switch {
		case one == nil:
			done++
		case !refused(one) || done == 0 && len(bad) == maxFirst-1 && !errors.Is(one, llm.ErrTooLong):
			return one
		default:
			bad = append(bad, list[i].text)
		}
	}
	if done == 0 && !errors.Is(err, llm.ErrTooLong) {
		return err
	}
	x.setup.Logger.Warn("search index: the embedder refuses some texts", "texts", len(bad), "error", err)
	x.meaning.skip(bad)
	return nil
}

// refused reports that it's of no use to send the same texts again.
func refused(err error) bool {
	return errors.Is(err, llm.ErrTooLong) || errors.Is(err, llm.ErrRefused) || errors.Is(err, llm.ErrMalformed)
}

func (m *meaning) skips(text vectors.Text) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.skipped[text]
}

// maxSkipped bounds the texts that are known as refused; more are tried again.
const maxSkipped = 100_000

func (m *meaning) skip(list []vectors.Text) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, text := range list {
		m.skipped[text] = len(m.skipped) < maxSkipped
	}
}

// embedThese makes vectors with one call.
func (x embedding) embedThese(list []embeddable) error {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = e.body
	}
	made, err := x.meaning.embed(x.ctx, llm.EmbedRequest{Texts: texts})
	if err != nil {
		return err
	}
	all := make([]vectors.Vector, len(list))
	for i, e := range list {
		all[i] = vectors.Vector{Page: e.page, Text: e.text, Numbers: made[i]}
	}
	if err = x.meaning.put(all); errors.Is(err, vectors.ErrSpace) {
		return x.startOver(err)
	}
	return err
}

// embed calls the embedder, and checks what it returns.
func (m *meaning) embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	got, err := m.embedder.Embed(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(got.Vectors) != len(r.Texts) {
		return nil, fmt.Errorf("%w: %d vectors of %d texts", llm.ErrMalformed, len(got.Vectors), len(r.Texts))
	}
	for _, v := range got.Vectors {
		if len(v) == 0 || len(v) != len(got.Vectors[0]) || len(v) > vectors.MaxDimensions || !finite(v) {
			return nil, fmt.Errorf("%w: a vector of %d numbers", llm.ErrMalformed, len(v))
		}
	}
	return got.Vectors, nil
}

func finite(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += math.Abs(float64(x))
	}
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// put adds the vectors of texts that are still wanted.
func (m *meaning) put(list []vectors.Vector) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	list = slices.DeleteFunc(list, func(v vectors.Vector) bool {
		wanted, ok := m.flight[v.Page]
		return !ok || wanted != nil && !wanted[v.Text]
	})
	return m.table.Load().Put(list)
}

// startOver drops all vectors: the embedder makes others now, under the same name.
func (x embedding) startOver(because error) error {
	x.setup.Logger.Warn("search index: making all vectors again", "because", because)
	x.using.RLock()
	defer x.using.RUnlock()
	t := x.meaning.table.Load()
	if x.store == nil {
		return x.gone()
	}
	return errors.Join(t.Clear(), x.meaning.compare(x.store, t))
}

// eachVector visits the passages of a page, fetched in any way.
func (s *store) eachVector(page vectors.Page, visit func(id string, text vectors.Text) error) error {
	return s.read(func(r api.IndexReader) error {
		values, err := r.DocValueReader([]string{byVector})
		if err != nil {
			return err
		}
		return eachWith(r, byDigest, pageTerm(page), func(id string, internal api.IndexInternalID) error {
			var visited error
			err := values.VisitDocValues(internal, func(_ string, term []byte) {
				if _, text, ok := readVectorTerm(term); ok {
					visited = visit(id, text)
				}
			})
			return errors.Join(err, visited)
		})
	})
}

// allVectors visits the passages of all pages, in no particular order.
func (s *store) allVectors(visit func(vectors.Page, vectors.Text)) error {
	return s.read(func(r api.IndexReader) error {
		values, err := r.DocValueReader([]string{byVector})
		if err != nil {
			return err
		}
		return eachDocument(r, func(id api.IndexInternalID) error {
			return values.VisitDocValues(id, func(_ string, term []byte) {
				if page, text, ok := readVectorTerm(term); ok {
					visit(page, text)
				}
			})
		})
	})
}

// fitted is the beginning of a text that has at most so many tokens by the estimate of [llm.Tokens].
func fitted(text string, limit int) string {
	for n := llm.Tokens(text); n > limit; n = llm.Tokens(text) {
		text = cut(text, len(text)*limit/n)
	}
	return text
}
