package window

import (
	"cmp"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/passages"
)

func trim(s string) string { return strings.TrimSpace(s) }

// piece is a part of the text.
type piece struct {
	from, to int
	tight    bool // one line end comes after it, or before it where it closes code
}

// relevant is the passages that are most relevant for a query, as many as have room, in reading order, with their headings.
func (r *reader) relevant(w *Window, query string, rank func(string, []passages.Passage) []int) string {
	list := passages.Split(r.text, passages.Options{MaxTokens: min(r.limit/3, passages.DefaultTokens), Count: r.count})
	above := r.above(list)
	var chosen []int
	order, taken, room := rank(query, list), map[piece]bool{}, r.limit
	for _, i := range order {
		var added []piece
		cost := 0
		for _, p := range append(above[i], piece{from: list[i].From, to: list[i].To}) {
			if !taken[p] {
				added, cost = append(added, p), cost+r.size(p)+separator
			}
		}
		if cost > room {
			continue
		}
		room -= cost
		chosen = append(chosen, i)
		for _, p := range added {
			taken[p] = true
		}
	}
	for ; ; chosen = chosen[:len(chosen)-1] {
		part, spans := r.join(list, above, chosen)
		if len(chosen) == 0 {
			return r.page(w, r.best(list, order))
		}
		if r.count(part) <= r.limit {
			w.Spans, w.From, w.To = spans, spans[0][0], spans[len(spans)-1][1]
			return part
		}
	}
}

// best is where the most relevant passage begins.
func (r *reader) best(list []passages.Passage, order []int) int {
	if len(order) == 0 {
		return 0
	}
	return list[order[0]].From
}

// size is the tokens of a piece, counted once: many passages are below one heading.
func (r *reader) size(p piece) int {
	n, ok := r.sizes[p]
	if !ok {
		n = r.count(r.text[p.from:p.to])
		r.sizes[p] = n
	}
	return n
}

// separator is what is counted for the blank line between two pieces.
const separator = 2

// above are, of each passage, the headings that it is under, and of a later part of a table or of code the head and the end of that.
func (r *reader) above(list []passages.Passage) [][]piece {
	all := make([][]piece, len(list))
	var path []passages.Block
	next := 0
	for i, p := range list {
		for next < len(r.blocks) && r.blocks[next].From < p.To {
			if b := r.blocks[next]; b.Level > 0 {
				n := 0
				for n < len(path) && path[n].Level < b.Level {
					n++
				}
				path = append(path[:n:n], b)
			}
			next++
		}
		for _, h := range path {
			if h.From < p.From {
				all[i] = append(all[i], piece{from: h.From, to: h.To})
			}
		}
		all[i] = append(all[i], r.frame(p)...)
	}
	return all
}

// frame is the head of a table or the opening fence, and the closing one, of a part of these.
func (r *reader) frame(p passages.Passage) (list []piece) {
	if i := r.at(p.From); i >= 0 && p.Head != "" {
		b := r.blocks[i]
		list = append(list, piece{b.From, b.From + len(p.Head), true})
	}
	if i := r.at(p.To); i >= 0 && p.Foot != "" {
		b := r.blocks[i]
		if line := strings.LastIndexByte(r.text[:b.To], '\n') + 1; line >= p.To && strings.HasPrefix(trim(r.text[line:b.To]), b.Fence) {
			list = append(list, piece{line, b.To, true})
		}
	}
	return list
}

// join puts passages and what is above them together, in reading order.
func (r *reader) join(list []passages.Passage, above [][]piece, chosen []int) (string, [][2]int) {
	var pieces []piece
	for _, i := range chosen {
		pieces = append(append(pieces, above[i]...), piece{from: list[i].From, to: list[i].To})
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var text strings.Builder
	var spans [][2]int
	tight := false
	for _, p := range pieces {
		n := len(spans)
		switch {
		case n > 0 && p.to <= spans[n-1][1]:
			continue
		case n > 0 && trim(r.text[spans[n-1][1]:p.from]) == "":
			text.WriteString(r.text[spans[n-1][1]:p.to])
			spans[n-1][1] = p.to
		default:
			if n > 0 {
				text.WriteString(between(tight || p.tight && r.at(p.from) == r.at(spans[n-1][1]-1)))
			}
			text.WriteString(r.text[p.from:p.to])
			spans = append(spans, [2]int{p.from, p.to})
		}
		tight = p.tight
	}
	return text.String(), spans
}

func between(tight bool) string {
	if tight {
		return "\n"
	}
	return "\n\n"
}
