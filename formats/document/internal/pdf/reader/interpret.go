package reader

import (
	"bytes"
	"errors"
	"math"
	"slices"
)

// matrix is [a b c d e f] of ISO 32000-1, 8.3.3.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// mul is m applied before n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return x*m[0] + y*m[2] + m[4], x*m[1] + y*m[3] + m[5]
}

// Glyph is one character as shown, in the page's space: points from the top left, y grows downwards.
type Glyph struct {
	Text     string
	X, Y     float64 // start of the baseline
	Dx, Dy   float64 // advance along the baseline
	Size     float64 // height of the font
	Face     *Typeface
	Mark     int32 // marked content it belongs to, -1: none
	Artifact bool  // marked as page furniture
	Unknown  bool  // no text is known for it
}

// Segment is a straight line that is drawn, horizontal or vertical.
type Segment struct{ X0, Y0, X1, Y1 float64 }

// Picture is an image that is drawn.
type Picture struct {
	Object  object
	Area    Rect
	Upright bool // as its file has it, neither turned nor mirrored
	Alt     string
	Mark    int32

	Artifact bool     // decoration, by the file
	Stored   [3]int64 // width and height in pixels, and packed bytes; see Measure
}

// Measure looks up what is stored of a picture.
func (p *Picture) Measure() {
	p.Stored = [3]int64{p.Object.key("Width").int(), p.Object.key("Height").int(), p.Object.key("Length").int()}
}

// IsMask reports a shape that is filled with a color.
func (p *Picture) IsMask() bool { return p.Object.key("ImageMask").v.Bool() }

// Sheet is what a page shows.
type Sheet struct {
	Glyphs   []Glyph
	Lines    []Segment
	Dots     []Rect // small shapes
	Shapes   int    // how many are painted, lines and rectangles apart
	Pictures []Picture
	Err      error // why reading stopped early
}

// Bounds of what one page may show.
const (
	maxGlyphs    = 400_000
	maxSegments  = 20_000
	maxPictures  = 2_000
	maxForms     = 24 // depth
	maxFormCalls = 4_000
	maxStates    = 256
	maxOperands  = 512
)

// graphics is the part of the graphics state that text needs.
type graphics struct {
	ctm                     matrix
	face                    *Typeface
	size, char, word, scale float64
	leading, rise           float64
	saved                   bool
}

// interpreter runs content streams (ISO 32000-1, 7.8.2).
type interpreter struct {
	doc    *File
	Out    *Sheet
	g      graphics
	stack  []graphics
	tm     matrix
	line   matrix
	path   []Segment
	shapes []Rect // of the path
	rects  []Rect
	point  [2]float64
	start  [2]float64
	marks  []marking
	forms  int
	calls  int
	inside map[string]bool
	fonts  map[string]*Typeface // of the current resources
	spread bool                 // character spacing belongs to the letters
}

// errTooMuch is a page that shows more than a page can.
var errTooMuch = errors.New("more on the page than is read")

// NewInterpreter starts with a page's matrix.
func NewInterpreter(doc *File, ctm matrix) *interpreter {
	in := &interpreter{doc: doc, Out: &Sheet{}, inside: map[string]bool{}}
	in.g = graphics{ctm: ctm, scale: 1}
	in.tm, in.line = identity, identity
	return in
}

// Run interprets one stream.
func (in *interpreter) Run(content []byte, resources object) {
	outer := in.fonts
	in.fonts = map[string]*Typeface{}
	defer func() { in.fonts = outer }()
	p := parser{buf: content}
	var args []any
	for n := 0; in.Out.Err == nil; n++ {
		if n%1024 == 0 {
			in.doc.Budget.check()
		}
		o := p.object()
		if _, end := o.(endOfInput); end {
			return
		}
		op, isWord := o.(keyword)
		if !isWord {
			if len(args) < maxOperands {
				args = append(args, o)
			}
			continue
		}
		if op == "BI" {
			skipInlineImage(&p)
		} else {
			in.do(op, args, resources)
		}
		args = args[:0]
	}
}

// skipInlineImage moves behind EI: its bytes are no syntax.
func skipInlineImage(p *parser) {
	for {
		o := p.object()
		if _, end := o.(endOfInput); end {
			return
		}
		if o == keyword("ID") {
			break
		}
	}
	for {
		i := bytes.Index(p.buf[min(p.pos, len(p.buf)):], []byte("EI"))
		if i < 0 {
			p.pos = len(p.buf)
			return
		}
		at := p.pos + i
		p.pos = at + 2
		if at > 0 && isSpace(p.buf[at-1]) && (p.pos >= len(p.buf) || isSpace(p.buf[p.pos])) && looksLikeText(p.buf[p.pos:]) {
			return
		}
	}
}

// looksLikeText distinguishes operators from image bytes that happen to hold "EI".
func looksLikeText(b []byte) bool {
	for _, c := range b[:min(len(b), 12)] {
		if c > 0x7e || c < ' ' && !isSpace(c) {
			return false
		}
	}
	return true
}

func (in *interpreter) do(op keyword, args []any, resources object) {
	switch op {
	case "q", "Q", "cm", "Do", "gs":
		in.state(op, args, resources)
	case "BT", "ET", "Tf", "Td", "TD", "T*", "Tm", "Tc", "Tw", "Tz", "TL", "Ts":
		in.textState(op, args, resources)
	case "Tj", "TJ", "'", "\"":
		in.showOperator(op, args)
	case "BMC", "BDC", "EMC":
		in.marked(op, args, resources)
	case "m", "l", "c", "v", "y", "h", "re", "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n":
		in.draw(op, args)
	}
}

// nums are n numbers from the end of the operands, zeros where they lack.
func nums(args []any, n int) []float64 {
	out := make([]float64, n)
	args = args[max(0, len(args)-n):]
	for i, a := range args {
		f, _ := asFloat(a)
		if math.Abs(f) < 1e9 {
			out[i] = f
		}
	}
	return out
}

func (in *interpreter) state(op keyword, args []any, resources object) {
	switch op {
	case "q":
		if len(in.stack) < maxStates {
			in.stack = append(in.stack, in.g)
		}
	case "Q":
		if n := len(in.stack); n > 0 && !in.stack[n-1].saved {
			in.g, in.stack = in.stack[n-1], in.stack[:n-1]
		}
	case "cm":
		if len(args) >= 6 {
			in.g.ctm = matrix(nums(args, 6)).mul(in.g.ctm)
		}
	case "gs":
		if f := resources.path("ExtGState", lastName(args), "Font"); f.len() == 2 {
			in.g.face, in.g.size = in.doc.face(f.index(0)), f.index(1).number()
		}
	case "Do":
		in.external(resources.path("XObject", lastName(args)))
	}
}

func lastName(args []any) string {
	if len(args) == 0 {
		return ""
	}
	n, _ := args[len(args)-1].(name)
	return string(n)
}

// external draws an image or runs a form.
func (in *interpreter) external(o object) {
	switch o.key("Subtype").name() {
	case "Image":
		if len(in.Out.Pictures) < maxPictures {
			p := Picture{Object: o, Area: in.unitSquare(), Upright: in.g.ctm.upright(), Alt: in.alt(), Mark: in.mark()}
			p.Artifact = slices.ContainsFunc(in.marks, func(m marking) bool { return m.artifact })
			in.Out.Pictures = append(in.Out.Pictures, p)
		}
	case "Form":
		in.form(o)
	}
}

// upright reports whether what is drawn by the matrix stands as it does in itself, or is turned by less than a degree.
func (m matrix) upright() bool {
	return m[0] > 0 && m[3] < 0 && math.Abs(m[1]) < m[0]/60 && math.Abs(m[2]) < -m[3]/60
}

func (in *interpreter) unitSquare() Rect {
	r := NewRect()
	for _, c := range [4][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		r.Include(in.g.ctm.apply(c[0], c[1]))
	}
	return r
}

// form runs a form XObject with its own matrix and resources. One that is inside itself is left out.
func (in *interpreter) form(o object) {
	id := o.id()
	in.calls++
	if in.forms >= maxForms || in.calls > maxFormCalls || in.inside[id] || in.doc.hidden(o.key("OC")) {
		return
	}
	data, _, err := o.data()
	if err != nil || len(data) == 0 {
		return
	}
	in.inside[id] = true
	in.forms++
	keep, depth := in.g, len(in.stack)
	keep.saved = true
	in.stack = append(in.stack, keep)
	if m := o.key("Matrix").floats(6); len(m) == 6 {
		in.g.ctm = matrix(m).mul(in.g.ctm)
	}
	tm, line := in.tm, in.line
	in.Run(data, o.key("Resources"))
	in.tm, in.line = tm, line
	in.stack = in.stack[:depth]
	keep.saved = false
	in.g = keep
	in.forms--
	delete(in.inside, id)
}

// Direction is the way text runs: 0 to the right, 1 down, 2 to the left (upside down), 3 up.
func (g *Glyph) Direction(last int) int {
	switch {
	case math.Abs(g.Dx)+math.Abs(g.Dy) < 1e-6:
		return last
	case math.Abs(g.Dx) >= math.Abs(g.Dy):
		return 2 * bit(g.Dx < 0)
	case g.Dy > 0:
		return 1
	}
	return 3
}
