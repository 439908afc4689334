package reader

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// write appends an object in plain syntax.
func write(b []byte, o any) []byte {
	switch o := o.(type) {
	case bool:
		return strconv.AppendBool(b, o)
	case int64:
		return strconv.AppendInt(b, o, 10)
	case float64:
		return strconv.AppendFloat(b, o, 'f', 6, 64)
	case name:
		return writeName(b, o)
	case str:
		return fmt.Appendf(b, "<%x>", string(o))
	case Ref:
		return fmt.Appendf(b, "%d %d R", o.num, o.gen)
	case []any:
		b = append(b, '[')
		for _, x := range o {
			b = append(write(b, x), ' ')
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, "<<"...)
		for _, k := range slices.Sorted(maps.Keys(o)) {
			b = append(write(append(writeName(b, name(k)), ' '), o[k]), '\n')
		}
		return append(b, ">>"...)
	}
	return append(b, "null"...)
}

func writeName(b []byte, n name) []byte {
	b = append(b, '/')
	for i := range len(n) {
		if c := n[i]; isRegular(c) && c != '#' && c > ' ' && c < 0x7f {
			b = append(b, c)
		} else {
			b = fmt.Appendf(b, "#%02x", c)
		}
	}
	return b
}

// rewriteObjects copies objects behind the body in plain syntax: the object reader gives an object up for one wrong
// character in it. Streams stay where they are, but in files that were scanned, where they are copied as well.
func (o *overlay) rewriteObjects(t *table) error {
	base := o.size() - int64(len(o.tail))
	found := &table{entries: maps.Clone(t.entries)}
	resolve := found.direct(o.body)
	for _, num := range t.sortedNumbers() {
		e := t.entries[num]
		if e.container != 0 {
			continue
		}
		if err := o.budget.Err(); err != nil {
			return err
		}
		p := parser{buf: o.body, pos: int(e.offset)}
		_, def, ok := p.definition()
		if !ok {
			continue
		}
		s, isStream := def.(stream)
		if isStream && !t.scanned {
			continue
		}
		at := base + int64(len(o.tail))
		o.tail = fmt.Appendf(o.tail, "%d %d obj\n", num, e.gen)
		if isStream {
			length, _ := resolve(s.dict["Length"]).(int64)
			data := raw(o.body, s.start, length)
			s.dict["Length"] = int64(len(data))
			o.tail = append(write(o.tail, s.dict), "\nstream\n"...)
			o.tail = append(append(o.tail, data...), "\nendstream"...)
		} else {
			o.tail = write(o.tail, def)
		}
		o.tail = append(o.tail, "\nendobj\n"...)
		if err := o.budget.unpacked(int(base + int64(len(o.tail)) - at)); err != nil {
			return err
		}
		e.offset = at
		t.entries[num] = e
	}
	return nil
}
