package pdf

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// finish settles headings and writes the HTML.
func (r *reading) finish() (*Document, error) {
	if r.letters == 0 && r.images > 0 {
		if r.ocrErr != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoText, r.ocrErr)
		}
		return nil, ErrNoText
	}
	if r.images > 0 {
		r.warn("%d pages show only images; their text needs OCR", r.images)
	}
	r.nameUnread()
	r.nameShapes()
	r.outline = r.file.OutlineLevels()
	r.headings()
	besideOthers(r.found)
	r.write()
	if r.doc.Info.Title == "" {
		r.doc.Info.Title = r.firstTitle()
	}
	return r.doc, nil
}

// firstTitle is the first page's largest heading.
func (r *reading) firstTitle() string {
	for _, p := range r.found[:min(1, len(r.found))] {
		for _, b := range p.blocks {
			if b.level == 1 {
				return reader.Tidy(b.text)
			}
		}
	}
	return ""
}

// write makes the HTML of the document, of its pages and blocks.
func (r *reading) write() {
	var all bytes.Buffer
	var open []block // what is written when the next page's first block is known
	for i := range r.found {
		p := &r.found[i]
		if int64(all.Len()) > r.options.Text {
			r.warn("the text is cut off at page %d: it is longer than %d bytes", p.page.Number, r.options.Text)
			break
		}
		p.page.Blocks = r.pageBlocks(p)
		var buf bytes.Buffer
		writeBlocks(&buf, p.blocks)
		p.page.HTML = buf.Bytes()
		if r.options.Markers {
			if i > 0 {
				fmt.Fprintf(&all, "<hr>\n<!-- page %d -->\n", p.page.Number)
			}
			all.Write(p.page.HTML)
		} else {
			open = r.flow(&all, open, p.blocks)
		}
		r.doc.Pages = append(r.doc.Pages, p.page)
	}
	writeBlocks(&all, open)
	r.doc.HTML = all.Bytes()
}

// flow writes the blocks of the pages before, but for the last: a paragraph, list or table may go on.
func (r *reading) flow(all *bytes.Buffer, before, next []block) []block {
	content := r.words.inReading(next)
	if len(content) == 0 {
		return before
	}
	if n := len(before); n > 0 {
		if r.words.goesOn(&before[n-1], &content[0]) {
			content = content[1:]
		}
	}
	both := append(before, content...)
	// A list is written when it has ended, so that it stays one over pages.
	keep := len(both) - 1
	for keep > 0 && both[keep].kind == "list" && both[keep-1].kind == "list" && len(both)-keep < 200 {
		keep--
	}
	if keep < 0 {
		return both
	}
	writeBlocks(all, both[:keep])
	return slices.Clone(both[keep:])
}

func continuesText(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r) || isWide(r) || unicode.IsDigit(r)
}

func isFurniture(kind string) bool { return kind == "header" || kind == "footer" || kind == "number" }

// writeBlocks writes blocks; neighboring items become lists.
func writeBlocks(b *bytes.Buffer, blocks []block) {
	for i := 0; i < len(blocks); {
		if blocks[i].kind == "list" && blocks[i].level == 0 {
			j := i
			for j < len(blocks) && blocks[j].kind == "list" && blocks[j].level == 0 {
				j++
			}
			writeList(b, blocks[i:j])
			i = j
			continue
		}
		if s := blocks[i].markup(); s != "" {
			b.WriteString(s + "\n")
		}
		i++
	}
}

// markup is a block's own HTML.
func (b *block) markup() string {
	switch {
	case isFurniture(b.kind):
		return ""
	case b.level > 0:
		tag := "h" + strconv.Itoa(b.level)
		text := b.html
		if b.marker != "" {
			text = escape(b.marker) + " " + text
		}
		return "<" + tag + ">" + text + "</" + tag + ">"
	case b.kind == "table":
		return b.html
	case b.kind == "code":
		return "<pre><code>" + b.html + "</code></pre>"
	case b.src != "":
		return `<figure><img src="` + escape(b.src) + `" alt="` + b.html + `"></figure>`
	case b.kind == "figure":
		return "<figure><figcaption>" + b.html + "</figcaption></figure>"
	case b.kind == "list":
		return "<ul>\n" + b.item() + "</li>\n</ul>"
	}
	return "<p>" + b.html + "</p>"
}

// item is the start of a list item. Marks that HTML can't say stay in the text.
func (b *block) item() string {
	if b.marker == "" || bullet.MatchString(b.marker) || private.MatchString(b.marker) || b.ordered() {
		return "<li>" + b.html
	}
	return "<li>" + escape(b.marker) + " " + b.html
}

// ordered reports whether an item has a number that <ol> can give.
func (b *block) ordered() bool { return b.number() >= 0 }

func (b *block) number() int {
	m := strings.TrimRight(b.marker, ".)")
	if n, err := strconv.Atoi(m); err == nil && len(m) < len(b.marker) && !strings.HasPrefix(b.marker, "(") {
		return n
	}
	return -1
}

// level of an open list.
type listLevel struct {
	indent float64
	tag    string
	last   int
}

// writeList nests items by their indentation.
func writeList(b *bytes.Buffer, items []block) {
	var stack []listLevel
	closeTo := func(n int) {
		for len(stack) > n {
			b.WriteString("</li>\n</" + stack[len(stack)-1].tag + ">\n")
			stack = stack[:len(stack)-1]
		}
	}
	for i := range items {
		it := &items[i]
		tolerance := max(it.size*0.7, 4)
		for len(stack) > 1 && it.indent < stack[len(stack)-1].indent-tolerance {
			closeTo(len(stack) - 1)
		}
		tag, n := "ul", it.number()
		if n >= 0 {
			tag = "ol"
		}
		top := len(stack) - 1
		deeper := top >= 0 && top < 5 && it.indent > stack[top].indent+tolerance && (i == 0 || it.indent-items[i-1].indent < 15*it.size)
		switch {
		case top < 0 || deeper:
		case stack[top].tag != tag || n >= 0 && n != stack[top].last+1:
			closeTo(top)
		default:
			stack[top].last = n
			b.WriteString("</li>\n" + it.item())
			continue
		}
		b.WriteString("<" + tag)
		if n >= 0 && n != 1 {
			b.WriteString(` start="` + strconv.Itoa(n) + `"`)
		}
		b.WriteString(">\n" + it.item())
		stack = append(stack, listLevel{it.indent, tag, n})
	}
	closeTo(0)
}

// pageBlocks are the blocks of a page for the caller.
func (r *reading) pageBlocks(p *found) []Block {
	out := make([]Block, 0, len(p.blocks))
	titled := p.page.Number > 1
	for i := range p.blocks {
		b := &p.blocks[i]
		kind, label := b.types()
		if b.level == 1 && !titled {
			kind, titled = "title", true
		}
		text := b.text
		if b.marker != "" {
			text = b.marker + " " + text
		}
		out = append(out, Block{
			Type: kind, Label: label, Text: text, HTML: []byte(b.markup()), OCR: b.ocr,
			Box: [4]float64{part(b.box.X0, p.page.Width), part(b.box.Y0, p.page.Height), part(b.box.X1, p.page.Width),
				part(b.box.Y1, p.page.Height)},
		})
	}
	return out
}

func part(v, of float64) float64 { return math.Round(min(1, max(0, v/of))*1e4) / 1e4 }

func (b *block) types() (kind, label string) {
	switch {
	case b.kind == "header":
		return "page_header", "page_header"
	case b.kind == "footer":
		return "page_footer", "page_footer"
	case b.kind == "number":
		return "page_number", "page_number"
	case b.level > 0:
		return "section_header", "heading " + strconv.Itoa(b.level)
	case b.kind == "list":
		return "text", "list_item"
	case b.kind == "code":
		return "text", "code"
	case b.kind == "text" && captionPattern.MatchString(b.text):
		return "caption", "caption"
	case b.kind == "text":
		return "text", "paragraph"
	}
	return b.kind, b.kind
}
