package reader

// upright is where a glyph of vertical writing stands (ISO 32000-1, 9.7.4.3), in thousandths of the size: how far it leads downwards, as
// a negative number, and its upper middle, seen from the start of its baseline.
type upright struct{ advance, x, y float64 }

// uprights are the metrics of a font in vertical writing. All glyphs have the common one but those that glyphs has.
type uprights struct {
	common upright // x is unused: half of the glyph's width
	glyphs map[uint32]upright
}

// ascent is how high the upper end of a letter's square is over the baseline, in thousandths of the size.
const ascent = 880

// readUprights reads the entries DW2 and W2 of a font: "first [advance x y …]" and "first last advance x y".
func readUprights(d object) uprights {
	u := uprights{common: upright{advance: -1000, y: ascent}, glyphs: map[uint32]upright{}}
	if v := d.key("DW2").floats(2); len(v) == 2 {
		u.common.y, u.common.advance = v[0], v[1]
	}
	const limit = 1 << 16 // glyphs set
	w := d.key("W2")
	for i, n := 0, min(w.len(), limit); i+1 < n && len(u.glyphs) < limit; {
		first, next := w.index(i).int(), w.index(i+1)
		if next.isArray() {
			v := next.floats(limit)
			for j := 0; j+2 < len(v); j += 3 {
				u.glyphs[uint32(first)+uint32(j/3)] = upright{v[j], v[j+1], v[j+2]}
			}
			i += 2
			continue
		}
		for c := first; c <= next.int() && c-first < limit && len(u.glyphs) < limit; c++ {
			u.glyphs[uint32(c)] = upright{w.index(i + 2).number(), w.index(i + 3).number(), w.index(i + 4).number()}
		}
		i += 5
	}
	return u
}

// of is a glyph's place; width is that of its letter in horizontal writing.
func (u *uprights) of(cid uint32, width float64) upright {
	if g, has := u.glyphs[cid]; has {
		return g
	}
	return upright{u.common.advance, width / 2, u.common.y}
}

// middle is how far the middle of a letter is over its baseline, in parts of the size: a column of vertical writing is read as a line
// that is turned, on a baseline that has the column's middle there.
const middle = 0.265

// placeUpright is where a glyph of vertical writing starts, and where it leads, both in text space.
func (in *interpreter) placeUpright(c char) (x, y, lead float64) {
	size := in.g.size
	x = (c.width/2-c.upright.x/1000)*in.g.scale*size - middle*size
	return x, in.g.rise + (ascent-c.upright.y)/1000*size, c.upright.advance / 1000 * size
}
