package reader

import (
	"bytes"
	"errors"
	"fmt"
)

// entry is where an object is: at an offset of the file, or in an object stream.
type entry struct {
	offset    int64 // or the index in the container
	gen       int64
	container int64 // number of the object stream; 0: none
}

// table is the cross-reference of a file, as far as it can be trusted.
type table struct {
	entries map[int64]entry
	trailer map[string]any
	// of a scan only
	scanned    bool
	catalog    Ref
	pages      []Ref
	containers []int64
}

// Limits of a cross-reference. A file can claim any object number in a few bytes, and a reader that believes it
// allocates that many entries.
const (
	maxSections = 1024
	maxObject   = 2_000_000
)

// lookup finds the cross-reference by way of startxref and reads all its sections.
func lookup(ctx *Budget, body []byte) (*table, error) {
	i := bytes.LastIndex(body, []byte("startxref"))
	if i < 0 {
		return nil, errors.New("no startxref")
	}
	p := parser{buf: body, pos: i + len("startxref")}
	start, ok := p.object().(int64)
	if !ok {
		return nil, errors.New("startxref without a number")
	}
	t := &table{entries: map[int64]entry{}, trailer: map[string]any{}}
	seen := map[int64]bool{}
	todo := []int64{start}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		if seen[at] || len(seen) > maxSections {
			continue
		}
		seen[at] = true
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		trailer, err := t.section(ctx, body, at)
		if err != nil {
			return nil, err
		}
		for k, v := range trailer {
			if _, has := t.trailer[k]; !has {
				t.trailer[k] = v
			}
		}
		for _, k := range []string{"XRefStm", "Prev"} {
			if v, has := trailer[k]; has {
				todo = append(todo, asInt(v))
			}
		}
	}
	return t, nil
}

// section reads the table or stream at an offset.
func (t *table) section(ctx *Budget, body []byte, at int64) (map[string]any, error) {
	if at < 0 || at >= int64(len(body)) {
		return nil, fmt.Errorf("cross-reference at %d of %d", at, len(body))
	}
	p := parser{buf: body, pos: int(at), refs: true}
	if p.object() == keyword("xref") {
		return t.classic(&p)
	}
	p.pos = int(at)
	_, o, ok := p.definition()
	s, isStream := o.(stream)
	if !ok || !isStream {
		return nil, fmt.Errorf("no cross-reference at %d", at)
	}
	data, err := streamData(ctx, body, s, nil)
	if err != nil {
		return nil, err
	}
	return s.dict, t.packed(s.dict, data)
}

// classic reads the lines of a table and its trailer.
func (t *table) classic(p *parser) (map[string]any, error) {
	for {
		switch first := p.object().(type) {
		case int64:
			count, ok := p.object().(int64)
			if !ok {
				return nil, errors.New("cross-reference section without a count")
			}
			if err := t.lines(p, first, count); err != nil {
				return nil, err
			}
		case keyword:
			if first != "trailer" {
				return nil, fmt.Errorf("%q in a cross-reference", string(first[:min(len(first), 20)]))
			}
			d, ok := p.object().(map[string]any)
			if !ok {
				return nil, errors.New("no trailer dictionary")
			}
			return d, nil
		default:
			return nil, errors.New("malformed cross-reference")
		}
	}
}

func (t *table) lines(p *parser, first, count int64) error {
	for n := first; count > 0; n, count = n+1, count-1 {
		at := p.pos
		offset, ok1 := p.object().(int64)
		gen, ok2 := p.object().(int64)
		kind, ok3 := p.object().(keyword)
		if !ok1 || !ok2 || !ok3 {
			p.pos = at // fewer lines than were promised
			return nil
		}
		if kind == "n" {
			if err := t.add(n, entry{offset: offset, gen: gen}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *table) add(num int64, e entry) error {
	if num < 0 || num > maxObject {
		return fmt.Errorf("object number %d", num)
	}
	if _, has := t.entries[num]; !has {
		t.entries[num] = e
	}
	return nil
}

// packed reads the rows of a cross-reference stream.
func (t *table) packed(d map[string]any, data []byte) error {
	widths, _ := d["W"].([]any)
	if len(widths) < 3 {
		return errors.New("cross-reference stream without widths")
	}
	var w [3]int
	for i := range w {
		if w[i] = int(asInt(widths[i])); w[i] < 0 || w[i] > 8 {
			return fmt.Errorf("cross-reference field of %d bytes", w[i])
		}
	}
	index, _ := d["Index"].([]any)
	if len(index) < 2 {
		index = []any{int64(0), asInt(d["Size"])}
	}
	row := w[0] + w[1] + w[2]
	for ; len(index) >= 2 && row > 0; index = index[2:] {
		first, count := asInt(index[0]), asInt(index[1])
		for n := first; count > 0 && len(data) >= row; n, count, data = n+1, count-1, data[row:] {
			if err := t.row(n, data[:row], w); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *table) row(num int64, data []byte, w [3]int) error {
	kind := int64(1)
	if w[0] > 0 {
		kind = bigEndian(data[:w[0]])
	}
	second, third := bigEndian(data[w[0]:w[0]+w[1]]), bigEndian(data[w[0]+w[1]:])
	switch kind {
	case 1:
		return t.add(num, entry{offset: second, gen: third})
	case 2:
		return t.add(num, entry{container: second, offset: third})
	}
	return nil
}

func bigEndian(b []byte) int64 {
	n := int64(0)
	for _, c := range b {
		n = n<<8 | int64(c)
	}
	return n
}

// verify compares the table with the objects' own headers and drops what doesn't fit. It answers how many did not.
func (t *table) verify(body []byte) int {
	bad := 0
	for num, e := range t.entries {
		if e.container != 0 {
			continue
		}
		gen, ok := headerAt(body, e.offset, num)
		if !ok {
			delete(t.entries, num)
			bad++
			continue
		}
		if e.gen = gen; gen > 65535 {
			delete(t.entries, num)
			continue
		}
		t.entries[num] = e
	}
	return bad
}

// headerAt reads "num gen obj" at an offset.
func headerAt(body []byte, offset, num int64) (gen int64, ok bool) {
	if offset < 0 || offset >= int64(len(body)) {
		return 0, false
	}
	p := parser{buf: body[:min(int64(len(body)), offset+64)], pos: int(offset)}
	got, ok1 := p.object().(int64)
	gen, ok2 := p.object().(int64)
	word, ok3 := p.object().(keyword)
	return gen, ok1 && ok2 && ok3 && got == num && gen >= 0 && len(word) >= 3 && word[:3] == "obj"
}

// complete adds what a scan found and the table lacks.
func (t *table) complete(found *table) {
	for num, e := range found.entries {
		if _, has := t.entries[num]; !has {
			t.entries[num] = e
		}
	}
	for k, v := range found.trailer {
		if _, has := t.trailer[k]; !has {
			t.trailer[k] = v
		}
	}
}
