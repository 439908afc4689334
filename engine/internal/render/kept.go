package render

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/klauspost/compress/s2"
)

// kept is an output whose texts are packed, which makes it less than half as large: a crawl has thousands of them. What isn't stored is
// packed by S2, in a third of the time that zstd takes for two thirds of the bytes.
type kept struct {
	rest  Output // without texts
	texts []byte // texts, packed
}

// texts are what is large of an output.
type texts struct {
	Markdown, HTML, RawHTML, RawBase64 string
	Links, Images                      []string
	PageLinks                          *[]string
}

// pack packs an output, which stays as it is.
func pack(m *Output) (k kept, err error) {
	data, err := json.Marshal(texts{m.Markdown, m.HTML, m.RawHTML, m.RawBase64, m.Links, m.Images, m.PageLinks})
	if err != nil {
		return k, err
	}
	k.texts = packed(data)
	rest := *m.Output
	rest.Markdown, rest.HTML, rest.RawHTML, rest.RawBase64, rest.Links, rest.Images = "", "", "", "", nil, nil
	k.rest = *m
	k.rest.Output, k.rest.PageLinks = &rest, nil
	return k, nil
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
func (k kept) unpack() (*Output, error) {
	var t texts
	data, err := s2.Decode(nil, k.texts)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, err
	}
	m, out := k.rest, *k.rest.Output
	out.Markdown, out.HTML, out.RawHTML, out.RawBase64, out.Links, out.Images = t.Markdown, t.HTML, t.RawHTML, t.RawBase64, t.Links, t.Images
	m.Output, m.PageLinks = &out, t.PageLinks
	return &m, nil
}

// size is about what it takes in memory.
func (k kept) size() int64 { return int64(len(k.texts)) + k.rest.size() }
