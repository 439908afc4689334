package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// Near is a vector that was found. Score is the cosine of the angle, 1 for the same direction.
type Near struct {
	Page  Page
	Text  Text
	Score float32
}

// Nearest returns the best vectors, at most limit, best first; equal ones by page and text. Only those of pages that may be found are
// looked at; nil is all pages. It reads all vectors, on all processors.
func (t *Table) Nearest(ctx context.Context, query []float32, limit int, may func(Page) bool) ([]Near, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	direction, err := t.direction(query)
	if err != nil || t.slots == 0 || limit < 1 {
		return nil, err
	}
	parts := runtime.GOMAXPROCS(0)
	found, failed := make([][]Near, parts), make([]error, parts)
	var reading sync.WaitGroup
	for i := range parts {
		reading.Go(func() {
			s := scan{table: t, query: direction, limit: limit, may: may}
			failed[i] = s.run(ctx, i*t.slots/parts, (i+1)*t.slots/parts)
			found[i] = s.best
		})
	}
	reading.Wait()
	all := slices.Concat(found...)
	slices.SortFunc(all, byScore)
	return all[:min(limit, len(all))], errors.Join(failed...)
}

// Of returns how near the vectors of one page are, in the order of [Table.Nearest].
func (t *Table) Of(p Page, query []float32) (list []Near, err error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	direction, err := t.direction(query)
	if err != nil {
		return nil, err
	}
	defer fault(&err)()
	for _, slot := range t.pages[p] {
		r := t.record(slot)
		list = append(list, Near{p, textOf(r), dot(numbersOf(r), direction)})
	}
	slices.SortFunc(list, byScore)
	return list, nil
}

// direction is a query of length 1.
func (t *Table) direction(query []float32) ([]float32, error) {
	length := lengthOf(query)
	if t.slots > 0 && len(query) != t.dim || !isFinite(query) {
		return nil, fmt.Errorf("%w: it has %d numbers, want %d", ErrSpace, len(query), t.dim)
	}
	if length == 0 {
		return query, nil
	}
	out := make([]float32, len(query))
	for i, x := range query {
		out[i] = float32(float64(x) / length)
	}
	return out, nil
}

func byScore(a, b Near) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), slices.Compare(a.Page[:], b.Page[:]), slices.Compare(a.Text[:], b.Text[:]))
}

// scan finds the best vectors of a part of a table.
type scan struct {
	table *Table
	query []float32
	limit int
	may   func(Page) bool
	best  []Near // at most twice the limit
	bar   Near   // what doesn't reach it isn't among the best
}

// run reads the slots of a part.
func (s *scan) run(ctx context.Context, from, to int) (err error) {
	defer fault(&err)()
	const perCheck = 4096
	for slot := from; slot < to; slot++ {
		if slot%perCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := s.table.record(slot)
		p := pageOf(r)
		if p == (Page{}) || s.may != nil && !s.may(p) {
			continue
		}
		s.take(Near{p, textOf(r), dot(numbersOf(r), s.query)})
	}
	return nil
}

// take keeps one that may be among the best. Now and then the others are dropped.
func (s *scan) take(n Near) {
	if s.bar.Page != (Page{}) && byScore(s.bar, n) < 0 {
		return
	}
	if s.best = append(s.best, n); len(s.best) < 2*s.limit {
		return
	}
	slices.SortFunc(s.best, byScore)
	s.best = s.best[:s.limit]
	s.bar = s.best[s.limit-1]
}
