package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/flight"
	"github.com/winnow-go/winnow/engine/internal/lru"
	"github.com/winnow-go/winnow/formats"
)

// renderedBytes bounds the outputs that are kept in memory.
const renderedBytes = 64 << 20

// rendered keeps outputs in memory, by what they were made from and how. They are
// shared: nobody may change them.
type rendered struct {
	kept    *lru.Cache[string, *formats.Output]
	flights flight.Group[*formats.Output]
}

func newRendered() *rendered {
	return &rendered{kept: lru.New[string, *formats.Output](renderedBytes)}
}

// key joins what rendering sees. Code doesn't change while a process runs.
func (r *rendered) key(src *source, p *plan) string { return src.digest() + p.fingerprint() }

// fingerprint tells apart the ways of rendering.
func (p *plan) fingerprint() string {
	if p.print == "" {
		text, err := json.Marshal(p.rendering)
		if err != nil { // strings and flags only
			panic(err)
		}
		p.print = string(text)
	}
	return p.print
}

func (r *rendered) get(src *source, p *plan) (*formats.Output, bool) {
	return r.kept.Get(r.key(src, p))
}

// make renders once for all that ask for the same at the same time.
func (r *rendered) make(ctx context.Context, src *source, p *plan) (*formats.Output, error) {
	if p.private() || p.once {
		return renderSource(ctx, src, p.rendering)
	}
	key := r.key(src, p)
	out, _, err := r.flights.Do(ctx, key, func(ctx context.Context) (*formats.Output, error) {
		if out, ok := r.kept.Get(key); ok {
			return out, nil
		}
		out, err := renderSource(ctx, src, p.rendering)
		if err == nil {
			r.kept.Put(key, out, outputSize(out))
		}
		return out, err
	})
	return out, err
}

func renderSource(ctx context.Context, src *source, o formats.Options) (*formats.Output, error) {
	dom, err := src.parse(ctx)
	if err != nil {
		return nil, err
	}
	return dom.Render(ctx, o)
}

// outputSize is about what an output takes in memory.
func outputSize(out *formats.Output) int64 {
	n := 1024 + len(out.Markdown) + len(out.HTML) + len(out.RawHTML) + len(out.RawBase64)
	for _, list := range [][]string{out.Links, out.Images} {
		for _, s := range list {
			n += len(s) + 16
		}
	}
	for _, a := range out.Attributes {
		for _, v := range a.Values {
			n += len(v) + 16
		}
	}
	for name, values := range out.Metadata.Extra {
		n += len(name) + 64
		for _, v := range values {
			n += len(v) + 16
		}
	}
	return int64(n)
}

// documentOf makes a document of its own from an output that others share.
func documentOf(out *formats.Output) *Document {
	doc := &Document{
		Markdown:  out.Markdown,
		HTML:      out.HTML,
		RawHTML:   out.RawHTML,
		RawBase64: out.RawBase64,
		Links:     slices.Clone(out.Links),
		Images:    slices.Clone(out.Images),
	}
	for _, a := range out.Attributes {
		a.Values = slices.Clone(a.Values)
		doc.Attributes = append(doc.Attributes, a)
	}
	meta := out.Metadata
	meta.OGLocaleAlternate = slices.Clone(meta.OGLocaleAlternate)
	meta.Extra = maps.Clone(meta.Extra)
	for name, values := range meta.Extra {
		meta.Extra[name] = slices.Clone(values)
	}
	doc.Metadata.Metadata = meta
	return doc
}
