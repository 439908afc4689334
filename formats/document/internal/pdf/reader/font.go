package reader

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/pdfcpu/pdfcpu/pkg/font"
	"golang.org/x/text/encoding/charmap"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/cidmap"
)

// Typeface is a font of the file, ready to decode strings.
type Typeface struct {
	name               string
	Bold, Italic, Mono bool
	scale              float64 // of a glyph's width: 0.001, or a Type 3 font's own
	em                 float64 // height of the letters' square at size 1: 1, or what a Type 3 font shows
	toUnicode          *charMap

	// simple fonts
	texts    [256]string
	widths   map[uint32]float64 // by code, or CID of a composite font
	width    float64            // of codes that widths has not
	Measured bool               // the file gives the widths
	core     string             // name among the 14 standard fonts, for fonts without widths

	// composite fonts
	composite  bool
	vertical   bool
	uprights   uprights           // of vertical writing
	codes      encodingMap        // nil: two bytes that are the CID
	collection *cidmap.Collection // what the CIDs are of, nil: unknown
	embedded   func() embedded
}

// char is one code of a string.
type char struct {
	text  string
	width float64 // in text space units of size 1
	space bool    // the single-byte code 32, which word spacing applies to

	upright upright // its place in vertical writing
}

// newTypeface reads a font dictionary.
func newTypeface(o object, names glyphNames) *Typeface {
	f := &Typeface{scale: 0.001, em: 1, widths: map[uint32]float64{}}
	f.name = o.key("BaseFont").name()
	if _, plain, subset := strings.Cut(f.name, "+"); subset {
		f.name = plain
	}
	if data, _, _ := o.key("ToUnicode").data(); len(data) > 0 {
		f.toUnicode = readCharMap(data)
	}
	descriptor := o.key("FontDescriptor")
	if o.key("Subtype").name() == "Type0" {
		d := o.key("DescendantFonts").index(0)
		descriptor = d.key("FontDescriptor")
		f.readComposite(o, d, names)
	} else {
		f.readSimple(o, descriptor, names)
	}
	f.style(descriptor)
	return f
}

// style reads weight and slant from flags and name.
func (f *Typeface) style(descriptor object) {
	n := strings.ToLower(f.name)
	flags := descriptor.key("Flags").int()
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(n, p) {
				return true
			}
		}
		return false
	}
	f.Bold = has("bold", "black", "heavy", "semibold", "demi", "cmbx", "sfbx", "-bd") || strings.HasSuffix(n, "medi") || flags&(1<<18) != 0 ||
		descriptor.key("FontWeight").number() >= 600
	f.Italic = has("italic", "oblique", "-it", "cmti") || flags&(1<<6) != 0
	f.Mono = has("courier", "mono", "consol", "cmtt", "menlo", "typewriter") || flags&1 != 0
}

func (f *Typeface) readSimple(o, descriptor object, names glyphNames) {
	if o.key("Subtype").name() == "Type3" {
		if m := o.key("FontMatrix").floats(6); len(m) == 6 && m[0] != 0 {
			f.scale = max(m[0], -m[0])
		}
	}
	f.readTexts(o, descriptor, names)
	f.width = descriptor.key("MissingWidth").number()
	widths := o.key("Widths")
	start := o.key("FirstChar").int()
	for i := range min(widths.len(), 256) {
		f.widths[uint32(start)+uint32(i)] = widths.index(i).number()
	}
	if o.key("Subtype").name() == "Type3" {
		f.em = f.drawnEm(o)
	}
	if f.Measured = widths.len() > 0; !f.Measured {
		f.core = coreName(f.name, descriptor)
	}
}

// drawnEm is the em of a Type 3 font, whose nominal size says nothing: by its box, or by the width of its letters.
func (f *Typeface) drawnEm(o object) float64 {
	if b := o.key("FontBBox").floats(4); len(b) == 4 && b[3]-b[1] > 0 {
		return 0.8 * (b[3] - b[1]) * f.scale
	}
	sum, n := 0.0, 0
	for c := range uint32(256) {
		if w := f.widths[c]; w > 0 {
			sum, n = sum+w, n+1
		}
	}
	if n == 0 {
		return 1
	}
	return 2 * sum / float64(n) * f.scale
}

// readTexts fills the table of a simple font: base encoding, then Differences.
func (f *Typeface) readTexts(o, descriptor object, names glyphNames) {
	enc := o.key("Encoding")
	base := enc.name()
	if enc.isDict() {
		base = enc.key("BaseEncoding").name()
	}
	if base == "" {
		base = f.defaultEncoding(o)
	}
	for c, r := range baseEncoding(base) {
		if r != 0 {
			f.texts[c] = string(r)
		}
	}
	if enc.key("BaseEncoding").isNull() && !enc.isName() {
		f.readBuiltIn(descriptor, names)
	}
	named := differences(enc)
	for c, n := range named {
		if t := names.text(n); t != "" || n == ".notdef" {
			f.texts[c] = t
		}
	}
	if o.key("Subtype").name() == "Type3" {
		for c, t := range numberedTexts(named) {
			f.texts[c] = t
		}
	}
}

// readBuiltIn takes the encoding of the font program itself.
func (f *Typeface) readBuiltIn(descriptor object, names glyphNames) {
	data, _, _ := descriptor.key("FontFile").data()
	for c, n := range builtIn(data) {
		f.texts[c] = names.text(n)
	}
	data, _, _ = descriptor.key("FontFile3").data()
	if program, ok := readCompact(data); ok {
		for c, n := range program.encoding() {
			f.texts[c] = cmp.Or(names.text(n), f.texts[c])
		}
	}
}

// differences are the names that an encoding gives to codes.
func differences(enc object) map[byte]string {
	out := map[byte]string{}
	list := enc.key("Differences")
	c := int64(0)
	for i := range min(list.len(), 1024) {
		x := list.index(i)
		if !x.isName() {
			c = x.int()
			continue
		}
		if c >= 0 && c < 256 {
			out[byte(c)] = x.name()
		}
		c++
	}
	return out
}

func (f *Typeface) defaultEncoding(o object) string {
	switch {
	case strings.HasPrefix(f.name, "Symbol"):
		return "Symbol"
	case strings.Contains(f.name, "Dingbats"):
		return "ZapfDingbats"
	case o.key("Subtype").name() == "TrueType":
		return "WinAnsiEncoding"
	}
	return "StandardEncoding"
}

// coreName is the standard font that is nearest to a font without widths.
func coreName(n string, descriptor object) string {
	if font.IsCoreFont(n) {
		return n
	}
	l := strings.ToLower(n)
	bold, italic := strings.Contains(l, "bold"), strings.Contains(l, "italic") || strings.Contains(l, "oblique")
	switch {
	case strings.Contains(l, "courier") || descriptor.key("Flags").int()&1 != 0:
		return "Courier"
	case strings.Contains(l, "times") || strings.Contains(l, "roman") || strings.Contains(l, "serif") && !strings.Contains(l, "sans"):
		return [4]string{"Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"}[bit(bold)+2*bit(italic)]
	}
	return [4]string{"Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"}[bit(bold)+2*bit(italic)]
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// next decodes the first character of a string; size is how many bytes it took.
func (f *Typeface) next(s string) (c char, size int) {
	if f.composite {
		return f.nextComposite(s)
	}
	b := s[0]
	c.space = b == ' '
	c.text = f.texts[b]
	if f.toUnicode != nil {
		if t, ok := f.toUnicode.text(uint32(b), 1); ok && usable(t) {
			c.text = t
		}
	}
	c.width = f.simpleWidth(b) * f.scale
	return c, 1
}

func (f *Typeface) simpleWidth(b byte) float64 {
	if w, ok := f.widths[uint32(b)]; ok {
		return w
	}
	if f.core == "" {
		return f.width
	}
	code := b
	if r, _ := utf8.DecodeRuneInString(f.texts[b]); f.texts[b] != "" && f.core != "Symbol" && f.core != "ZapfDingbats" {
		if w, ok := charmap.Windows1252.EncodeRune(r); ok {
			code = w
		}
	}
	w, err := font.CharWidth(f.core, rune(code))
	if err != nil {
		return 500
	}
	return float64(w)
}

// usable reports whether a mapping is text at all: some producers map to zero or to U+FFFD.
func usable(t string) bool {
	r, _ := utf8.DecodeRuneInString(t)
	return r != utf8.RuneError && r != 0
}
