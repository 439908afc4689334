package reader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/ledongthuc/pdf"
)

// overlay is the file as the object reader sees it: a plain header, the body, and behind it the objects in plain
// syntax, those of object streams too, and one cross-reference stream that was checked. The reader believes what a
// cross-reference says and allocates by it, unpacks an object stream again for every object of it, and refuses files
// over trifles of header, tail and syntax; so it gets to see none of these.
type overlay struct {
	budget *Budget
	body   []byte
	tail   []byte
}

// foundPages is the key that the overlay's trailer lists the pages of a scan under, for files with a broken page tree.
const foundPages = "FoundPages"

const overlayHeader = "%PDF-1.7\n"

// ReadAt implements io.ReaderAt. It throws stopped when time is up, which is the only way to end the object reader.
func (o *overlay) ReadAt(p []byte, off int64) (int, error) {
	o.budget.check()
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	n := 0
	for n < len(p) {
		part := o.at(off + int64(n))
		if len(part) == 0 {
			return n, io.EOF
		}
		n += copy(p[n:], part)
	}
	return n, nil
}

// at is a piece of the file from an offset on.
func (o *overlay) at(off int64) []byte {
	size := int64(max(len(o.body), len(overlayHeader)))
	switch {
	case off < int64(len(overlayHeader)):
		return []byte(overlayHeader)[off:]
	case off < size:
		return o.body[off:]
	case off < size+int64(len(o.tail)):
		return o.tail[off-size:]
	}
	return nil
}

// around is the part of the file that an offset is in, and the offset in it.
func (o *overlay) around(off int) ([]byte, int) {
	if size := max(len(o.body), len(overlayHeader)); off >= size {
		return o.tail, off - size
	}
	return o.body, off
}

func (o *overlay) size() int64 { return int64(max(len(o.body), len(overlayHeader)) + len(o.tail)) }

// open makes the overlay of a file by its table and opens it.
func open(b *Budget, body []byte, t *table) (*pdf.Reader, *overlay, error) {
	o := &overlay{budget: b, body: body, tail: []byte("\nendobj\n")} // ends an object that was cut off
	if !isRef(t.trailer["Root"]) && len(t.pages) == 0 {
		return nil, nil, errors.New("no catalog")
	}
	if err := o.unpackObjects(t); err != nil {
		return nil, nil, err
	}
	if err := o.rewriteObjects(t); err != nil {
		return nil, nil, err
	}
	o.crossReference(t)
	r, err := pdf.NewReader(o, o.size())
	if err := b.Err(); err != nil {
		return nil, nil, err
	}
	return r, o, err
}

// unpackObjects puts the objects of object streams behind the body.
func (o *overlay) unpackObjects(t *table) error {
	wanted := map[int64]bool{}
	for _, e := range t.entries {
		if e.container != 0 {
			wanted[e.container] = true
		}
	}
	base := o.size() - int64(len(o.tail))
	for _, num := range t.sortedNumbers() {
		if !wanted[num] {
			continue
		}
		if err := o.budget.Err(); err != nil {
			return err
		}
		if err := o.unpackContainer(t, num, base); errors.Is(err, ErrUnpacked) {
			return err
		}
	}
	for num, e := range t.entries {
		if e.container != 0 {
			delete(t.entries, num) // its container couldn't be read
		}
	}
	return nil
}

// unpackContainer reads one object stream (ISO 32000-1, 7.5.7).
func (o *overlay) unpackContainer(t *table, container, base int64) error {
	e := t.entries[container]
	if e.container != 0 || e.offset < 0 || e.offset >= int64(len(o.body)) {
		return errors.New("object stream out of the file")
	}
	p := parser{buf: o.body, pos: int(e.offset)}
	_, def, _ := p.definition()
	s, ok := def.(stream)
	if !ok {
		return errors.New("object stream is none")
	}
	resolve := t.direct(o.body)
	data, err := streamData(o.budget, o.body, s, resolve)
	if err != nil {
		return err
	}
	eachPacked(data, asInt(resolve(s.dict["N"])), asInt(resolve(s.dict["First"])), func(num int64, at int) {
		if t.entries[num].container != container {
			return
		}
		inner := parser{buf: data, pos: at, refs: true}
		inner.object()
		t.entries[num] = entry{offset: base + int64(len(o.tail))}
		o.tail = fmt.Appendf(o.tail, "%d 0 obj\n", num)
		o.tail = append(o.tail, data[at:inner.pos]...)
		o.tail = append(o.tail, "\nendobj\n"...)
	})
	return nil
}

// direct follows a reference to a number that lies plainly in the body, as lengths do.
func (t *table) direct(body []byte) func(any) any {
	return func(o any) any {
		r, ok := o.(Ref)
		if !ok {
			return o
		}
		e, has := t.entries[r.num]
		if !has || e.container != 0 || e.offset < 0 || e.offset >= int64(len(body)) {
			return nil
		}
		p := parser{buf: body[:min(int64(len(body)), e.offset+scanWindow)], pos: int(e.offset)}
		_, def, _ := p.definition()
		return def
	}
}

// crossReference writes the one cross-reference that the reader sees, uncompressed.
func (o *overlay) crossReference(t *table) {
	numbers := t.sortedNumbers()
	var rows []byte
	var index bytes.Buffer
	size := int64(1)
	for i := 0; i < len(numbers); {
		first := i
		for i < len(numbers) && numbers[i] == numbers[first]+int64(i-first) {
			e := t.entries[numbers[i]]
			rows = append(rows, 1)
			rows = binary.BigEndian.AppendUint64(rows, uint64(e.offset))
			rows = binary.BigEndian.AppendUint16(rows, uint16(e.gen))
			i++
		}
		fmt.Fprintf(&index, "%d %d ", numbers[first], i-first)
		size = numbers[i-1] + 1
	}
	at := o.size()
	o.tail = fmt.Appendf(o.tail, "%d 0 obj\n<</Type/XRef/W[1 8 2]/Size %d/Index[%s]/Length %d", size, size, index.String(), len(rows))
	for _, k := range []string{"Root", "Info"} {
		if r, ok := t.trailer[k].(Ref); ok {
			o.tail = fmt.Appendf(o.tail, "/%s %d %d R", k, r.num, r.gen)
		}
	}
	if len(t.pages) > 0 {
		o.tail = append(o.tail, "/"+foundPages+"["...)
		for _, r := range t.pages {
			o.tail = fmt.Appendf(o.tail, "%d %d R ", r.num, r.gen)
		}
		o.tail = append(o.tail, ']')
	}
	o.tail = append(o.tail, ">>\nstream\n"...)
	o.tail = append(o.tail, rows...)
	o.tail = fmt.Appendf(o.tail, "\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", at)
}
