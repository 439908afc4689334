package engine

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/flight"
	"github.com/winnow-go/winnow/engine/internal/lru"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// renderedBytes bounds the outputs that are kept in memory.
const renderedBytes = 64 << 20

// rendered keeps outputs in memory, by what they were made from and how. They are
// shared: nobody may change them.
type rendered struct {
	kept    *lru.Cache[string, *made]
	flights flight.Group[*made]
}

func newRendered() *rendered {
	return &rendered{kept: lru.New[string, *made](renderedBytes)}
}

// key joins what rendering sees. Code doesn't change while a process runs.
func (r *rendered) key(src *source, p *plan) string { return src.digest() + p.fingerprint() }

// fingerprint tells apart the ways of rendering.
func (p *plan) fingerprint() string {
	if p.print == "" {
		text, err := json.Marshal(struct {
			Rendering formats.Options
			Files     fileOptions
		}{p.rendering, p.files})
		if err != nil { // strings and flags only
			panic(err)
		}
		p.print = string(text)
	}
	return p.print
}

func (r *rendered) get(src *source, p *plan) (*made, bool) {
	return r.kept.Get(r.key(src, p))
}

// make renders once for all that ask for the same at the same time.
func (r *rendered) make(ctx context.Context, src *source, p *plan) (*made, error) {
	if p.private() || p.once {
		return renderSource(ctx, src, p)
	}
	key := r.key(src, p)
	out, _, err := r.flights.Do(ctx, key, func(ctx context.Context) (*made, error) {
		if out, ok := r.kept.Get(key); ok {
			return out, nil
		}
		out, err := renderSource(ctx, src, p)
		if err == nil {
			r.kept.Put(key, out, out.size())
		}
		return out, err
	})
	return out, err
}

// renderSource makes the asked formats, with the warnings that the page's bytes give rise to.
func renderSource(ctx context.Context, src *source, p *plan) (*made, error) {
	src.files = p.files
	m, err := renderKind(ctx, src, p)
	if err == nil && p.rendering.LeftOut && m.LeftOut == nil {
		m.LeftOut = []formats.LeftOut{} // of a file that isn't read
	}
	if err != nil || p.wants(formats.RawBase64) {
		return m, err
	}
	notices, err := src.notices(ctx, src.dom)
	m.Warnings = append(m.Warnings, notices...)
	return m, err
}

// renderKind renders a page, a text, or a file by what it is.
func renderKind(ctx context.Context, src *source, p *plan) (*made, error) {
	switch raw := p.wants(formats.RawBase64); {
	case !raw && src.isFile():
		return renderFile(ctx, src, p.rendering)
	case !raw && src.fileKind() != document.Unknown:
		return asBase64(src, p.rendering), nil
	case !raw && formats.IsMedia(src.mediaType):
		return &made{Output: &formats.Output{}}, nil
	}
	dom, err := src.parse(ctx)
	if err != nil {
		return nil, err
	}
	out, err := dom.Render(ctx, p.rendering)
	if err != nil {
		return nil, err
	}
	return &made{Output: out}, nil
}
