package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// PageMarkdown is one page of a PDF by itself.
type PageMarkdown struct {
	// PageNumber counts from 1.
	PageNumber int `json:"pageNumber"`
	// Markdown is empty for a page without text.
	Markdown string `json:"markdown"`
}

// PageBlocks is the layout of one page of a PDF.
type PageBlocks struct {
	// PageNumber counts from 1.
	PageNumber int `json:"pageNumber"`
	// Width and Height of the page as shown, in points of 1/72 inch.
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Status is "ok", "partial" (something on the page couldn't be read) or "failed".
	Status string `json:"status"`
	// Items are in reading order.
	Items []PageBlock `json:"items"`
}

// PageBlock is one part of a page: a heading, a paragraph, a table.
type PageBlock struct {
	// ID is "p<page>.b<index>", both from 1.
	ID string `json:"id"`
	// Type is title, section_header, text, table, formula, figure, caption, page_number,
	// page_header or page_footer.
	Type string `json:"type"`
	// Label says it more precisely, such as "heading 2" or "list_item".
	Label string `json:"label"`
	// BBox is left, top, right and bottom, as parts of the page from its top left: 0 to 1.
	BBox [4]float64 `json:"bbox"`
	// Content is the block as markdown, or as text where it isn't part of the page's markdown.
	Content string `json:"content"`
	// MarkdownSpan is where Content stands in the page's markdown: from the first byte up to, not
	// including, the second. Nil where it doesn't stand there as it is.
	MarkdownSpan *[2]int `json:"markdownSpan,omitempty"`
	// ReadingOrder counts from 0 on each page.
	ReadingOrder int `json:"readingOrder"`
	// Source is "text" or "ocr".
	Source string `json:"source"`
	// Confidence is how sure layout and recognition are.
	Confidence BlockConfidence `json:"confidence"`
}

// BlockConfidence is how sure a block is, 0 to 1. Text that wasn't recognised has an OCR of 1.
type BlockConfidence struct {
	Layout float64 `json:"layout"`
	OCR    float64 `json:"ocr"`
}

// addPages makes what was asked for page by page.
func (m *made) addPages(ctx context.Context, src *source, o formats.Options) error {
	f := src.files
	if m.kind != document.PDF || !f.Pages && !f.Blocks && !f.PageMarkers {
		return nil
	}
	w := pageWriter{ctx: ctx, url: src.url, options: o}
	w.options.Formats = []formats.Type{formats.Markdown}
	var pages []PageMarkdown
	for _, p := range src.result.Pages {
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
			m.blocks = append(m.blocks, blocks)
		}
	}
	if f.Pages {
		m.pages = pages
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
	url     string
	options formats.Options
}

func (w pageWriter) markdown(html []byte) (string, error) {
	if len(html) == 0 {
		return "", nil
	}
	dom, err := formats.Parse(w.ctx, formats.Source{URL: w.url, MediaType: "text/html", Body: html})
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
	list := PageBlocks{PageNumber: p.Number, Width: p.Width, Height: p.Height, Status: p.Status, Items: []PageBlock{}}
	from := 0
	for _, b := range p.Blocks {
		item := PageBlock{
			ID: b.ID, Type: b.Type, Label: b.Label, BBox: b.BBox, Content: b.Text, ReadingOrder: b.ReadingOrder,
			Source: b.Source, Confidence: BlockConfidence(b.Confidence),
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
