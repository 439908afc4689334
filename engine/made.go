package engine

import (
	"encoding/base64"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
)

// made is what rendering gives: the formats of a page, and what is told beside them
// of a file. It is shared: nobody may change it.
type made struct {
	*formats.Output
	kind                 document.Kind // Unknown for a page
	numPages, totalPages int
	pages                []PageMarkdown
	blocks               []PageBlocks
}

// asBase64 is a PDF that isn't to be read: its bytes, in the text formats.
func asBase64(src *source, o formats.Options) *made {
	text := base64.StdEncoding.EncodeToString(src.body)
	m := &made{Output: &formats.Output{}, kind: src.fileKind()}
	if slices.Contains(o.Formats, formats.Markdown) {
		m.Markdown = text
	}
	if slices.Contains(o.Formats, formats.HTML) {
		m.HTML = text
	}
	return m
}

// size is about what it takes in memory.
func (m *made) size() int64 {
	n := outputSize(m.Output)
	for _, p := range m.pages {
		n += int64(len(p.Markdown)) + 32
	}
	for _, p := range m.blocks {
		for _, b := range p.Items {
			n += int64(len(b.Content)) + 200
		}
	}
	return n
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
	for _, m := range slices.Concat(out.Audio, out.Video) {
		n += 200 + len(m.URL) + len(m.Title) + len(m.Description) + len(m.Thumbnail)
	}
	for _, l := range out.LeftOut {
		n += 64 + len(l.FirstLine)
	}
	n += productSize(out.Product) + menuSize(out.Menu)
	for name, values := range out.Metadata.Extra {
		n += len(name) + 64
		for _, v := range values {
			n += len(v) + 16
		}
	}
	return int64(n)
}

func productSize(p *product.Product) (n int) {
	if p == nil {
		return 0
	}
	n = 500 + len(p.Title) + len(p.Description)
	for _, v := range p.Variants {
		n += 500 + len(v.Title) + 100*len(v.Values)
		for _, img := range v.Images {
			n += 32 + len(img.URL) + len(img.Alt)
		}
	}
	return n
}

func menuSize(m *menu.Menu) (n int) {
	if m == nil {
		return 0
	}
	for _, s := range m.Sections {
		n += 200 + len(s.Name) + len(s.Description)
		for _, it := range s.Items {
			n += 500 + len(it.Name) + len(it.Description) + 100*(len(it.Images)+len(it.Dietary)) + 1000*len(it.OptionGroups)
		}
	}
	return n + 500
}

// documentOf makes a document of its own from what others share.
func documentOf(m *made) *Document {
	out := m.Output
	doc := &Document{
		Markdown:  out.Markdown,
		HTML:      out.HTML,
		RawHTML:   out.RawHTML,
		RawBase64: out.RawBase64,
		Links:     slices.Clone(out.Links),
		Images:    slices.Clone(out.Images),
		Videos:    slices.Clone(out.Video),
		LeftOut:   slices.Clone(out.LeftOut),
		Product:   out.Product.Clone(),
		Menu:      out.Menu.Clone(),
		Pages:     slices.Clone(m.pages),
		Blocks:    slices.Clone(m.blocks),
	}
	for i := range doc.Blocks {
		doc.Blocks[i].Items = slices.Clone(doc.Blocks[i].Items)
		for k := range doc.Blocks[i].Items {
			if span := &doc.Blocks[i].Items[k].MarkdownSpan; *span != nil {
				*span = new(**span)
			}
		}
	}
	for _, a := range out.Attributes {
		a.Values = slices.Clone(a.Values)
		doc.Attributes = append(doc.Attributes, a)
	}
	meta := out.Metadata
	meta.OGLocaleAlternate, meta.Author, meta.Feeds = slices.Clone(meta.OGLocaleAlternate), slices.Clone(meta.Author), slices.Clone(meta.Feeds)
	meta.Extra = maps.Clone(meta.Extra)
	for name, values := range meta.Extra {
		meta.Extra[name] = slices.Clone(values)
	}
	if meta.ContentConfidence != nil {
		meta.ContentConfidence = new(*meta.ContentConfidence)
	}
	doc.Metadata.Metadata = meta
	return doc
}
