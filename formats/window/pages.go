package window

import (
	"slices"
	"sort"
	"strings"
)

// page is the part from a place on.
func (r *reader) page(w *Window, from int) string {
	to := r.end(from)
	w.From, w.To = from, to
	if to < len(r.text) {
		w.Next = to
	}
	w.Headings = r.path(from)
	if i := r.at(from); i >= 0 && r.blocks[i].Body > r.blocks[i].From && from >= r.blocks[i].Body {
		b := r.blocks[i]
		if head := strings.TrimRight(r.text[b.From:b.Body], "\r\n"); r.count(head) <= r.limit/2 {
			w.Head = head
		}
	}
	if i := r.at(to); i >= 0 && to > r.blocks[i].From && to >= r.blocks[i].Body {
		w.Foot = r.blocks[i].Fence
	}
	return r.text[from:to]
}

// at is the block that a place is in; -1: in none.
func (r *reader) at(place int) int {
	i := sort.Search(len(r.blocks), func(i int) bool { return r.blocks[i].To > place })
	if i == len(r.blocks) || r.blocks[i].From > place {
		return -1
	}
	return i
}

// end is where the part from a place on ends: before the last block that has no room, or within the first.
func (r *reader) end(from int) int {
	first := sort.Search(len(r.blocks), func(i int) bool { return r.blocks[i].To > from })
	at, sum, ends := from, 0, []int(nil)
	for i := first; i < len(r.blocks); i++ {
		next := r.next(i)
		sum += r.count(r.text[at:next])
		if at = next; sum > r.limit {
			break
		}
		if r.blocks[i].Level == 0 || next == len(r.text) { // a heading isn't the last of a part
			ends = append(ends, next)
		}
	}
	for len(ends) > 0 {
		if to := ends[len(ends)-1]; r.count(r.text[from:to]) <= r.limit {
			return to
		}
		ends = ends[:len(ends)-1]
	}
	if first == len(r.blocks) {
		return r.blank(from, len(r.text))
	}
	return r.within(from, first)
}

// next is where the block after one begins.
func (r *reader) next(i int) int {
	if i+1 < len(r.blocks) {
		return r.blocks[i+1].From
	}
	return len(r.text)
}

// within is where a part ends that has no room for its first block, with the headings before it.
func (r *reader) within(from, first int) int {
	i := first
	for i+1 < len(r.blocks) && r.blocks[i].Level > 0 && r.count(r.text[from:r.blocks[i+1].From]) <= r.limit/2 {
		i++
	}
	b, start := r.blocks[i], max(from, r.blocks[i].From)
	for room := r.limit - r.count(r.text[from:start]); room > 0; room -= 1 + room/8 {
		if to := b.Fit(r.text, start, room, r.count); to > start && r.count(r.text[from:to]) <= r.limit {
			return r.over(to, b.To, i)
		}
	}
	if start > from {
		return r.blank(from, start)
	}
	return runeStart(r.text, from+4) // a character has more than the budget
}

// blank is where a part ends that is white space up to a place.
func (r *reader) blank(from, to int) int {
	for to > from+1 && r.count(r.text[from:to]) > r.limit {
		to = from + (to-from)/2
	}
	return to
}

// over is the end of a part; where a block ends there, what follows begins with the next one.
func (r *reader) over(to, end, block int) int {
	if to == end && r.count(r.text[to:r.next(block)]) == 0 {
		return r.next(block)
	}
	return to
}

// path is the headings that a place is under.
func (r *reader) path(place int) (titles []string) {
	var levels []int
	defer func() { titles = slices.DeleteFunc(titles, func(s string) bool { return s == "" }) }()
	for _, b := range r.blocks {
		if b.From > place {
			break
		}
		if b.Level == 0 {
			continue
		}
		n := 0
		for n < len(levels) && levels[n] < b.Level {
			n++
		}
		levels, titles = append(levels[:n], b.Level), append(titles[:n], b.Title)
	}
	return titles
}
