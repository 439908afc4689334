package render

import (
	"github.com/winnow-go/winnow/engine/internal/packed"
)

// kept is an output whose texts are packed, which makes it about a fifth as large: a crawl has thousands of them.
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
	k.texts, err = packed.Encode(texts{m.Markdown, m.HTML, m.RawHTML, m.RawBase64, m.Links, m.Images, m.PageLinks})
	rest := *m.Output
	rest.Markdown, rest.HTML, rest.RawHTML, rest.RawBase64, rest.Links, rest.Images = "", "", "", "", nil, nil
	k.rest = *m
	k.rest.Output, k.rest.PageLinks = &rest, nil
	return k, err
}

// unpack returns an output that is the caller's own but for what it shares with others of the same.
func (k kept) unpack() (*Output, error) {
	var t texts
	if err := packed.Into(k.texts, &t); err != nil {
		return nil, err
	}
	m, out := k.rest, *k.rest.Output
	out.Markdown, out.HTML, out.RawHTML, out.RawBase64, out.Links, out.Images = t.Markdown, t.HTML, t.RawHTML, t.RawBase64, t.Links, t.Images
	m.Output, m.PageLinks = &out, t.PageLinks
	return &m, nil
}

// size is about what it takes in memory.
func (k kept) size() int64 { return int64(len(k.texts)) + k.rest.size() }
