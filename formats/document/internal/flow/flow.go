package flow

import (
	"bytes"
	"html"
	"strconv"
	"strings"
)

// Budget bounds what all Flows of a document write together.
type Budget struct {
	left int64
	full bool
}

// NewBudget allows n bytes.
func NewBudget(n int64) *Budget { return &Budget{left: n} }

// Full reports that something was left out.
func (b *Budget) Full() bool { return b.full }

// take reports whether n bytes may be written.
func (b *Budget) take(n int) bool {
	b.left -= int64(n)
	b.full = b.full || b.left < 0
	return b.left >= 0
}

// Flow writes blocks. It is for one goroutine.
type Flow struct {
	buf    []byte
	budget *Budget
	lists  []openList
	quote  bool
	pre    bool
	blocks int
	single bool // the only block is a paragraph
}

// New makes a Flow that draws on a budget.
func New(b *Budget) *Flow { return &Flow{budget: b} }

// Sub makes a Flow for a part, such as a cell, on the same budget.
func (f *Flow) Sub() *Flow { return New(f.budget) }

// Full reports that the budget is used up: the reader may stop.
func (f *Flow) Full() bool { return f.budget.full }

// Empty reports that nothing was written.
func (f *Flow) Empty() bool { return f.blocks == 0 }

// Heading writes a heading; levels beyond 6 are 6.
func (f *Flow) Heading(level int, p *Inline) {
	f.close()
	if p.Empty() || f.Full() {
		return
	}
	p.Restyle(func(s *Style) { s.Bold = false })
	f.block()
	f.wrap("h"+strconv.Itoa(min(max(level, 1), 6)), p)
}

// Title writes a heading of plain text.
func (f *Flow) Title(level int, text string) {
	p := &Inline{}
	p.Text(strings.Join(strings.Fields(text), " "), Style{})
	f.Heading(level, p)
}

// Para writes a paragraph.
func (f *Flow) Para(p *Inline) {
	f.close()
	if p.Empty() || f.Full() {
		return
	}
	f.block()
	f.single = f.blocks == 1
	f.wrap("p", p)
}

// Text writes a paragraph of plain text.
func (f *Flow) Text(s string) {
	p := &Inline{}
	p.Text(s, Style{})
	f.Para(p)
}

// Quote writes a paragraph of a quotation; consecutive ones make one quotation.
func (f *Flow) Quote(p *Inline) {
	if p.Empty() || f.Full() {
		return
	}
	if !f.quote {
		f.close()
		f.block()
		f.raw("<blockquote>\n")
		f.quote = true
	}
	f.wrap("p", p)
}

// Pre writes a line of preformatted text; consecutive ones make one block.
func (f *Flow) Pre(line string) {
	if f.Full() {
		return
	}
	if f.pre {
		f.raw("\n")
	} else {
		if strings.TrimSpace(line) == "" {
			return
		}
		f.close()
		f.block()
		f.raw("<pre><code>")
		f.pre = true
	}
	f.text(html.EscapeString(line))
}

// Rule writes a rule between parts.
func (f *Flow) Rule() {
	f.close()
	f.block()
	f.raw("<hr>\n")
}

// Markup writes HTML that is harmless and balanced already.
func (f *Flow) Markup(b []byte) {
	f.close()
	if len(bytes.TrimSpace(b)) == 0 || f.Full() {
		return
	}
	f.block()
	f.text(string(b))
	f.raw("\n")
}

// Foreign writes HTML that came inside a file, see Fragment; when the budget is too small for all of it, its beginning.
func (f *Flow) Foreign(src []byte, links Links) {
	out := Fragment(src, links)
	if left := int(max(f.budget.left-1, 0)); len(out) > left {
		f.budget.full = true
		part := float64(left) / float64(len(out)) * 0.9
		out = Fragment(src[:int(float64(len(src))*part)], links)
	}
	if f.close(); len(bytes.TrimSpace(out)) > 0 {
		f.block()
		f.raw(string(out) + "\n")
	}
}

// Add writes the blocks of another Flow.
func (f *Flow) Add(g *Flow) {
	if g.Empty() {
		return
	}
	f.close()
	f.block()
	f.buf = append(f.buf, g.HTML()...) // g has paid for it
}

// HTML is all that was written, with everything closed.
func (f *Flow) HTML() []byte {
	f.close()
	return f.buf
}

// cell is HTML for the inside of a cell or item: a single paragraph goes without its element.
func (f *Flow) cell() []byte {
	b := bytes.TrimSpace(f.HTML())
	if f.single && f.blocks == 1 && bytes.HasPrefix(b, []byte("<p>")) && bytes.HasSuffix(b, []byte("</p>")) {
		return b[len("<p>") : len(b)-len("</p>")]
	}
	return b
}

// block counts a block that begins.
func (f *Flow) block() { f.blocks++ }

// close ends the blocks that were kept open for more of their kind.
func (f *Flow) close() {
	f.closePre()
	f.closeQuote()
	for len(f.lists) > 0 {
		f.closeList()
	}
}

func (f *Flow) closePre() {
	if f.pre {
		f.raw("</code></pre>\n")
		f.pre = false
	}
}

func (f *Flow) closeQuote() {
	if f.quote {
		f.raw("</blockquote>\n")
		f.quote = false
	}
}

func (f *Flow) wrap(tag string, p *Inline) {
	f.raw("<" + tag + ">")
	f.inline(p)
	f.raw("</" + tag + ">\n")
}

func (f *Flow) inline(p *Inline) {
	if body := p.appendTo(nil); f.budget.take(len(body)) {
		f.buf = append(f.buf, body...)
	}
}

// text writes what may be left out when the budget is used up.
func (f *Flow) text(s string) {
	if f.budget.take(len(s)) {
		f.buf = append(f.buf, s...)
	}
}

// raw writes tags, which come in pairs whatever is left of the budget: blocks check it before they begin.
func (f *Flow) raw(s string) {
	f.budget.take(len(s))
	f.buf = append(f.buf, s...)
}
