package tracking

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"
)

// normal gives a text in the normalised form: each block one line, but code, which
// keeps its lines; a blank line between blocks, but not between list items or the rows
// of one table; a line break at the end of a text that isn't empty. The normalised form
// of a normalised text is itself.
func normal(text string) string {
	n := normaliser{out: make([]byte, 0, len(text)+1)}
	for line := range strings.SplitSeq(strings.ToValidUTF8(text, "\uFFFD"), "\n") {
		n.line(line)
	}
	n.flush()
	n.out = bytes.TrimRight(n.out, "\n") // also of blank lines in code that no fence closes
	if len(n.out) > 0 {
		n.out = append(n.out, '\n')
	}
	return string(n.out)
}

// normaliser reads a text line by line. It holds one block back, as the next line may
// belong to it.
type normaliser struct {
	out   []byte
	last  kind // of the block written last, and how deep in quotes it stands
	depth int

	block  block // held back; of kind none when there is none
	open   bool  // the next line may go on with it
	parted bool  // the line before was blank
	code   *codeBlock

	list      []level // of the list items that the next item may be below, outermost first
	listDepth int     // how deep in quotes they stand
}

// block is a part of the text on its way to become a line.
type block struct {
	kind   kind
	depth  int    // of quotes
	parted bool   // from the block before, by a blank line
	column int    // where it begins in the text
	prefix string // indentation and marker of a list item
	text   []byte
}

// level is where a list item stands.
type level struct {
	column int // in the text
	indent int // in the normalised form: where the text of the item around it begins
	inner  int // where its own text begins there
}

// maxLevels bounds the levels of lists; items deeper than that are put beside each other.
const maxLevels = 32

// codeBlock is fenced code being read.
type codeBlock struct {
	fence
	depth  int // of quotes
	column int // of the fence; as much space is taken off each line
}

func (n *normaliser) line(raw string) {
	if n.code != nil && n.codeLine(raw) {
		return
	}
	depth, rest := quotes(raw, math.MaxInt)
	text, frames := dropFrames(fold(rest))
	if frames { // it may have hidden more quote markers
		inner, behind := quotes(text, math.MaxInt)
		depth, rest, text = depth+inner, behind, fold(behind)
	}
	if text != "" {
		n.add(depth, rest, text)
	} else if !frames {
		n.open, n.parted = false, true
	}
}

// add takes a line with text: raw behind its quote markers, and folded.
func (n *normaliser) add(depth int, raw, text string) {
	open := n.open && depth == n.block.depth
	inParagraph := open && n.block.kind == paragraph
	if mark := underline(text); inParagraph && mark != "" {
		n.block.kind, n.block.text, n.open = single, slices.Insert(n.block.text, 0, []byte(mark)...), false
		return
	}
	s := shapeOf(text, inParagraph && indentation(raw) >= n.block.column)
	if s.kind == paragraph && open {
		n.join(s.text)
		return
	}
	n.flush()
	n.start(s, depth, raw)
}

// start begins a block. Code that is the first in a list item is put below the item, as
// it would have to be indented otherwise.
func (n *normaliser) start(s shape, depth int, raw string) {
	n.block = block{
		kind: s.kind, depth: depth, parted: n.parted, column: indentation(raw),
		text: append(n.block.text[:0], s.text...),
	}
	n.open, n.parted = s.kind == paragraph || s.kind == item, false
	if s.kind == item {
		n.block.prefix = strings.Repeat(" ", n.nest(depth, n.block.column, strings.IndexByte(s.marker, ' ')+1)) + s.marker
	}
	f, fenced := fenceOf(s.text)
	switch {
	case fenced && s.kind == item:
		n.block.text = n.block.text[:0]
		n.flush()
		n.start(shapeOf(s.text, false), depth, raw)
	case fenced && s.kind == code:
		n.code = &codeBlock{fence: f, depth: depth, column: max(strings.IndexByte(raw, f.mark), 0)}
		n.flush()
	}
}

// join goes on with the open block.
func (n *normaliser) join(text string) {
	t := withoutBreak(n.block.text)
	if len(t) > 0 {
		t = append(t, ' ')
	}
	n.block.text = append(t, text...)
}

// maxMarker is that of a list item with nine digits.
const maxMarker = len("123456789.")

// withoutBreak takes off the backslash at the end of a line that another follows: a
// hard break, white space like any other. Where it kept the line from being the marker of
// a list item or a heading it stays.
func withoutBreak(text []byte) []byte {
	slashes := len(text) - len(bytes.TrimRight(text, `\`))
	if slashes%2 == 0 || len(text) == 1 {
		return text
	}
	short := bytes.TrimRight(text[:len(text)-1], " ")
	if len(short) <= maxMarker && shapeOf(string(short)+" x", false).kind != paragraph {
		return text
	}
	return short
}

// nest says how far to indent a list item that stands at column and has a marker of
// so many bytes, with its space. To be below another item it has to stand two columns
// to the right.
func (n *normaliser) nest(depth, column, marker int) int {
	if depth != n.listDepth {
		n.list, n.listDepth = n.list[:0], depth
	}
	for len(n.list) > 0 && column < n.list[len(n.list)-1].column {
		n.list = n.list[:len(n.list)-1]
	}
	around := level{column: -2}
	if len(n.list) > 0 {
		around = n.list[len(n.list)-1]
	}
	own := level{column, around.inner, around.inner + marker}
	if len(n.list) == maxLevels || column < around.column+2 { // beside it
		n.list = n.list[:len(n.list)-1]
		own = level{around.column, around.indent, around.indent + marker}
	}
	n.list = append(n.list, own)
	return own.indent
}

// codeLine takes a line of code, or the end of it. It's false when the quote around
// the code has ended, and the code with it.
func (n *normaliser) codeLine(raw string) bool {
	c := n.code
	depth, line := quotes(raw, c.depth)
	if depth < c.depth {
		n.code = nil
		return false
	}
	line = strings.TrimRightFunc(line, unicode.IsSpace)
	if c.closes(strings.TrimLeftFunc(line, unicode.IsSpace)) {
		n.code = nil
		line = strings.Repeat(string(c.mark), c.length)
	} else {
		line = line[min(c.column, leading(line, ' ')):]
	}
	n.write(c.depth, "", line)
	return true
}

// flush writes the block that was held back.
func (n *normaliser) flush() {
	b := &n.block
	if b.kind == none {
		return
	}
	if b.kind == paragraph || b.kind == item {
		b.text = unruly(b.prefix, b.text)
	}
	goesOn := b.kind == n.last && b.depth == n.depth && (b.kind == item || b.kind == row && !b.parted)
	if n.last != none && !goesOn {
		n.out = append(n.out, '\n')
	}
	n.write(b.depth, b.prefix, dropTracking(string(b.text)))
	n.last, n.depth = b.kind, b.depth
	b.kind, n.open = none, false
}

// unruly is the text of a block that was no rule line by line, so that it's the same
// when it's read in one line.
func unruly(prefix string, text []byte) []byte {
	if len(text) == 0 || !strings.Contains(ruleMarks, string(text[:1])) {
		return text
	}
	switch line := string(text); {
	case rule(line):
		return []byte(ruleText)
	case rule(dashes(prefix) + line): // dashes below an empty item
		return []byte(`\` + line)
	}
	return text
}

// write writes one line, without white space at its end.
func (n *normaliser) write(depth int, prefix, text string) {
	start := len(n.out)
	for range depth {
		n.out = append(n.out, "> "...)
	}
	n.out = append(append(n.out, prefix...), text...)
	for len(n.out) > start && n.out[len(n.out)-1] == ' ' {
		n.out = n.out[:len(n.out)-1]
	}
	n.out = append(n.out, '\n')
}
