package pdf

import "math"

// rect is a box; y grows in the direction of the space it is in.
type rect struct{ x0, y0, x1, y1 float64 }

func newRect() rect {
	return rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
}

func (r *rect) include(x, y float64) {
	r.x0, r.y0, r.x1, r.y1 = min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)
}

func (r *rect) join(o rect) {
	r.x0, r.y0, r.x1, r.y1 = min(r.x0, o.x0), min(r.y0, o.y0), max(r.x1, o.x1), max(r.y1, o.y1)
}

func (r rect) width() float64  { return r.x1 - r.x0 }
func (r rect) height() float64 { return r.y1 - r.y0 }
func (r rect) empty() bool     { return r.x1 <= r.x0 || r.y1 <= r.y0 }

func (r rect) contains(x, y float64) bool {
	return x >= r.x0 && x <= r.x1 && y >= r.y0 && y <= r.y1
}

// rule is how thick a filled box may be and still be a line.
const rule = 3.0

// draw follows paths, for the rules of tables.
func (in *interpreter) draw(op keyword, args []any) {
	switch op {
	case "m":
		v := nums(args, 2)
		in.point = [2]float64{v[0], v[1]}
		in.start = in.point
	case "l":
		v := nums(args, 2)
		in.lineTo(v[0], v[1])
	case "c", "v", "y":
		v := nums(args, 2)
		in.point = [2]float64{v[0], v[1]}
	case "h":
		in.lineTo(in.start[0], in.start[1])
	case "re":
		in.box(nums(args, 4))
	case "s", "b", "b*":
		in.lineTo(in.start[0], in.start[1])
		in.paint(true)
	case "S":
		in.paint(true)
	case "B", "B*":
		in.paint(true)
	case "f", "F", "f*":
		in.paint(false)
	case "n":
		in.path, in.rects = in.path[:0], in.rects[:0]
	}
}

func (in *interpreter) lineTo(x, y float64) {
	if len(in.path) < maxSegments {
		x0, y0 := in.g.ctm.apply(in.point[0], in.point[1])
		x1, y1 := in.g.ctm.apply(x, y)
		in.path = append(in.path, segment{x0, y0, x1, y1})
	}
	in.point = [2]float64{x, y}
}

func (in *interpreter) box(v []float64) {
	in.point = [2]float64{v[0], v[1]}
	in.start = in.point
	if len(in.rects) >= maxSegments {
		return
	}
	r := newRect()
	r.include(in.g.ctm.apply(v[0], v[1]))
	r.include(in.g.ctm.apply(v[0]+v[2], v[1]+v[3]))
	in.rects = append(in.rects, r)
}

// paint keeps the straight lines of the path. A filled box counts if it is thin; a stroked one has four lines.
func (in *interpreter) paint(stroke bool) {
	for _, s := range in.path {
		in.keep(s)
	}
	for _, r := range in.rects {
		switch {
		case r.height() <= rule:
			in.keep(segment{r.x0, (r.y0 + r.y1) / 2, r.x1, (r.y0 + r.y1) / 2})
		case r.width() <= rule:
			in.keep(segment{(r.x0 + r.x1) / 2, r.y0, (r.x0 + r.x1) / 2, r.y1})
		case stroke:
			in.keep(segment{r.x0, r.y0, r.x1, r.y0})
			in.keep(segment{r.x0, r.y1, r.x1, r.y1})
			in.keep(segment{r.x0, r.y0, r.x0, r.y1})
			in.keep(segment{r.x1, r.y0, r.x1, r.y1})
		}
	}
	in.path, in.rects = in.path[:0], in.rects[:0]
}

func (in *interpreter) keep(s segment) {
	flat := math.Abs(s.y0-s.y1) < 1
	upright := math.Abs(s.x0-s.x1) < 1
	long := math.Hypot(s.x1-s.x0, s.y1-s.y0) > 4
	if flat != upright && long && len(in.out.lines) < maxSegments && finite(s.x0) && finite(s.y0) && finite(s.x1) && finite(s.y1) {
		in.out.lines = append(in.out.lines, segment{min(s.x0, s.x1), min(s.y0, s.y1), max(s.x0, s.x1), max(s.y0, s.y1)})
	}
}
