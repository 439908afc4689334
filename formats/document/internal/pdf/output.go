package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"regexp"
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

// headings gives levels to the blocks that are headings: larger than the text or bold by themselves, or listed in
// the outline.
func (r *reading) headings() {
	body := r.bodySize()
	var sizes []float64
	least := 1.12
	if len(r.tags.Levels) > 1 {
		least = 1.3 // tags decide; without one, only much larger text is a heading
	}
	r.each(func(b *block) {
		if b.level == 0 && headingLike(b, body, r.outline) && b.size >= least*body {
			sizes = append(sizes, b.size)
		}
	})
	steps := clusters(sizes)
	step := func(b *block) int {
		return slices.IndexFunc(steps, func(s float64) bool { return math.Abs(s-b.size) <= 0.05*s })
	}
	whole := map[int]bool{} // steps with headings whose number has one part
	var found []*block
	r.each(func(b *block) {
		if b.level > 0 || !headingLike(b, body, r.outline) || least > 1.12 && b.size < least*body {
			return
		}
		found = append(found, b)
		whole[step(b)] = whole[step(b)] || wholeNumber.MatchString(b.marker+" "+b.text)
	})
	for _, b := range found {
		at := step(b)
		switch {
		case at < 0:
			at = len(steps) + max(0, numberDepth(b.text)-1)
		case whole[at]:
			at += numberDepth(b.text) // "2.1" is below "2", also in the same size
		}
		b.level = min(at+1, 6)
	}
	r.dropLoneBold()
}

func (r *reading) each(f func(*block)) {
	for i := range r.found {
		for j := range r.found[i].blocks {
			if b := &r.found[i].blocks[j]; b.kind == "text" || b.kind == "list" {
				f(b)
			}
		}
	}
}

// dropLoneBold takes headings back that aren't larger than the text and that nothing follows, and those of pages
// where most is bold.
func (r *reading) dropLoneBold() {
	body := r.bodySize()
	for i := range r.found {
		blocks := r.found[i].blocks
		for j := range blocks {
			b := &blocks[j]
			if contentsEntry(blocks, j, body) {
				b.kind, b.level, b.marker, b.indent = "list", 0, "", b.box.X0
			}
			if b.level == 0 || b.size >= 1.12*body || r.outline[reader.TitleKey(b.text)] > 0 {
				continue
			}
			next := j + 1
			for next < len(blocks) && blocks[next].level > 0 && blocks[next].size < 1.12*body && next-j < 3 {
				next++
			}
			if next-j >= 3 {
				for k := j; k < len(blocks) && blocks[k].level > 0 && blocks[k].size < 1.12*body; k++ {
					blocks[k].level = 0
				}
			}
		}
	}
}

// contentsEntry reports whether a heading is an entry of a table of contents that has no dots: entries stand beside it.
func contentsEntry(blocks []block, j int, body float64) bool {
	entry := func(k int) bool {
		return k >= 0 && k < len(blocks) && blocks[k].kind == "list" && blocks[k].marker == "" && blocks[k].level == 0
	}
	b := &blocks[j]
	return b.level > 0 && b.size < 1.3*body && b.lines == 1 && endNumber.MatchString(b.text) && (entry(j-1) || entry(j+1))
}

// headingLike reports whether a block looks like a heading.
func headingLike(b *block, body float64, outline map[string]int) bool {
	n := utf8.RuneCountInString(b.text)
	if b.lines > 4 || n > 240 || n < 2 || !strings.ContainsFunc(b.text, unicode.IsLetter) || b.kind == "list" && !numbered(b) || captionPattern.MatchString(b.text) {
		return false
	}
	if outline[reader.TitleKey(b.text)] > 0 && b.lines <= 3 && (b.bold || b.size > 1.02*body) {
		return true
	}
	if b.kind == "list" && b.size < 1.12*body && (!b.bold || b.lines > 1) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(b.text)
	if b.size >= 1.12*body {
		return !(last == '.' && n > 100) && last != ',' && (b.size >= 1.25*body || b.lines <= 2)
	}
	return b.bold && b.lines <= 2 && n <= 130 && b.size > 0.93*body && !strings.ContainsRune(".,;:", last)
}

func numbered(b *block) bool { return sectionNumber.MatchString(b.marker) }

var (
	sectionNumber  = regexp.MustCompile(`^(?:[0-9]{1,2}\.?|[IVX]{1,5}\.|[A-Z]\.)$`)
	captionPattern = regexp.MustCompile(`(?i)^(?:figure|fig\.|table|tab\.|abbildung|abb\.|tabelle|figura|tabla|tableau|listing|chart)\s*[0-9]+`)
	endNumber      = regexp.MustCompile(`\s[0-9]{1,4}$`)
	wholeNumber    = regexp.MustCompile(`^ ?[0-9]{1,2}\.? `)
	leadingNumber  = regexp.MustCompile(`^[0-9]{1,2}((?:\.[0-9]{1,2})*)`)
)

// numberDepth is how deep a section's number goes: 0 for "2 Methods", 1 for "2.1 Data".
func numberDepth(s string) int {
	m := leadingNumber.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	return strings.Count(m[1], ".")
}

// clusters are the sizes of headings from the largest down; those within 5 % are one.
func clusters(sizes []float64) []float64 {
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	var out []float64
	for _, s := range sizes {
		if n := len(out); n == 0 || out[n-1]-s > 0.05*out[n-1] {
			out = append(out, s)
		}
	}
	return out[:min(len(out), 5)]
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
	content := slices.DeleteFunc(slices.Clone(next), func(b block) bool { return isFurniture(b.kind) })
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
