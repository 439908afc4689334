package reader

import (
	"strconv"
	"strings"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/unicode"
)

// object is a value of the file. Its methods never panic on a damaged file, they answer null; only stopped goes
// through. The zero object is null.
type object struct {
	v   pdf.Value
	doc *File
}

// safely calls f and makes a reader's panic about damage a null.
func safely(f func()) {
	defer func() {
		if p := recover(); p != nil {
			if s, ok := p.(Stopped); ok {
				panic(s)
			}
		}
	}()
	f()
}

func (o object) key(k string) (out object) {
	out.doc = o.doc
	safely(func() { out.v = o.v.Key(k) })
	return out
}

func (o object) index(i int) (out object) {
	out.doc = o.doc
	safely(func() { out.v = o.v.Index(i) })
	return out
}

// path is key of key.
func (o object) path(keys ...string) object {
	for _, k := range keys {
		o = o.key(k)
	}
	return o
}

func (o object) isNull() bool   { return o.v.IsNull() }
func (o object) isArray() bool  { return o.v.Kind() == pdf.Array }
func (o object) isDict() bool   { return o.v.Kind() == pdf.Dict }
func (o object) isStream() bool { return o.v.Kind() == pdf.Stream }
func (o object) isName() bool   { return o.v.Kind() == pdf.Name }
func (o object) isInt() bool    { return o.v.Kind() == pdf.Integer }
func (o object) len() int       { return o.v.Len() }
func (o object) name() string   { return o.v.Name() }
func (o object) int() int64     { return o.v.Int64() }
func (o object) bytes() string  { return o.v.RawString() }

func (o object) number() float64 {
	f := o.v.Float64()
	if f != f || f > 1e9 || f < -1e9 {
		return 0
	}
	return f
}

func (o object) floats(max int) []float64 {
	n := min(o.len(), max)
	out := make([]float64, n)
	for i := range out {
		out[i] = o.index(i).number()
	}
	return out
}

// text is a text string (ISO 32000-2, 7.9.2.2): UTF-16, UTF-8 with a mark, or PDFDocEncoding.
func (o object) text() string { return textString(o.bytes()) }

func textString(s string) string {
	switch {
	case strings.HasPrefix(s, "\xfe\xff"):
		return utf16Text(s[2:], unicode.BigEndian)
	case strings.HasPrefix(s, "\xff\xfe"):
		return utf16Text(s[2:], unicode.LittleEndian)
	case strings.HasPrefix(s, "\xef\xbb\xbf"):
		return strings.ToValidUTF8(s[3:], "\uFFFD")
	}
	var out strings.Builder
	for i := range len(s) {
		out.WriteRune(docRune(s[i]))
	}
	return out.String()
}

// docRune is one byte of PDFDocEncoding (ISO 32000-1, annex D.2).
func docRune(c byte) rune {
	switch {
	case c >= 0x18 && c < 0x20:
		return []rune("˘ˇˆ˙˝˛˚˜")[c-0x18]
	case c >= 0x80 && c <= 0xA0:
		return []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\uFFFD€")[c-0x80]
	}
	return rune(c)
}

func utf16Text(s string, order unicode.Endianness) string {
	out, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().String(s[:len(s)&^1])
	if err != nil {
		return ""
	}
	return out
}

// id is a text that two objects share only if they are the same: the object's own syntax, with references in it.
func (o object) id() (out string) {
	safely(func() { out = o.v.String() })
	return out
}

// refs are the references that an array holds, in order, by its syntax. Values don't hold their origin.
func (o object) refs() []Ref {
	p := parser{buf: []byte(o.id()), refs: true}
	arr, _ := p.object().([]any)
	var out []Ref
	for _, x := range arr {
		r, _ := x.(Ref)
		out = append(out, r)
	}
	return out
}

// data are the decoded bytes of a stream. For images rest are the filters that are still to be undone.
func (o object) data() (out []byte, rest []filter, err error) {
	if !o.isStream() {
		return nil, nil, nil
	}
	// Value.Reader knows few filters and panics on the others; only String shows the place of the bytes.
	id := o.id()
	start, err := strconv.Atoi(id[strings.LastIndexByte(id, '@')+1:])
	if err != nil || start < 0 {
		return nil, nil, err
	}
	b := o.doc.Budget
	b.check()
	body, start := o.doc.view.around(start)
	out, rest, err = decode(raw(body, start, o.key("Length").int()), o.filters(), b.unpack())
	if err != nil {
		return out, rest, err
	}
	return out, nil, b.unpacked(len(out))
}

// filters reads the filters of a stream.
func (o object) filters() []filter {
	names, params := o.key("Filter"), o.key("DecodeParms")
	if names.isNull() {
		names = o.key("F")
	}
	if params.isNull() {
		params = o.key("DP")
	}
	if names.isName() {
		return []filter{filterOf(names.name(), first(params))}
	}
	var out []filter
	for i := range min(names.len(), maxFilters+1) {
		p := params
		if params.isArray() {
			p = params.index(i)
		}
		out = append(out, filterOf(names.index(i).name(), p))
	}
	return out
}

func first(o object) object {
	if o.isArray() {
		return o.index(0)
	}
	return o
}

func filterOf(n string, p object) filter {
	f := filter{name: n}
	if !p.isDict() {
		return f
	}
	f.predictor, f.colors = p.key("Predictor").int(), p.key("Colors").int()
	f.bits, f.columns = p.key("BitsPerComponent").int(), p.key("Columns").int()
	f.lateChange = p.key("EarlyChange").isInt() && p.key("EarlyChange").int() == 0
	f.k, f.rows = p.key("K").int(), p.key("Rows").int()
	f.blackIs1, f.byteAlign = p.key("BlackIs1").v.Bool(), p.key("EncodedByteAlign").v.Bool()
	return f
}
