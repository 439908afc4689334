package tokens

import "container/heap"

// join counts what is left of the bytes of a piece when neighbours that make a token are joined, those of the lowest rank first.
func join(piece string, ranks map[string]int) int {
	j := &joining{piece: piece, ranks: ranks, parts: make([]part, len(piece))}
	for i := range j.parts {
		j.parts[i] = part{end: i + 1, before: i - 1}
	}
	for i := range j.parts {
		j.offer(i)
	}
	left := len(piece)
	for j.Len() > 0 {
		if j.do(heap.Pop(j).(pair)) {
			left--
		}
	}
	return left
}

// joining is the work on one piece. Parts are known by where they begin; the heap has pairs of neighbours, and some that are none any more.
type joining struct {
	piece string
	ranks map[string]int
	parts []part
	pairs []pair
}

type part struct{ end, before int } // end 0: it has been joined to the one before

// pair is the part at a place, with the one behind it, that ends at end.
type pair struct{ rank, at, end int }

// offer puts the part at a place and the one behind it on the heap, where they make a token.
func (j *joining) offer(at int) {
	next := j.parts[at].end
	if next == len(j.piece) {
		return
	}
	end := j.parts[next].end
	if rank, ok := j.ranks[j.piece[at:end]]; ok {
		heap.Push(j, pair{rank, at, end})
	}
}

// do joins a pair that still is one.
func (j *joining) do(p pair) bool {
	next := j.parts[p.at].end
	if next == 0 || next == len(j.piece) || j.parts[next].end != p.end {
		return false
	}
	j.parts[p.at].end, j.parts[next].end = p.end, 0
	if p.end < len(j.piece) {
		j.parts[p.end].before = p.at
	}
	j.offer(p.at)
	if before := j.parts[p.at].before; before >= 0 {
		j.offer(before)
	}
	return true
}

func (j *joining) Len() int { return len(j.pairs) }
func (j *joining) Less(a, b int) bool {
	x, y := j.pairs[a], j.pairs[b]
	return x.rank < y.rank || x.rank == y.rank && x.at < y.at
}
func (j *joining) Swap(a, b int) { j.pairs[a], j.pairs[b] = j.pairs[b], j.pairs[a] }
func (j *joining) Push(x any)    { j.pairs = append(j.pairs, x.(pair)) }
func (j *joining) Pop() any {
	last := len(j.pairs) - 1
	p := j.pairs[last]
	j.pairs = j.pairs[:last]
	return p
}
