package viewdiff

// edit is a run of lines that differ: from[x0:x1] became to[y0:y1]. Either may be empty, not both.
type edit struct{ x0, x1, y0, y1 int }

// script is the shortest way from one list of lines to the other (E. Myers, "An O(ND) difference algorithm and its variations", 1986);
// false where it takes more than limit lines that come and go.
func script(from, to []string, limit int) ([]edit, bool) {
	head := 0
	for head < min(len(from), len(to)) && from[head] == to[head] {
		head++
	}
	x, y := len(from), len(to)
	for x > head && y > head && from[x-1] == to[y-1] {
		x, y = x-1, y-1
	}
	paths, ok := search(from[head:x], to[head:y], limit)
	if !ok {
		return nil, false
	}
	return edits(paths, x-head, y-head, head), true
}

// search returns for each number of changes how far each diagonal is reached with it, until the end is.
func search(from, to []string, limit int) (paths [][]int, ok bool) {
	last := []int{0, 0, 0} // diagonal k is at k+changes+1
	for changes := 0; changes <= limit; changes++ {
		reach := make([]int, 2*changes+3)
		for k := -changes; k <= changes; k += 2 {
			x := start(last, changes, k)
			for x < len(from) && x-k < len(to) && from[x] == to[x-k] {
				x++
			}
			reach[k+changes+1] = x
			if x >= len(from) && x-k >= len(to) {
				return append(paths, reach), true
			}
		}
		paths, last = append(paths, reach), reach
	}
	return nil, false
}

// start is where diagonal k begins with one more change than last has: below what is reached on its right, or right of what is on its left.
func start(last []int, changes, k int) int {
	if changes == 0 {
		return 0
	}
	left, right := k-1+changes, k+1+changes // in last, which has one change less
	if k == -changes || k != changes && last[left] < last[right] {
		return last[right]
	}
	return last[left] + 1
}

// edits walks the paths back from the end at (x, y).
func edits(paths [][]int, x, y, offset int) []edit {
	var list []edit
	for changes := len(paths) - 1; changes > 0; changes-- {
		k, last := x-y, paths[changes-1]
		from := start(last, changes, k)
		e := edit{from, from, from - k, from - k}
		if left, right := k-1+changes, k+1+changes; k == -changes || k != changes && last[left] < last[right] {
			e.y0--
		} else {
			e.x0--
		}
		x, y = e.x0, e.y0
		e = edit{e.x0 + offset, e.x1 + offset, e.y0 + offset, e.y1 + offset}
		if n := len(list); n > 0 && list[n-1].x0 == e.x1 && list[n-1].y0 == e.y1 {
			list[n-1].x0, list[n-1].y0 = e.x0, e.y0
			continue
		}
		list = append(list, e)
	}
	return list
}
