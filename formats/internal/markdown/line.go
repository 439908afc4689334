package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// line is the text of a paragraph, heading or cell while it is collected: as it will be read, without
// escapes. What has to be decided about a place in it, when all around it is known, is noted in notes.
type line struct {
	flat      []byte
	notes     []remark
	open      []stretch
	written   int  // how many of open stand in flat; the others wait for something to hold
	space     bool // white space stands before what comes next
	breaks    int  // so many line breaks stand before what comes next
	lineStart bool // the next text begins a line
	oneLine   int  // greater than 0: blocks and line breaks are white space
	place     place
	afterMark bool // the line stands behind the mark of a list item
	openKinds [kinds]int
}

// place is where a line stands.
type place uint8

const (
	inParagraph place = iota
	inHeading
	inCell
)

// remark is a place in flat that may need an escape or another mark.
type remark struct {
	at, size int
	kind     noteKind
	char     byte // of noteText, noteOpen and noteClose
	mate     int  // of noteOpen and noteClose: the other one
	span     kind // of noteOpen and noteClose
	force    bool // escape in any case
}

// isBlank reports a remark on what is white space, or on nothing.
func (n *remark) isBlank() bool { return n.size == 0 || n.kind == noteBreak }

type noteKind uint8

const (
	noteText   noteKind = iota // a run of a character that can mean something
	noteLine                   // text begins a line
	noteBreak                  // a hard line break
	noteLink                   // the bracket before a link's text
	noteOpen                   // emphasis begins
	noteClose                  // emphasis ends
	noteCode                   // a code span
	noteMarkup                 // other Markdown, such as an image or the end of a link
)

// kind is a kind of element that marks a stretch of text.
type kind uint8

const (
	emphasis kind = iota
	strong
	struck
	lowered
	raised
	linked
	kinds
)

// signs are the marks of each kind, and the HTML for where those would not be read as marks.
var signs = [linked]struct{ mark, open, close string }{
	emphasis: {"*", "<em>", "</em>"},
	strong:   {"**", "<strong>", "</strong>"},
	struck:   {"~~", "<del>", "</del>"},
	lowered:  {"<sub>", "<sub>", "</sub>"},
	raised:   {"<sup>", "<sup>", "</sup>"},
}

// stretch is an element that is open in the line.
type stretch struct {
	kind  kind
	node  *html.Node
	note  int  // where it begins, when it is written
	spent bool // a link that has been closed at the end of a block
	other bool // written with underscores, inside its like
}

func (l *line) reset() {
	*l = line{flat: l.flat[:0], notes: l.notes[:0], open: l.open, oneLine: l.oneLine, place: l.place, openKinds: l.openKinds}
}

// ready makes room for something to be seen: what waits before it is written.
func (l *line) ready() {
	switch {
	case len(l.flat) == 0:
		l.lineStart = true
	case l.breaks > 0 && l.place == inParagraph && l.oneLine == 0:
		l.notes = append(l.notes, remark{at: len(l.flat), size: 1, kind: noteBreak})
		l.flat = append(l.flat, '\n')
		l.lineStart = true
	case l.space && !l.lineStart:
		l.flat = append(l.flat, ' ')
	}
	l.space, l.breaks = false, 0
	for l.written < len(l.open) {
		l.begin(&l.open[l.written])
		l.written++
	}
}

// begin writes the mark of an element. Right behind the end of its like it goes on with that one.
func (l *line) begin(sp *stretch) {
	if sp.spent {
		return
	}
	l.lineStart = false
	if sp.kind == linked {
		sp.note = len(l.notes)
		l.notes = append(l.notes, remark{at: len(l.flat), size: 1, kind: noteLink})
		l.flat = append(l.flat, '[')
		return
	}
	if last := len(l.notes) - 1; last >= 0 {
		if n := l.notes[last]; n.kind == noteClose && n.span == sp.kind && n.char == sp.sign() && n.at+n.size == len(l.flat) {
			l.flat, l.notes, sp.note = l.flat[:n.at], l.notes[:last], n.mate
			return
		}
	}
	sp.note = len(l.notes)
	mark := sp.mark()
	l.notes = append(l.notes, remark{at: len(l.flat), size: len(mark), kind: noteOpen, span: sp.kind, char: sp.sign(), mate: -1})
	l.flat = append(l.flat, mark...)
}

// finish writes the mark for the end of an element; white space at its end goes behind it.
func (l *line) finish(sp *stretch, dest string) {
	if sp.spent {
		return
	}
	if sp.kind == linked {
		l.markupEnd("](" + dest + ")")
		sp.spent = true
		return
	}
	end := len(trimEnd(l.flat))
	tail := string(l.flat[end:])
	for last := len(l.notes) - 1; l.notes[last].isBlank() && l.notes[last].at >= end; last-- {
		if l.notes[last].kind == noteBreak { // goes behind it as well
			l.breaks, tail = 1, ""
		}
		l.notes = l.notes[:last]
	}
	mark := sp.mark()
	l.notes[sp.note].mate = len(l.notes)
	l.notes = append(l.notes, remark{at: end, size: len(mark), kind: noteClose, span: sp.kind, char: sp.sign(), mate: sp.note})
	l.flat = append(append(l.flat[:end], mark...), tail...)
}

// trimEnd is b without the white space at its end.
func trimEnd(b []byte) []byte {
	for len(b) > 0 {
		r, size := utf8.DecodeLastRune(b)
		if !unicode.IsSpace(r) {
			break
		}
		b = b[:len(b)-size]
	}
	return b
}

// wrapped writes what children write inside the marks of a kind. Inside its like it means nothing new, unless it is
// the same element once more, em or strong: then it is set apart by the other sign.
func (s *sheet) wrapped(k kind, n *html.Node, children func()) {
	const maxDepth = 3
	sp := stretch{kind: k, node: n}
	if open := s.openKinds[k]; open > 0 {
		if open >= maxDepth || n.DataAtom != atom.Em && n.DataAtom != atom.Strong || s.innermost(k).node.DataAtom != n.DataAtom {
			children()
			return
		}
		sp.other = open%2 == 1
	}
	s.enter(sp, children)
}

// innermost is the last open stretch of a kind, of which there is one.
func (s *sheet) innermost(k kind) *stretch {
	i := len(s.open) - 1
	for s.open[i].kind != k {
		i--
	}
	return &s.open[i]
}

func (sp *stretch) sign() byte {
	if sp.other {
		return '_'
	}
	return signs[sp.kind].mark[0]
}

func (sp *stretch) mark() string {
	if sp.other {
		return "__"[:len(signs[sp.kind].mark)]
	}
	return signs[sp.kind].mark
}

func (s *sheet) enter(sp stretch, children func()) {
	s.openKinds[sp.kind]++
	s.open = append(s.open, sp)
	children()
	s.openKinds[sp.kind]--
	top := len(s.open) - 1
	if s.written > top {
		s.finish(&s.open[top], s.destinationOf(&s.open[top]))
		s.written = top
	}
	s.open = s.open[:top]
}

// suspend closes what is open at the end of a block; it is opened again when more comes.
func (s *sheet) suspend() {
	for i := s.written - 1; i >= 0; i-- {
		s.finish(&s.open[i], s.destinationOf(&s.open[i]))
	}
	s.written = 0
}

// lineBreak ends a line; two of them end the paragraph. In links and headings it is a space.
func (s *sheet) lineBreak() {
	if s.oneLine > 0 || s.openKinds[linked] > 0 {
		s.space = true
		return
	}
	if s.breaks++; s.breaks > 1 {
		s.endParagraph()
	}
}

// markup writes Markdown as it is, except for line breaks where there can be none.
func (s *sheet) markup(m string) {
	s.ready()
	if strings.Contains(m, "\n") {
		m = strings.Join(strings.Fields(m), " ")
	}
	if s.place == inCell {
		m = escapePipes(m)
	}
	s.markupEnd(m)
}

func (l *line) markupEnd(m string) {
	l.notes = append(l.notes, remark{at: len(l.flat), size: len(m), kind: noteMarkup})
	l.flat = append(l.flat, m...)
	l.lineStart = false
}

// codeSpan writes code between as many backticks as it takes, and the blanks at its edges twice, as one of each is not read.
func (s *sheet) codeSpan(code string) {
	code = spacesForLineEnds(code)
	if code == "" {
		return
	}
	s.ready()
	if n := len(s.flat); n > 0 && s.flat[n-1] == '`' && len(s.notes) > 0 && s.notes[len(s.notes)-1].kind == noteCode {
		s.flat = append(s.flat, ' ')
	}
	fence := codeFence(code)
	edge := ""
	if blank := strings.Trim(code, " ") == ""; !blank && (code[0] == '`' || code[len(code)-1] == '`' || code[0] == ' ' && code[len(code)-1] == ' ') {
		edge = " "
	}
	if s.place == inCell {
		code = escapePipes(code)
	}
	at := len(s.flat)
	s.flat = append(s.flat, fence+edge+code+edge+fence...)
	s.notes = append(s.notes, remark{at: at, size: len(s.flat) - at, kind: noteCode})
	s.lineStart = false
}

// lineEnds is slow to make, and seldom needed.
var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func spacesForLineEnds(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return lineEnds.Replace(s)
}

// codeFence is the shortest run of backticks that is not in code.
func codeFence(code string) string {
	if !strings.Contains(code, "`") {
		return "`"
	}
	var has [64]bool
	run := 0
	for i := 0; i <= len(code); i++ {
		if i < len(code) && code[i] == '`' {
			run++
			continue
		}
		if run < len(has) {
			has[run] = true
		}
		run = 0
	}
	for n := 1; n < len(has); n++ {
		if !has[n] {
			return strings.Repeat("`", n)
		}
	}
	return strings.Repeat("`", maxRun(code, '`')+1)
}
