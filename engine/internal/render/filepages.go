package render

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// addPages makes what was asked for page by page.
func (m *Output) addPages(ctx context.Context, src *page.Page, o formats.Options) error {
	f := src.Files
	if m.FileKind != document.PDF || !f.Pages && !f.Blocks && !f.PageMarkers {
		return nil
	}
	w := pageWriter{ctx: ctx, src: src, options: o}
	w.options.Formats = []formats.Type{formats.Markdown}
	var pages []PageMarkdown
	for _, p := range src.Result.Pages {
		text, err := w.markdown(p.HTML)
		if err != nil {
			return err
		}
		pages = append(pages, PageMarkdown{PageNumber: p.Number, Markdown: text})
		if f.Blocks {
			blocks, err := w.blocks(p, text)
			if err != nil {
				return err
			}
			m.Blocks = append(m.Blocks, blocks)
		}
	}
	if f.Pages {
		m.Pages = pages
	}
	if f.PageMarkers && m.Markdown != "" {
		m.Markdown = withMarkers(pages)
	}
	return nil
}

// withMarkers joins pages with a rule and the number of the page that follows.
func withMarkers(pages []PageMarkdown) string {
	var b strings.Builder
	for i, p := range pages {
		if i > 0 {
			fmt.Fprintf(&b, "\n\n---\n\n<!-- page %d -->\n\n", p.PageNumber)
		}
		b.WriteString(p.Markdown)
	}
	return b.String()
}

// pageWriter writes parts of a file as markdown.
type pageWriter struct {
	ctx     context.Context
	src     *page.Page
	options formats.Options
}

func (w pageWriter) markdown(html []byte) (string, error) {
	if len(html) == 0 {
		return "", nil
	}
	dom, err := formats.Parse(w.ctx, w.src.Source(html))
	if err != nil {
		return "", err
	}
	out, err := dom.Render(w.ctx, w.options)
	if err != nil {
		return "", err
	}
	return out.Markdown, nil
}

// blocks of a page whose markdown is text.
func (w pageWriter) blocks(p document.Page, text string) (PageBlocks, error) {
	list := PageBlocks{PageNumber: p.Number, Width: p.Width, Height: p.Height, Status: p.Status, Items: []pageBlock{}}
	from := 0
	for _, b := range p.Blocks {
		item := pageBlock{
			ID: b.ID, Type: b.Type, Label: b.Label, BBox: b.BBox, Content: b.Text, ReadingOrder: b.ReadingOrder,
			Source: b.Source, Confidence: blockConfidence(b.Confidence),
		}
		written, err := w.markdown(b.HTML)
		if err != nil {
			return list, err
		}
		if written != "" {
			item.Content = written
			if at := strings.Index(text[from:], written); at >= 0 {
				item.MarkdownSpan = &[2]int{from + at, from + at + len(written)}
				from += at + len(written)
			}
		}
		list.Items = append(list.Items, item)
	}
	return list, nil
}

// renderFile makes the asked formats of a file. All of it is content: there is no boilerplate
// for onlyMainContent to leave out.
func renderFile(ctx context.Context, src *page.Page, o formats.Options) (*Output, error) {
	res, err := src.Read(ctx)
	if err != nil {
		return nil, err
	}
	o.OnlyMainContent = false
	out, err := renderRead(ctx, src, res, o)
	if err != nil {
		return nil, err
	}
	out.Warnings = append(out.Warnings, res.Warnings...)
	m := &Output{Output: out, FileKind: res.Kind, NumPages: res.NumPages, TotalPages: res.TotalPages}
	m.Incomplete, m.Pictured = res.Incomplete, src.Pictured
	return m, m.addPages(ctx, src, o)
}

// renderRead renders what a file was turned into: by a tree, or in pieces where it is long.
func renderRead(ctx context.Context, src *page.Page, res *document.Result, o formats.Options) (*formats.Output, error) {
	out, ok, err := formats.RenderLong(ctx, src.Source(res.HTML), o)
	if ok || err != nil {
		return out, err
	}
	if limit := cmp.Or(src.Files.Memory, document.DefaultMemory); treeSize(res.HTML) > limit {
		return nil, &document.TooLargeError{What: "memory", Limit: limit}
	}
	dom, err := src.Parse(ctx)
	if err != nil {
		return nil, err
	}
	return dom.Render(ctx, o)
}

// treeSize is about what the tree of a document and its formats take in memory, in bytes.
func treeSize(html []byte) int64 {
	const perTag = 400
	return int64(bytes.Count(html, []byte("<")))*perTag + 2*int64(len(html))
}
