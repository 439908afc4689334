package reader

import (
	"errors"
	"math"
)

// Leaf is one page with what it inherits.
type Leaf struct {
	o         object
	Ref       Ref // zero if unknown
	Resources object
	box       Rect
	rotate    int // quarter turns clockwise
}

// Bounds of the page tree.
const (
	maxTreeDepth = 48
	maxPages     = 100_000
)

type treeWalk struct {
	seen map[Ref]bool
	out  []Leaf
}

// pages are all pages in order: those of the page tree or, where it is broken, those that a scan found.
func (f *File) pages() ([]Leaf, error) {
	w := &treeWalk{seen: map[Ref]bool{}}
	w.node(f.root().key("Pages"), Leaf{box: Rect{0, 0, 612, 792}}, 0)
	if len(w.out) == 0 {
		list := f.trailer().key(foundPages)
		for i := range min(list.len(), maxPages) {
			page := list.index(i)
			w.node(page, fromParents(page, 0), 0)
		}
	}
	if len(w.out) == 0 {
		return nil, errors.New("no pages")
	}
	return w.out, nil
}

// fromParents is what a page inherits, found by climbing up from it.
func fromParents(o object, depth int) Leaf {
	parent := o.key("Parent")
	if !parent.isDict() || depth > 8 {
		return Leaf{box: Rect{0, 0, 612, 792}}
	}
	return inherit(parent, fromParents(parent, depth+1))
}

func (w *treeWalk) node(o object, above Leaf, depth int) {
	if !o.isDict() || depth > maxTreeDepth || len(w.out) >= maxPages {
		return
	}
	o.doc.Budget.check()
	n := inherit(o, above)
	kids := o.key("Kids")
	if !kids.isArray() {
		if o.key("Type").name() != "Pages" {
			w.out = append(w.out, n)
		}
		return
	}
	refs := kids.refs()
	for i := range kids.len() {
		if n.Ref = (Ref{}); i < len(refs) && refs[i] != (Ref{}) {
			if w.seen[refs[i]] {
				continue
			}
			w.seen[refs[i]] = true
			n.Ref = refs[i]
		}
		w.node(kids.index(i), n, depth+1)
	}
}

// inherit reads a node's own entries over those above it.
func inherit(o object, n Leaf) Leaf {
	n.o = o
	if r := o.key("Resources"); r.isDict() {
		n.Resources = r
	}
	for _, k := range []string{"MediaBox", "CropBox"} {
		if b, ok := box(o.key(k)); ok {
			n.box = b
		}
	}
	if r := o.key("Rotate"); !r.isNull() {
		n.rotate = (int(r.number())/90%4 + 4) % 4
	}
	return n
}

func box(o object) (Rect, bool) {
	v := o.floats(4)
	if len(v) < 4 {
		return Rect{}, false
	}
	b := Rect{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}
	return b, b.Width() > 1 && b.Height() > 1 && b.Width() < 1e6 && b.Height() < 1e6
}

// Matrix turns the page's space into points from the top left of the page as shown.
func (l Leaf) Matrix() matrix {
	b := l.box
	switch l.rotate {
	case 1:
		return matrix{0, 1, 1, 0, -b.Y0, -b.X0}
	case 2:
		return matrix{-1, 0, 0, 1, b.X1, -b.Y0}
	case 3:
		return matrix{0, -1, -1, 0, b.Y1, b.X1}
	}
	return matrix{1, 0, 0, -1, -b.X0, b.Y1}
}

// Size is the page's width and height as shown.
func (l Leaf) Size() (w, h float64) {
	if l.rotate%2 == 1 {
		return l.box.Height(), l.box.Width()
	}
	return l.box.Width(), l.box.Height()
}

// Content is the page's content: one stream, or the streams of an array with a space between them.
func (l Leaf) Content() ([]byte, error) {
	c := l.o.key("Contents")
	if !c.isArray() {
		data, _, err := c.data()
		return data, err
	}
	var out []byte
	var firstErr error
	for i := range min(c.len(), 10_000) {
		data, _, err := c.index(i).data()
		if err != nil && firstErr == nil {
			firstErr = err
		}
		out = append(append(out, data...), '\n')
	}
	return out, firstErr
}

// Link is an area of a page that leads to a URL.
type Link struct {
	Area Rect
	URL  string
}

// Links are the page's link annotations that lead out of the file.
func (l Leaf) Links() []Link {
	var out []Link
	annots := l.o.key("Annots")
	m := l.Matrix()
	for i := range min(annots.len(), 5000) {
		a := annots.index(i)
		if a.key("Subtype").name() != "Link" {
			continue
		}
		action := a.key("A")
		url := action.key("URI").text()
		v := a.key("Rect").floats(4)
		if url == "" || len(v) < 4 {
			continue
		}
		r := NewRect()
		r.Include(m.apply(v[0], v[1]))
		r.Include(m.apply(v[2], v[3]))
		if !math.IsInf(r.X0, 0) {
			out = append(out, Link{r, url})
		}
	}
	return out
}

// Notes are the texts of form fields and of free text annotations: they are shown, but not by the page's content.
func (l Leaf) Notes(in *interpreter) {
	annots := l.o.key("Annots")
	for i := range min(annots.len(), 2000) {
		a := annots.index(i)
		const hidden, noView = 1 << 1, 1 << 5
		if kind := a.key("Subtype").name(); kind != "Widget" && kind != "FreeText" && kind != "Stamp" || a.key("F").int()&(hidden|noView) != 0 {
			continue
		}
		before := len(in.Out.Glyphs)
		in.appearance(a, l.Matrix())
		if kind := fieldType(a); len(in.Out.Glyphs) == before && (kind == "Tx" || kind == "Ch") {
			in.value(a, l.Matrix())
		}
	}
}

// fieldType is a form field's type; it may stand at the field above.
func fieldType(a object) string {
	if t := a.key("FT").name(); t != "" {
		return t
	}
	return a.path("Parent", "FT").name()
}

// value places a field's value where its appearance says nothing: the viewer is to draw it.
func (in *interpreter) value(a object, page matrix) {
	v := a.key("V")
	if v.isNull() {
		v = a.path("Parent", "V")
	}
	text, r := TidyText(v.text()), a.key("Rect").floats(4)
	if text == "" || len(r) < 4 || len(text) > 20_000 {
		return
	}
	x0, y0 := page.apply(min(r[0], r[2]), min(r[1], r[3]))
	_, y1 := page.apply(max(r[0], r[2]), max(r[1], r[3]))
	size := max(4, min(11, 0.8*max(y0-y1, y1-y0)))
	in.Out.Glyphs = append(in.Out.Glyphs, Glyph{
		Text: text, X: x0, Y: max(y0, y1) - 0.2*size, Dx: 0.5 * size * float64(len(text)), Size: size,
		Face: &Typeface{}, Mark: -1,
	})
}

// appearance runs an annotation's normal appearance in its rectangle (ISO 32000-1, 12.5.5).
func (in *interpreter) appearance(a object, page matrix) {
	o := a.path("AP", "N")
	if o.isDict() {
		o = o.key(a.key("AS").name())
	}
	v := a.key("Rect").floats(4)
	b, ok := box(o.key("BBox"))
	if !o.isStream() || len(v) < 4 || !ok {
		return
	}
	m := identity
	if f := o.key("Matrix").floats(6); len(f) == 6 {
		m = matrix(f)
	}
	shown := NewRect()
	for _, c := range [4][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X0, b.Y1}, {b.X1, b.Y1}} {
		shown.Include(m.apply(c[0], c[1]))
	}
	if shown.Empty() {
		return
	}
	x0, y0, x1, y1 := min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])
	sx, sy := (x1-x0)/shown.Width(), (y1-y0)/shown.Height()
	in.g = graphics{ctm: matrix{sx, 0, 0, sy, x0 - shown.X0*sx, y0 - shown.Y0*sy}.mul(page), scale: 1}
	in.form(o)
}
