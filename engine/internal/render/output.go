package render

import (
	"encoding/base64"
	"slices"

	"github.com/winnow-go/winnow/crawl/traps"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
)

// Output is what rendering gives: the formats of a page and, of a file, what is said beside them. It is shared and must not
// be changed.
type Output struct {
	*formats.Output
	FileKind             document.Kind // Unknown for a page
	NumPages, TotalPages int
	Incomplete           bool          // for want of time
	Pictured             bool          // with pictures of the file, which are large, or in files that are the caller's to delete
	PageLinks            *[]string     // of the whole page; nil: not asked for, or not known
	Sketch               *traps.Sketch // of its text, beside them; nil: not known
	PageSum              string        // beside them, a digest of what the page shows; "": not known
	Pages                []PageMarkdown
	Blocks               []PageBlocks
}

// asBase64 is a PDF that isn't to be read: its bytes, in the text formats.
func asBase64(src *page.Page, o formats.Options) *Output {
	text := base64.StdEncoding.EncodeToString(src.Body)
	m := &Output{Output: &formats.Output{}, FileKind: src.FileKind()}
	if slices.Contains(o.Formats, formats.Markdown) {
		m.Markdown = text
	}
	if slices.Contains(o.Formats, formats.HTML) {
		m.HTML = text
	}
	return m
}

// size is about what it takes in memory.
func (m *Output) size() int64 {
	n := outputSize(m.Output)
	if m.PageLinks != nil {
		n += listSize(*m.PageLinks)
	}
	if m.Sketch != nil {
		n += 4*int64(len(m.Sketch.Blocks)) + 32
	}
	for _, p := range m.Pages {
		n += int64(len(p.Markdown)) + 32
	}
	for _, p := range m.Blocks {
		for _, b := range p.Items {
			n += int64(len(b.Content)) + 200
		}
	}
	return n
}

// outputSize is about what an output takes in memory.
func outputSize(out *formats.Output) int64 {
	n := 1024 + len(out.Markdown) + len(out.HTML) + len(out.RawHTML) + len(out.RawBase64)
	lists := listSize(out.Links) + listSize(out.Images)
	for _, a := range out.Attributes {
		lists += listSize(a.Values)
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
		lists += listSize(values)
	}
	return int64(n) + lists
}

func listSize(list []string) (n int64) {
	for _, s := range list {
		n += int64(len(s)) + 16
	}
	return n
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
