package slides

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Shape is a text of a slide, or a table.
type Shape struct {
	Kind       Kind
	Paragraphs []Paragraph
	// Rows are those of a table, which has no paragraphs of its own.
	Rows [][]Shape
}

// finder collects what a slide holds.
type finder struct {
	outline  []text // texts that placeholders name by number
	shapes   []Shape
	boxes    []box // of the group that is a table, in place of shapes
	table    bool
	pictures int
	comments int
}

// box is a cell of a table, by the place of its upper left corner.
type box struct {
	left, top int32
	shape     Shape
}

// maxNested bounds how deep groups and records may lie in one another.
const maxNested = 50

// shapesOf finds what a slide or page of notes holds.
func shapesOf(r record, outline []text) *finder {
	f := &finder{outline: outline}
	f.look(r, 0)
	return f
}

func (f *finder) look(r record, depth int) {
	if depth > maxNested {
		return
	}
	for in := range r.children() {
		switch in.kind {
		case recArtGroup:
			f.group(in, depth)
		case recArtShape:
			f.shape(in)
		case recComment:
			f.comments++
		case recDrawing, recArtDrawing, recTags, recTag, recTagData:
			f.look(in, depth+1)
		}
	}
}

// group reads the shapes of a group, of which the first is the group itself.
func (f *finder) group(r record, depth int) {
	if f.table || !isTable(r) {
		f.look(r, depth+1)
		return
	}
	f.table = true
	f.look(r, depth+1)
	f.table = false
	if rows := rowsOf(f.boxes); len(rows) > 0 {
		f.shapes = append(f.shapes, Shape{Rows: rows})
	}
	f.boxes = nil
}

// isTable reports whether a group's own shape has the properties of tables.
func isTable(group record) bool {
	const tableProperties, each = 0x039F, 6
	for sp := range group.children() {
		for o := range sp.children() {
			if o.kind != recArtOptions {
				continue
			}
			for i, b := 0, o.body; i < int(o.instance) && len(b) >= each; i, b = i+1, b[each:] {
				if binary.LittleEndian.Uint16(b)&0x3FFF == tableProperties {
					return true
				}
			}
		}
		return false
	}
	return false
}

// rowsOf orders the cells of a table: those that begin at one height are a row.
func rowsOf(boxes []box) (rows [][]Shape) {
	slices.SortStableFunc(boxes, func(a, b box) int { return cmp.Or(cmp.Compare(a.top, b.top), cmp.Compare(a.left, b.left)) })
	for i, b := range boxes {
		if i == 0 || b.top != boxes[i-1].top {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], b.shape)
	}
	return rows
}

// shape reads one shape.
func (f *finder) shape(r record) {
	const rectangle, picture = 1, 75 // forms: of cells, and of pictures' frames
	var s Shape
	var at box
	cell := false // the others in tables are lines
	for in := range r.children() {
		switch in.kind {
		case recArtSp:
			cell = in.instance == rectangle
			if in.instance == picture {
				f.pictures++
			}
		case recArtAnchor:
			if len(in.body) >= 8 {
				at.left, at.top = int32(u32(in.body, 0)), int32(u32(in.body, 4))
			}
		case recArtData:
			if isFurniture(in) {
				return
			}
		case recArtText:
			s = f.text(in)
		}
	}
	switch {
	case f.table && cell:
		at.shape = s
		f.boxes = append(f.boxes, at)
	case !f.table && len(s.Paragraphs) > 0:
		f.shapes = append(f.shapes, s)
	}
}

// isFurniture reports whether a shape is a date, a number, a footer or a header, which all slides have.
func isFurniture(data record) bool {
	const kindAt, date, header = 4, 7, 10
	for in := range data.children() {
		if in.kind == recPlaceholder && len(in.body) > kindAt {
			return in.body[kindAt] >= date && in.body[kindAt] <= header
		}
	}
	return false
}

// text is what a shape shows: its own text, or one of the outline's.
func (f *finder) text(r record) (s Shape) {
	var own []text
	for in := range r.children() {
		if in.kind == recOutlineText && len(in.body) >= 4 {
			if n := int64(u32(in.body, 0)); n < int64(len(f.outline)) {
				own = append(own, f.outline[n])
			}
			continue
		}
		own = addText(own, in)
	}
	for _, t := range own {
		s.Kind = t.kind
		s.Paragraphs = append(s.Paragraphs, t.paragraphs...)
	}
	return s
}
