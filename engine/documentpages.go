package engine

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
