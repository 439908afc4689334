package tracking

import (
	"context"
	"slices"
)

// maxEdits bounds the search for lines that stay inside one region. A region that
// differs by more is left as it is.
const maxEdits = 256

// refine lets further lines stay. An anchored diff has nothing to hold on to where all
// lines occur more than once, as in a menu that a page has twice, and then shows two
// far changes as one from the first to the last. Blank lines alone are no reason for
// lines to stay: they are everywhere.
//
// It takes time in proportion to the number of lines times maxEdits at most.
func (s *script) refine(ctx context.Context) error {
	var pairs []pair
	ids := map[string]int{"\n": blank}
	for r, more := s.next(0, 0); more; r, more = s.next(r.x1, r.y1) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.x0 == r.x1 || r.y0 == r.y1 {
			continue
		}
		xs, a := number(ids, s.from[r.x0:r.x1])
		ys, b := number(ids, s.to[r.y0:r.y1])
		for _, p := range common(a, b) {
			pairs = append(pairs, pair{r.x0 + xs[p.x], r.y0 + ys[p.y]})
		}
	}
	for _, p := range pairs { // all of them before any spreads
		s.gone[p.x], s.new[p.y] = false, false
	}
	for _, p := range pairs {
		s.spread(p, 1)
		s.spread(p, -1)
	}
	return nil
}

const blank = 0

// number gives the lines that aren't blank: where they are, and for each a number
// that the same line always has.
func number(ids map[string]int, lines []string) (at, numbers []int) {
	for i, line := range lines {
		id, known := ids[line]
		if !known {
			id = len(ids)
			ids[line] = id
		}
		if id != blank {
			at, numbers = append(at, i), append(numbers, id)
		}
	}
	return at, numbers
}

// spread keeps the lines that are the same on both sides before or behind p.
func (s *script) spread(p pair, step int) {
	for x, y := p.x+step, p.y+step; x >= 0 && y >= 0 && x < len(s.from) && y < len(s.to); x, y = x+step, y+step {
		if !s.gone[x] || !s.new[y] || s.from[x] != s.to[y] {
			return
		}
		s.gone[x], s.new[y] = false, false
	}
}

// pair is a place in two lists that have the same there.
type pair struct{ x, y int }

// common is a longest common subsequence of a and b, in order; none when it takes
// more than maxEdits deletions and insertions to make b of a. It's the greedy search of
// Myers, An O(ND) difference algorithm and its variations (1986).
func common(a, b []int) []pair {
	f := frontier{a: a, b: b}
	for edits := 0; edits <= min(maxEdits, len(a)+len(b)); edits++ {
		if f.advance(edits) {
			return f.pairs(edits)
		}
	}
	return nil
}

// frontier is how far one gets in a and b with so many edits. A diagonal k is where
// x - y = k. reach[edits] has the farthest x on the diagonals -edits, -edits+2 … edits.
type frontier struct {
	a, b  []int
	reach [][]int
}

// advance makes one more edit on every diagonal and reports whether both ends are reached.
func (f *frontier) advance(edits int) bool {
	row := make([]int, 0, edits+1)
	done := false
	for k := -edits; k <= edits; k += 2 {
		x, _ := f.enter(edits, k)
		for x < len(f.a) && x-k < len(f.b) && f.a[x] == f.b[x-k] {
			x++
		}
		row = append(row, x)
		done = done || x >= len(f.a) && x-k >= len(f.b)
	}
	f.reach = append(f.reach, row)
	return done
}

// enter is where diagonal k is entered with the last of so many edits, and the diagonal
// that one comes from.
func (f *frontier) enter(edits, k int) (x, before int) {
	if edits == 0 {
		return 0, 0
	}
	last := f.reach[edits-1]
	i := (k + edits) / 2 // of diagonal k+1 in the last row; k-1 is the one before
	if k == -edits || k != edits && last[i-1] < last[i] {
		return last[i], k + 1
	}
	return last[i-1] + 1, k - 1
}

// pairs goes back from both ends and takes what was the same on the way.
func (f *frontier) pairs(edits int) []pair {
	var found []pair
	x, k := len(f.a), len(f.a)-len(f.b)
	for ; edits >= 0; edits-- {
		entered, before := f.enter(edits, k)
		for ; x > entered; x-- {
			found = append(found, pair{x - 1, x - 1 - k})
		}
		if before < k { // by an element of a, which has no pair
			x--
		}
		k = before
	}
	slices.Reverse(found)
	return found
}
