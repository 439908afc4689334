package reader

import "math"

// Rect is a box; y grows in the direction of the space it is in.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// NewRect is a box with nothing in it.
func NewRect() Rect {
	return Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
}

// Include makes the box hold a point.
func (r *Rect) Include(x, y float64) {
	r.X0, r.Y0, r.X1, r.Y1 = min(r.X0, x), min(r.Y0, y), max(r.X1, x), max(r.Y1, y)
}

// Join makes the box hold another one.
func (r *Rect) Join(o Rect) {
	r.X0, r.Y0, r.X1, r.Y1 = min(r.X0, o.X0), min(r.Y0, o.Y0), max(r.X1, o.X1), max(r.Y1, o.Y1)
}

// Width is negative for a box with nothing in it.
func (r Rect) Width() float64 { return r.X1 - r.X0 }

// Height is negative for a box with nothing in it.
func (r Rect) Height() float64 { return r.Y1 - r.Y0 }

// Empty reports a box without area.
func (r Rect) Empty() bool { return r.X1 <= r.X0 || r.Y1 <= r.Y0 }

// Contains reports whether a point lies in the box or on its edge.
func (r Rect) Contains(x, y float64) bool {
	return x >= r.X0 && x <= r.X1 && y >= r.Y0 && y <= r.Y1
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
		in.newShape()
	case "l":
		v := nums(args, 2)
		in.lineTo(v[0], v[1])
		in.reach(in.point)
	case "c", "v", "y":
		v := nums(args, 2)
		in.point = [2]float64{v[0], v[1]}
		in.reach(in.point)
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
		in.clearPath()
	}
}

// newShape begins a part of the path that is a shape by itself.
func (in *interpreter) newShape() {
	if len(in.shapes) < maxShapes {
		in.shapes = append(in.shapes, NewRect())
	}
	in.reach(in.point)
}

func (in *interpreter) reach(p [2]float64) {
	if n := len(in.shapes); n > 0 {
		in.shapes[n-1].Include(in.g.ctm.apply(p[0], p[1]))
	}
}

func (in *interpreter) clearPath() {
	in.path, in.rects, in.shapes = in.path[:0], in.rects[:0], in.shapes[:0]
}

func (in *interpreter) lineTo(x, y float64) {
	if len(in.path) < maxSegments {
		x0, y0 := in.g.ctm.apply(in.point[0], in.point[1])
		x1, y1 := in.g.ctm.apply(x, y)
		in.path = append(in.path, Segment{x0, y0, x1, y1})
	}
	in.point = [2]float64{x, y}
}

func (in *interpreter) box(v []float64) {
	in.point = [2]float64{v[0], v[1]}
	in.start = in.point
	if len(in.rects) >= maxSegments {
		return
	}
	r := NewRect()
	r.Include(in.g.ctm.apply(v[0], v[1]))
	r.Include(in.g.ctm.apply(v[0]+v[2], v[1]+v[3]))
	in.rects = append(in.rects, r)
}

// paint keeps the straight lines of the path. A filled box counts if it is thin; a stroked one has four lines.
func (in *interpreter) paint(stroke bool) {
	for _, s := range in.path {
		in.keep(s)
	}
	for _, r := range in.rects {
		switch {
		case r.Height() <= rule:
			in.keep(Segment{r.X0, (r.Y0 + r.Y1) / 2, r.X1, (r.Y0 + r.Y1) / 2})
		case r.Width() <= rule:
			in.keep(Segment{(r.X0 + r.X1) / 2, r.Y0, (r.X0 + r.X1) / 2, r.Y1})
		case stroke:
			in.keep(Segment{r.X0, r.Y0, r.X1, r.Y0})
			in.keep(Segment{r.X0, r.Y1, r.X1, r.Y1})
			in.keep(Segment{r.X0, r.Y0, r.X0, r.Y1})
			in.keep(Segment{r.X1, r.Y0, r.X1, r.Y1})
		}
	}
	for _, r := range in.rects {
		in.keepDot(r)
	}
	for _, r := range in.shapes {
		in.keepDot(r)
		if min(r.Width(), r.Height()) > 1 { // no line
			in.Out.Shapes++
		}
	}
	in.clearPath()
}

// Dots are shapes about as wide as high; smaller and larger ones are no list item's mark at any size of text.
const (
	minDot    = 0.8
	maxDot    = 12.0
	maxDots   = 4000
	maxShapes = 200 // of one path
)

// keepDot keeps a small shape: it may be the mark of a list item.
func (in *interpreter) keepDot(r Rect) {
	low, high := min(r.Width(), r.Height()), max(r.Width(), r.Height())
	if low >= minDot && high <= maxDot && high <= 1.6*low && len(in.Out.Dots) < maxDots {
		in.Out.Dots = append(in.Out.Dots, r)
	}
}

func (in *interpreter) keep(s Segment) {
	flat := math.Abs(s.Y0-s.Y1) < 1
	upright := math.Abs(s.X0-s.X1) < 1
	long := math.Hypot(s.X1-s.X0, s.Y1-s.Y0) > 4
	if flat != upright && long && len(in.Out.Lines) < maxSegments && finite(s.X0) && finite(s.Y0) && finite(s.X1) && finite(s.Y1) {
		in.Out.Lines = append(in.Out.Lines, Segment{min(s.X0, s.X1), min(s.Y0, s.Y1), max(s.X0, s.X1), max(s.Y0, s.Y1)})
	}
}
