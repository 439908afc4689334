package reader

import (
	"strings"
	"sync"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/cidmap"
)

// readComposite reads a font of type 0 (ISO 32000-1, 9.7): how strings fall into codes, and the one font d that has the glyphs.
func (f *Typeface) readComposite(o, d object, names glyphNames) {
	f.composite = true
	f.collection = cidmap.Find(systemInfo(d))
	f.readCodes(o.key("Encoding"))
	f.width = 1000
	if dw := d.key("DW"); !dw.isNull() {
		f.width = dw.number()
	}
	f.readCIDWidths(d.key("W"))
	f.Measured = len(f.widths) > 0
	if f.vertical {
		f.uprights = readUprights(d)
	}
	f.embedded = sync.OnceValue(func() embedded { return readEmbedded(d, names) })
}

// systemInfo is the name of a font's collection, as "Adobe-GB1".
func systemInfo(d object) string {
	info := d.key("CIDSystemInfo")
	return info.key("Registry").text() + "-" + info.key("Ordering").text()
}

// readCodes reads how strings of a composite font fall into codes, and which glyphs these are. Under a name that isn't known, as
// under the two Identity maps, codes are two bytes that are the CID.
func (f *Typeface) readCodes(enc object) {
	if enc.isStream() {
		m := embeddedMap(enc, 0)
		f.codes, f.vertical = m, m.wide
		return
	}
	n := enc.name()
	f.vertical = strings.HasSuffix(n, "-V")
	if m := cidmap.Encoding(n); m != nil {
		f.codes, f.vertical, f.collection = m, m.Vertical, cidmap.Find(m.Collection)
	}
}

// embeddedMap is the encoding in a stream, with the one that it changes.
func embeddedMap(enc object, depth int) *charMap {
	const deepest = 4
	data, _, _ := enc.data()
	m := readCharMap(data)
	if mode := enc.key("WMode"); !mode.isNull() {
		m.wide = mode.int() == 1
	}
	switch use := enc.key("UseCMap"); {
	case use.isStream() && depth < deepest:
		m.base = embeddedMap(use, depth+1)
	case use.isName():
		m.use(use.name())
	}
	return m
}

// readCIDWidths reads the W array (ISO 32000-1, 9.7.4.3): "first [w w w]" and "first last w".
func (f *Typeface) readCIDWidths(w object) {
	const limit = 1 << 17 // entries read and widths set
	left := limit
	for i, n := 0, min(w.len(), limit); i+1 < n && left > 0; {
		start, next := w.index(i).int(), w.index(i+1)
		if next.isArray() {
			for j := range min(next.len(), left) {
				f.widths[uint32(start)+uint32(j)] = next.index(j).number()
			}
			left -= next.len() + 1
			i += 2
			continue
		}
		last, width := next.int(), w.index(i+2).number()
		for c := start; c <= last && c-start < 1<<16 && left > 0; c++ {
			f.widths[uint32(c)] = width
			left--
		}
		left--
		i += 3
	}
}

// nextComposite decodes the first code of a string.
func (f *Typeface) nextComposite(s string) (c char, size int) {
	var code, cid uint32
	switch {
	case f.codes != nil:
		code, size = f.codes.Next(s)
		cid = f.codes.CID(code, size)
	case len(s) < 2:
		return char{}, len(s)
	default:
		code, size = uint32(s[0])<<8|uint32(s[1]), 2
		cid = code
	}
	c.space = size == 1 && s[0] == ' '
	c.width = f.width * f.scale
	if w, ok := f.widths[cid]; ok {
		c.width = w * f.scale
	}
	if f.vertical {
		c.upright = f.uprights.of(cid, c.width/f.scale)
	}
	c.text = f.compositeText(code, cid, size)
	return c, size
}

// compositeText is what a code means: by the font's own map, by the code itself if it is Unicode, by its place in the
// collection, or by the embedded font's own table.
func (f *Typeface) compositeText(code, cid uint32, size int) string {
	if f.toUnicode != nil {
		if t, ok := f.toUnicode.text(code, size); ok && usable(t) {
			return t
		}
	}
	if m, predefined := f.codes.(*cidmap.Map); predefined {
		if r := m.Rune(code); r != 0 {
			return string(r)
		}
	}
	if t := f.collection.Text(cid); t != "" {
		return t
	}
	return f.embedded().text(cid)
}

// embedded is what an embedded font says of its glyphs.
type embedded struct {
	glyphs map[uint32]rune // by glyph
	named  []string        // by glyph, of a compact program; a CID is a glyph then
	names  glyphNames
	gids   []byte // CID to glyph, two bytes each; nil: the same
}

func readEmbedded(d object, names glyphNames) (e embedded) {
	e.names = names
	descriptor := d.key("FontDescriptor")
	for _, k := range []string{"FontFile2", "FontFile3"} {
		if data, _, _ := descriptor.key(k).data(); len(data) > 0 {
			e.glyphs = glyphTexts(data)
			if program, ok := readCompact(data); ok {
				e.named = program.names()
			}
		}
	}
	e.gids, _, _ = d.key("CIDToGIDMap").data()
	return e
}

func (e embedded) text(cid uint32) string {
	glyph := cid
	if i := int(cid) * 2; i+1 < len(e.gids) {
		glyph = uint32(e.gids[i])<<8 | uint32(e.gids[i+1])
	}
	if r, ok := e.glyphs[glyph]; ok {
		return string(r)
	}
	if glyph < uint32(len(e.named)) {
		return e.names.text(e.named[glyph])
	}
	return ""
}
