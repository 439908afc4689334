package cidmap

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// Section is a map in the form that the embedded file has it in; command generate writes them. A map of characters has its
// collection for a name, spans of size 0 whose values are code points, and Long.
type Section struct {
	Name, Collection string
	Base             string // the map that this one changes, "": none
	Vertical         bool
	Spaces           Spaces
	Spans            []Span            // sorted by Size and Low, apart from each other
	Long             map[uint32]string // glyphs that stand for several characters
}

// Span maps the codes from Low to High, which have Size bytes, to values that count up from Value.
type Span struct {
	Size             uint8
	Low, High, Value uint32
}

// find is the value of a code.
func (s *Section) find(code uint32, size int) (uint32, bool) {
	i, exact := slices.BinarySearchFunc(s.Spans, Span{Low: code, Size: uint8(size)}, Compare)
	if !exact {
		i--
	}
	if i < 0 || int(s.Spans[i].Size) != size || code > s.Spans[i].High {
		return 0, false
	}
	return s.Spans[i].Value + code - s.Spans[i].Low, true
}

// Compare sorts spans by size, then by code.
func Compare(a, b Span) int { return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Low, b.Low)) }

// Pack writes sections one after the other: the name of each, its length in bytes, and its body.
func Pack(sections []Section) []byte {
	var out packer
	for _, s := range sections {
		var body packer
		body.section(s)
		out.text(s.Name)
		out.number(len(body))
		out = append(out, body...)
	}
	return out
}

// packer collects numbers of varying length.
type packer []byte

func (p *packer) number(n int) { *p = binary.AppendUvarint(*p, uint64(n)) }

func (p *packer) difference(n int64) { *p = binary.AppendVarint(*p, n) }

func (p *packer) text(s string) {
	p.number(len(s))
	*p = append(*p, s...)
}

func (p *packer) section(s Section) {
	p.text(s.Collection)
	p.text(s.Base)
	vertical := 0
	if s.Vertical {
		vertical = 1
	}
	p.number(vertical)
	for _, spaces := range s.Spaces {
		p.number(len(spaces))
		for _, r := range spaces {
			p.number(int(r.Low))
			p.number(int(r.High))
		}
	}
	p.spans(s.Spans)
	p.number(len(s.Long))
	for _, cid := range slices.Sorted(maps.Keys(s.Long)) {
		p.number(int(cid))
		p.text(s.Long[cid])
	}
}

// spans are written column by column, as differences: equal stretches of two maps are equal bytes then.
func (p *packer) spans(spans []Span) {
	p.number(len(spans))
	for _, s := range spans {
		*p = append(*p, s.Size)
	}
	at := int64(0)
	for _, s := range spans {
		p.difference(int64(s.Low) - at)
		at = int64(s.High) + 1
	}
	for _, s := range spans {
		p.number(int(s.High - s.Low))
	}
	at = 0
	for _, s := range spans {
		p.difference(int64(s.Value) - at)
		at = int64(s.Value) + int64(s.High-s.Low) + 1
	}
}

// unpacker reads what a packer wrote. It panics on anything else: the file is built in.
type unpacker []byte

func (p *unpacker) number() int {
	n, size := binary.Uvarint(*p)
	*p = (*p)[size:]
	return int(n)
}

func (p *unpacker) difference() int64 {
	n, size := binary.Varint(*p)
	*p = (*p)[size:]
	return n
}

func (p *unpacker) text() string { return string(p.bytes(p.number())) }

func (p *unpacker) bytes(n int) []byte {
	b := (*p)[:n]
	*p = (*p)[n:]
	return b
}

func (p *unpacker) section(name string) *Section {
	s := &Section{Name: name, Collection: p.text(), Base: p.text(), Vertical: p.number() == 1}
	for size := range s.Spaces {
		for range p.number() {
			low, high := p.number(), p.number()
			s.Spaces[size] = append(s.Spaces[size], Space{uint32(low), uint32(high)})
		}
	}
	s.Spans = p.spans()
	s.Long = map[uint32]string{}
	for range p.number() {
		cid := p.number()
		s.Long[uint32(cid)] = p.text()
	}
	return s
}

func (p *unpacker) spans() []Span {
	out := make([]Span, p.number())
	for i, size := range p.bytes(len(out)) {
		out[i].Size = size
	}
	lows := make([]int64, len(out))
	for i := range lows {
		lows[i] = p.difference()
	}
	at := int64(0)
	for i := range out {
		n := int64(p.number())
		out[i].Low = uint32(at + lows[i])
		at += lows[i] + n + 1
		out[i].High = uint32(at - 1)
	}
	at = 0
	for i := range out {
		at += p.difference()
		out[i].Value = uint32(at)
		at += int64(out[i].High-out[i].Low) + 1
	}
	return out
}
