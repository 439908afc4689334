package reader

import (
	"bytes"
	"slices"
)

// scanWindow is how much of an object is read to see what it is.
const scanWindow = 1 << 16

// scan makes a cross-reference from what the file holds: every "num gen obj" in it, the last of each number. It is
// the way into files whose own cross-reference is missing or wrong.
//
// The search goes on where an object ends, so that it takes one pass whatever the file holds.
func scan(ctx *Budget, body []byte) (*table, error) {
	t := &table{entries: map[int64]entry{}, trailer: map[string]any{}}
	for pos := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := bytes.Index(body[pos:], []byte("obj"))
		if i < 0 {
			break
		}
		pos += i + len("obj")
		at, ok := headerBefore(body, pos-len("obj"))
		if !ok {
			continue
		}
		p := parser{buf: body[:min(len(body), at+scanWindow)], pos: at}
		r, o, ok := p.definition()
		if !ok || r.num > maxObject {
			continue
		}
		t.entries[r.num] = entry{offset: int64(at), gen: r.gen}
		pos = max(pos, t.note(body, r, o, p.pos-len("endobj")))
	}
	t.trailers(body)
	return t, nil
}

// note keeps what an object says about the file and returns where the search goes on.
func (t *table) note(body []byte, r Ref, o any, end int) int {
	switch o := o.(type) {
	case map[string]any:
		t.noteDict(r, o)
	case stream:
		switch o.dict["Type"] {
		case name("XRef"):
			t.merge(o.dict)
		case name("ObjStm"):
			t.containers = append(t.containers, r.num)
		}
		if n, direct := o.dict["Length"].(int64); direct && endsStream(body, o.start, n) {
			return o.start + int(n)
		}
		return o.start
	}
	return end
}

func (t *table) noteDict(r Ref, d map[string]any) {
	switch d["Type"] {
	case name("Catalog"):
		t.catalog = r
	default:
		if d["Type"] != name("Page") && (d["Contents"] == nil || d["Parent"] == nil) {
			return
		}
		if len(t.pages) < maxPages {
			t.pages = append(t.pages, r)
		}
	}
}

// addPacked adds the objects of the object streams that a scan met, and settles which is the catalog.
func (t *table) addPacked(b *Budget, body []byte) {
	for _, container := range t.containers {
		if b.Err() != nil {
			return
		}
		p := parser{buf: body, pos: int(t.entries[container].offset)}
		_, o, _ := p.definition()
		s, ok := o.(stream)
		if !ok {
			continue
		}
		resolve := t.direct(body)
		data, err := streamData(b, body, s, resolve)
		if err != nil {
			continue
		}
		eachPacked(data, asInt(resolve(s.dict["N"])), asInt(resolve(s.dict["First"])), func(num int64, at int) {
			if _, has := t.entries[num]; has || num > maxObject {
				return
			}
			t.entries[num] = entry{container: container}
			inner := parser{buf: data, pos: at, refs: true}
			if d, isDict := inner.object().(map[string]any); isDict {
				t.noteDict(Ref{num: num}, d)
			}
		})
	}
	if _, has := t.trailer["Root"].(Ref); !has && t.catalog != (Ref{}) {
		t.trailer["Root"] = t.catalog
	}
}

// eachPacked visits the objects of an unpacked object stream.
func eachPacked(data []byte, count, first int64, visit func(num int64, at int)) {
	head := parser{buf: data}
	for range count {
		num, ok1 := head.object().(int64)
		at, ok2 := head.object().(int64)
		if !ok1 || !ok2 || num < 0 || first < 0 || at < 0 || first+at > int64(len(data)) {
			return
		}
		visit(num, int(first+at))
	}
}

// trailers reads every trailer dictionary; the last of them counts most.
func (t *table) trailers(body []byte) {
	for pos := 0; ; {
		i := bytes.Index(body[pos:], []byte("trailer"))
		if i < 0 {
			return
		}
		pos += i + len("trailer")
		p := parser{buf: body, pos: pos, refs: true}
		if d, ok := p.object().(map[string]any); ok {
			t.merge(d)
		}
	}
}

func (t *table) merge(d map[string]any) {
	for _, k := range []string{"Root", "Info", "Encrypt", "ID"} {
		if v, has := d[k]; has && v != nil {
			t.trailer[k] = v
		}
	}
}

func isRef(o any) bool {
	_, ok := o.(Ref)
	return ok
}

// headerBefore finds the start of "num gen " that ends at pos.
func headerBefore(body []byte, pos int) (int, bool) {
	i := pos
	for range 2 {
		space := i
		for i > 0 && isSpace(body[i-1]) && space-i < 8 {
			i--
		}
		digits := i
		for i > 0 && body[i-1] >= '0' && body[i-1] <= '9' && digits-i < 10 {
			i--
		}
		if i == digits || space == digits && space != pos {
			return 0, false
		}
	}
	return i, true
}

// endsStream reports whether a stream of n bytes from start on is followed by its end.
func endsStream(body []byte, start int, n int64) bool {
	if n < 0 || n > int64(len(body)-start) {
		return false
	}
	tail := body[start+int(n):]
	tail = bytes.TrimLeft(tail[:min(len(tail), 64)], "\r\n\t \x00")
	return bytes.HasPrefix(tail, []byte("endstream")) || bytes.HasPrefix(tail, []byte("endobj"))
}

// raw are the bytes of a stream. A wrong length is corrected by looking for the end.
func raw(body []byte, start int, n int64) []byte {
	if start < 0 || start > len(body) {
		return nil
	}
	if endsStream(body, start, n) {
		return body[start : start+int(n)]
	}
	rest := body[start:]
	if i := bytes.Index(rest, []byte("endstream")); i >= 0 {
		rest = rest[:i]
		rest = bytes.TrimSuffix(rest, []byte("\n"))
		return bytes.TrimSuffix(rest, []byte("\r"))
	}
	if n > 0 && n < int64(len(rest)) {
		return rest[:n]
	}
	return rest
}

// streamData decodes a stream that was read by the own parser. resolve, which may be nil, follows references.
func streamData(ctx *Budget, body []byte, s stream, resolve func(any) any) ([]byte, error) {
	if resolve == nil {
		resolve = func(o any) any { return o }
	}
	length := int64(-1)
	if n, ok := resolve(s.dict["Length"]).(int64); ok {
		length = n
	}
	data, _, err := decode(raw(body, s.start, length), filtersOf(s.dict, resolve), ctx.unpack())
	if err != nil {
		return nil, err
	}
	return data, ctx.unpacked(len(data))
}

// filtersOf reads the Filter and DecodeParms of a stream dictionary.
func filtersOf(d map[string]any, resolve func(any) any) []filter {
	names, params := asArray(resolve(d["Filter"])), asArray(resolve(d["DecodeParms"]))
	var out []filter
	for i, n := range names {
		f := filter{}
		if w, ok := resolve(n).(name); ok {
			f.name = string(w)
		}
		if i < len(params) {
			if pd, ok := resolve(params[i]).(map[string]any); ok {
				f.predictor, f.colors = asInt(resolve(pd["Predictor"])), asInt(resolve(pd["Colors"]))
				f.bits, f.columns = asInt(resolve(pd["BitsPerComponent"])), asInt(resolve(pd["Columns"]))
				early, has := pd["EarlyChange"]
				f.lateChange = has && asInt(resolve(early)) == 0
			}
		}
		out = append(out, f)
	}
	return out
}

func asArray(o any) []any {
	switch o := o.(type) {
	case nil:
		return nil
	case []any:
		return o
	}
	return []any{o}
}

// sortedNumbers are the object numbers of a table in order.
func (t *table) sortedNumbers() []int64 {
	out := make([]int64, 0, len(t.entries))
	for n := range t.entries {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}
