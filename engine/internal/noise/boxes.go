package noise

import (
	"cmp"
	"image"
	"slices"
)

// tally is what differs in a cell: how many pixels, and between which.
type tally struct {
	n                        uint8
	left, top, right, bottom uint8 // within the cell; right and bottom are the last
}

func (t *tally) add(x, y uint8) {
	if t.n == 0 {
		*t = tally{0, x, y, x, y}
	}
	t.n++
	t.left, t.right, t.top, t.bottom = min(t.left, x), max(t.right, x), min(t.top, y), max(t.bottom, y)
}

// strip compares the rows of a strip, and adds its boxes.
func (p *pictures) strip(s strip) {
	width := min(p.from.width, p.to.width)
	n := min(s.fromEnd-s.from, s.toEnd-s.to)
	if s.exact || n == 0 || width == 0 {
		n = 0
	}
	columns := max(1, (width+cell-1)/cell)
	tallies := make([]tally, columns*((n+cell-1)/cell))
	if n > 0 {
		p.fill(s, n, width, columns, tallies)
	}
	p.group(tallies, columns, s)
	if s.exact {
		if s.from != s.to && s.toEnd-s.to >= minMoved {
			to, from := image.Rect(0, s.to, p.to.width, s.toEnd), image.Rect(0, s.from, p.from.width, s.fromEnd)
			p.boxes = append(p.boxes, Box{Rectangle: to, Moved: true, From: from, Rows: true})
		}
		n = s.toEnd - s.to
	}
	p.beside(s, n)
}

func (p *pictures) fill(s strip, n, width, columns int, tallies []tally) {
	a, b := make([]pixel, width), make([]pixel, width)
	for y := range n {
		p.from.row(s.from+y, a)
		p.to.row(s.to+y, b)
		for x := range width {
			if a[x] != b[x] && differ(a[x], b[x], p.tolerance) && !p.ignored(x, s.to+y) {
				tallies[y/cell*columns+x/cell].add(uint8(x%cell), uint8(y%cell))
			}
		}
	}
}

func (p *pictures) ignored(x, y int) bool {
	return slices.ContainsFunc(p.ignore, func(r image.Rectangle) bool { return image.Pt(x, y).In(r) })
}

// beside adds what one picture has and the other hasn't: rows below the n that were compared, and what is to the right.
func (p *pictures) beside(s strip, n int) {
	width := max(p.from.width, p.to.width)
	if rows := max(s.fromEnd-s.from, s.toEnd-s.to) - n; rows > 0 {
		end := min(max(s.toEnd, s.to+n+1), s.to+n+rows)
		p.add(image.Rect(0, s.to+n, width, end), int64(rows)*int64(width))
	}
	if narrow := min(p.from.width, p.to.width); narrow < width && n > 0 {
		p.add(image.Rect(narrow, s.to, width, s.to+n), int64(n)*int64(width-narrow))
	}
}

func (p *pictures) add(box image.Rectangle, pixels int64) {
	if slices.ContainsFunc(p.ignore, box.In) {
		return
	}
	p.differing += pixels
	p.boxes = append(p.boxes, Box{Rectangle: box, pixels: pixels})
}

// group joins cells that are near each other to boxes.
func (p *pictures) group(tallies []tally, columns int, s strip) {
	seen := make([]bool, len(tallies))
	for i := range tallies {
		if tallies[i].n == 0 || seen[i] {
			continue
		}
		box, pixels := p.flood(tallies, seen, columns, i)
		if pixels < minInBox || isCaret(box, pixels) {
			continue
		}
		box = box.Add(image.Pt(0, s.to))
		rest, left := p.explained(box, s.from-s.to)
		switch {
		case left < minInBox:
		case left*2 < pixels:
			p.add(rest, int64(left))
		default:
			p.add(box, int64(pixels))
		}
	}
}

// flood joins the cells around one, with gaps of up to two cells.
func (p *pictures) flood(tallies []tally, seen []bool, columns, start int) (box image.Rectangle, pixels int) {
	const reach = joinGap / cell
	seen[start] = true
	for waiting := []int{start}; len(waiting) > 0; {
		at := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		t, x, y := tallies[at], at%columns, at/columns
		box = box.Union(image.Rect(x*cell+int(t.left), y*cell+int(t.top), x*cell+int(t.right)+1, y*cell+int(t.bottom)+1))
		pixels += int(t.n)
		for dy := -reach; dy <= reach; dy++ {
			for dx := max(-reach, -x); dx <= min(reach, columns-1-x); dx++ {
				next := (y+dy)*columns + x + dx
				if next >= 0 && next < len(tallies) && !seen[next] && tallies[next].n > 0 {
					seen[next] = true
					waiting = append(waiting, next)
				}
			}
		}
	}
	return box, pixels
}

// isCaret reports a thin upright bar.
func isCaret(box image.Rectangle, pixels int) bool {
	return box.Dx() <= caretWidth && box.Dy() >= caretLow && box.Dy() <= caretHigh && pixels*10 >= box.Dx()*box.Dy()*8
}

// maxCompared is how many boxes are compared with each other.
const maxCompared = 64

// findMoved makes one of two boxes of a size, of which one looks as the other did. The place that was left is no box where it is empty.
func (p *pictures) findMoved() {
	if len(p.boxes) > maxCompared {
		return
	}
	left := map[int]bool{}
	for i := range p.boxes {
		for j := range p.boxes {
			if to, from := &p.boxes[i], p.boxes[j]; i != j && !to.Moved && !from.Moved && !left[j] && p.hasMoved(from.Rectangle, to.Rectangle) {
				to.Moved, to.From = true, from.Rectangle
				p.differing -= to.pixels
				left[j] = p.to.isGround(from.Rectangle)
			}
		}
	}
	var kept []Box
	for i, b := range p.boxes {
		if left[i] {
			p.differing -= b.pixels
			continue
		}
		kept = append(kept, b)
	}
	p.boxes = kept
}

// hasMoved reports whether a part of the earlier picture looks as one of the later.
func (p *pictures) hasMoved(from, to image.Rectangle) bool {
	return from.Size() == to.Size() && from.In(p.from.bounds()) && to.In(p.to.bounds()) && !p.to.isGround(to) && p.alike(from, to)
}

func (r *raster) bounds() image.Rectangle { return image.Rect(0, 0, r.width, r.height) }

// isGround reports a part of one colour, which goes on around it.
func (r *raster) isGround(part image.Rectangle) bool {
	row := make([]pixel, r.width)
	wide := part.Inset(-1).Intersect(r.bounds())
	var first pixel
	for y := wide.Min.Y; y < wide.Max.Y; y++ {
		r.row(y, row)
		if y == wide.Min.Y {
			first = row[wide.Min.X]
		}
		if slices.ContainsFunc(row[wide.Min.X:wide.Max.X], func(v pixel) bool { return v != first }) {
			return false
		}
	}
	return true
}

func (p *pictures) alike(from, to image.Rectangle) bool {
	a, b := make([]pixel, p.from.width), make([]pixel, p.to.width)
	differing := 0
	for y := range to.Dy() {
		p.from.row(from.Min.Y+y, a)
		p.to.row(to.Min.Y+y, b)
		for x := range to.Dx() {
			if differ(a[from.Min.X+x], b[to.Min.X+x], p.tolerance) {
				differing++
			}
		}
	}
	return differing*50 <= to.Dx()*to.Dy()
}

// sort brings the boxes in order and joins near ones while there are too many.
func (p *pictures) sort() {
	order := func(a, b Box) int { return cmp.Or(cmp.Compare(a.Min.Y, b.Min.Y), cmp.Compare(a.Min.X, b.Min.X)) }
	slices.SortFunc(p.boxes, order)
	for len(p.boxes) > maxBoxes {
		var joined []Box
		for i := 0; i < len(p.boxes); i += 2 {
			box := p.boxes[i]
			if i+1 < len(p.boxes) {
				box = Box{Rectangle: box.Union(p.boxes[i+1].Rectangle)}
			}
			joined = append(joined, box)
		}
		p.boxes = joined
	}
}
