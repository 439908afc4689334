package reader

import (
	"sort"
	"unicode/utf16"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/cidmap"
)

// encodingMap says how a string falls into codes, and which glyphs (CIDs) these are: a predefined map, or an embedded one.
type encodingMap interface {
	Next(s string) (code uint32, size int)
	CID(code uint32, size int) uint32
}

// charMap is a character map (ISO 32000-1, 9.7.5 and 9.10.3): codes of one to four bytes to text or to CIDs.
type charMap struct {
	spaces cidmap.Spaces
	ranges []mapping   // sorted by length and low
	wide   bool        // vertical writing
	base   encodingMap // what it changes, nil: nothing
}

// mapping maps the codes low to high. The last unit of text, or cid, counts up.
type mapping struct {
	size      int
	low, high uint32
	text      []uint16
	cid       uint32
}

// maxMappings bounds a character map.
const maxMappings = 1 << 18

// readCharMap reads a ToUnicode map or an embedded encoding.
func readCharMap(data []byte) *charMap {
	m := &charMap{}
	p := parser{buf: data}
	var stack []any
	for {
		o := p.object()
		if _, end := o.(endOfInput); end {
			break
		}
		if op, isWord := o.(keyword); isWord {
			m.apply(op, stack)
			stack = stack[:0]
			continue
		}
		if len(stack) < maxMappings {
			stack = append(stack, o)
		}
	}
	sort.SliceStable(m.ranges, func(i, j int) bool {
		a, b := m.ranges[i], m.ranges[j]
		return a.size < b.size || a.size == b.size && a.low < b.low
	})
	return m
}

func (m *charMap) apply(op keyword, args []any) {
	switch op {
	case "endcodespacerange":
		for ; len(args) >= 2; args = args[2:] {
			low, size, _ := code(args[0])
			high, _, ok := code(args[1])
			if ok && size > 0 {
				m.spaces[size] = append(m.spaces[size], cidmap.Space{Low: low, High: high})
			}
		}
	case "endbfchar":
		for ; len(args) >= 2; args = args[2:] {
			m.add(args[0], args[0], args[1])
		}
	case "endbfrange":
		for ; len(args) >= 3; args = args[3:] {
			m.add(args[0], args[1], args[2])
		}
	case "endcidchar":
		for ; len(args) >= 2; args = args[2:] {
			m.add(args[0], args[0], args[1])
		}
	case "endcidrange":
		for ; len(args) >= 3; args = args[3:] {
			m.add(args[0], args[1], args[2])
		}
	case "usecmap":
		if len(args) > 0 {
			n, _ := args[len(args)-1].(name)
			m.use(string(n))
		}
	case "def":
		if len(args) >= 2 && args[len(args)-2] == name("WMode") {
			m.wide = asInt(args[len(args)-1]) == 1
		}
	}
}

// add is one mapping; to is a string, a list of strings, or a CID.
func (m *charMap) add(from, last, to any) {
	low, size, ok1 := code(from)
	high, _, ok2 := code(last)
	if !ok1 || !ok2 || high < low || size == 0 || len(m.ranges) >= maxMappings {
		return
	}
	switch to := to.(type) {
	case str:
		m.ranges = append(m.ranges, mapping{size: size, low: low, high: high, text: units(to)})
	case int64:
		m.ranges = append(m.ranges, mapping{size: size, low: low, high: high, cid: uint32(to)})
	case []any:
		for i, t := range to {
			s, isText := t.(str)
			if c := low + uint32(i); isText && c <= high && len(m.ranges) < maxMappings {
				m.ranges = append(m.ranges, mapping{size: size, low: c, high: c, text: units(s)})
			}
		}
	}
}

func code(o any) (uint32, int, bool) {
	s, ok := o.(str)
	if !ok || len(s) > 4 {
		return 0, 0, false
	}
	return uint32(bigEndian([]byte(s))), len(s), true
}

// units are the UTF-16 units of a destination; some files write one byte.
func units(s str) []uint16 {
	if len(s) == 1 {
		return []uint16{uint16(s[0])}
	}
	out := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s) && len(out) < 64; i += 2 {
		out = append(out, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return out
}

func (m *charMap) find(c uint32, size int) (mapping, bool) {
	i := sort.Search(len(m.ranges), func(i int) bool {
		r := m.ranges[i]
		return r.size > size || r.size == size && r.low > c
	})
	// Ranges may overlap: the ones that start nearest below are looked at.
	for n := 0; n < 4 && i > 0; n++ {
		i--
		if r := m.ranges[i]; r.size == size && r.low <= c && c <= r.high {
			return r, true
		}
	}
	return mapping{}, false
}

// text is what a code means, if the map says so.
func (m *charMap) text(c uint32, size int) (string, bool) {
	r, ok := m.find(c, size)
	if !ok {
		// Some files write the codes of a font in another length than their strings use.
		for other := 1; other <= 4 && !ok; other++ {
			r, ok = m.find(c, other)
		}
	}
	if !ok || len(r.text) == 0 {
		return "", false
	}
	u := r.text
	if c > r.low {
		u = append([]uint16(nil), u...)
		u[len(u)-1] += uint16(c - r.low)
	}
	return string(utf16.Decode(u)), true
}

// use has the map change a predefined one.
func (m *charMap) use(name string) {
	if base := cidmap.Encoding(name); base != nil {
		m.base, m.wide = base, m.wide || base.Vertical
	}
}

// CID is the glyph of a code, 0 if the map has none.
func (m *charMap) CID(c uint32, size int) uint32 {
	if r, ok := m.find(c, size); ok {
		return r.cid + c - r.low
	}
	if m.base != nil {
		return m.base.CID(c, size)
	}
	return 0
}

// Next cuts one code off a string.
func (m *charMap) Next(s string) (c uint32, size int) {
	if m.base != nil && m.spaces.None() {
		return m.base.Next(s)
	}
	return m.spaces.Next(s)
}
