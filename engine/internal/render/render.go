// Package render makes the asked formats of a page or a file.
//
//	render.go    Request, and Render
//	cache.go     Cache: outputs that are kept
//	kept.go      an output, packed
//	plain.go     data as bytes
//	ring.go      a file of packed outputs
//	output.go    Output and its size
//	crawled.go   what a crawl looks at: links, and what pages are compared by
//	filepages.go what is given of a PDF page by page
//	types.go     the form of that
package render

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// Request says what is rendered, and how.
type Request struct {
	Options formats.Options
	Files   page.FileOptions
	Raw     bool // the body is wanted as it was received
	AsIs    bool // nothing is rendered: the request stands for the body, and never for an output
	Once    bool // the outputs are not worth keeping, or may not be kept
	OfJob   bool // they are some of many
	// PageLinks asks for the links of the whole page, which a crawl follows, and for a sketch of its text.
	PageLinks bool

	print string // see Fingerprint
}

// Fingerprint distinguishes the ways of rendering.
func (r *Request) Fingerprint() string {
	if r.print == "" {
		text, err := json.Marshal(struct {
			Rendering formats.Options
			Files     page.FileOptions
			AsIs      bool `json:",omitempty"`
			PageLinks bool `json:",omitempty"`
		}{r.Options, r.Files, r.AsIs, r.PageLinks})
		if err != nil { // strings and flags only
			panic(err)
		}
		r.print = string(text)
	}
	return r.print
}

// Render makes the asked formats, with the warnings that the page's bytes give rise to.
func Render(ctx context.Context, src *page.Page, r *Request) (*Output, error) {
	src.Files = r.Files
	m, err := renderKind(ctx, src, r)
	if err == nil && r.Options.LeftOut && m.LeftOut == nil {
		m.LeftOut = []formats.LeftOut{} // of a file that isn't read
	}
	if err != nil || r.Raw {
		return m, err
	}
	if r.PageLinks && m.PageSum == "" && len(src.Body) > 0 {
		m.PageSum = sumOfFile(src.Body)
	}
	notices, err := src.Notices(ctx, src.DOM)
	m.Warnings = append(m.Warnings, notices...)
	return m, err
}

// renderKind renders a page, a text, or a file as what it is.
func renderKind(ctx context.Context, src *page.Page, r *Request) (*Output, error) {
	switch {
	case !r.Raw && src.IsFile():
		return renderFile(ctx, src, r.Options)
	case !r.Raw && src.FileKind() != document.Unknown:
		return asBase64(src, r.Options), nil
	case !r.Raw && formats.IsMedia(src.MediaType):
		return &Output{Output: &formats.Output{}}, nil
	}
	dom, err := src.Parse(ctx)
	if err != nil {
		return nil, err
	}
	m := &Output{}
	if m.Output, err = dom.Render(ctx, r.Options); err != nil || !r.PageLinks {
		return m, err
	}
	return m, m.addPageLinks(ctx, src, dom)
}
