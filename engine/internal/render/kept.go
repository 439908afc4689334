package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sync"

	"github.com/klauspost/compress/s2"
)

// kept is an output whose texts are packed, which makes it less than half as large: a crawl has thousands of them. What isn't stored is
// packed by S2, in a third of the time that zstd takes for two thirds of the bytes.
type kept struct {
	rest  Output // without texts
	texts []byte // texts, packed; nil where they are in a ring
	at    place  // there
}

// pack packs an output, which stays as it is.
func pack(m *Output) kept {
	rest, k := *m.Output, kept{rest: *m}
	k.rest.Output = &rest
	var data []byte
	k.rest.each(
		func(text *string) { data = appendText(data, *text); *text = "" },
		func(list *[]string) { data = appendList(data, *list); *list = nil })
	k.texts = packed(data)
	return k
}

// each visits the texts and lists that are large, in the order in which they are packed.
func (m *Output) each(text func(*string), list func(*[]string)) {
	for _, t := range []*string{&m.Markdown, &m.HTML, &m.RawHTML, &m.RawBase64} {
		text(t)
	}
	list(&m.Links)
	list(&m.Images)
	if m.PageLinks != nil {
		own := *m.PageLinks // the list is shared with the output that is packed
		m.PageLinks = &own
		list(m.PageLinks)
	}
}

func appendText(data []byte, text string) []byte {
	return append(binary.AppendUvarint(data, uint64(len(text))), text...)
}

// appendList distinguishes no list from an empty one.
func appendList(data []byte, list []string) []byte {
	if list == nil {
		return append(data, 0)
	}
	data = binary.AppendUvarint(data, uint64(len(list))+1)
	for _, text := range list {
		data = appendText(data, text)
	}
	return data
}

// rooms are what texts are packed into: there has to be room for the worst case.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

func packed(data []byte) []byte {
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	out := s2.Encode((*room)[:cap(*room)], data)
	*room = out
	return bytes.Clone(out)
}

// unpack returns an output that is the caller's own but for what it shares with others of the same.
func (k kept) unpack(from *ring) (_ *Output, err error) {
	if k.texts == nil {
		if k.texts, err = from.get(k.at); err != nil {
			return nil, err
		}
	}
	data, err := s2.Decode(nil, k.texts)
	if err != nil {
		return nil, err
	}
	m, out, in := k.rest, *k.rest.Output, texts{data: data}
	m.Output = &out
	m.each(func(text *string) { *text = in.text() }, func(list *[]string) { *list = in.list() })
	return &m, in.err
}

// texts reads what was packed; err says that it is something else.
type texts struct {
	data []byte
	err  error
}

var errTexts = errors.New("texts that are kept are not as they were packed")

func (t *texts) number() int {
	n, size := binary.Uvarint(t.data)
	if size <= 0 || n > uint64(len(t.data)) {
		t.data, t.err = nil, errTexts
		return 0
	}
	t.data = t.data[size:]
	return int(n)
}

func (t *texts) text() string {
	n := t.number()
	if n > len(t.data) {
		t.data, t.err = nil, errTexts
		return ""
	}
	text := string(t.data[:n])
	t.data = t.data[n:]
	return text
}

func (t *texts) list() []string {
	n := t.number()
	if n == 0 {
		return nil
	}
	list := make([]string, 0, n-1)
	for range n - 1 {
		list = append(list, t.text())
	}
	return list
}

// size is about what it takes in memory and in a ring.
func (k kept) size() int64 { return int64(len(k.texts)+k.at.size) + k.rest.size() }

// moved moves the texts to a ring, if that takes them.
func (k kept) moved(to *ring) kept {
	if at, kept := to.put(k.texts); kept {
		k.at, k.texts = at, nil
	}
	return k
}
