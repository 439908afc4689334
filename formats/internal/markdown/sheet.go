package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// sheet is what one conversion writes on. It puts blocks the right number of lines apart, begins each
// line with the marks of the quotations and list items around it, and collects the line of text that
// is being written. As a converter.Writer it takes text of the page.
type sheet struct {
	*work
	line
	options Options
	out     []byte
	prefix  []byte // begins every line but the first of the containers that are open
	fresh   bool   // nothing is in the container yet: the next block begins where out ends
	tight   bool   // blocks of a list item follow without a blank line where they can
	last    block  // the block before, in the same container
	held    map[*html.Node]holds
	batch   []*html.Node // that the walker has been given, innermost last
	room    *room
}

// block is a kind of block, as far as it matters to the one after it.
type block uint8

const (
	blockNone block = iota
	blockParagraph
	blockHeading
	blockCode
	blockDivider
	blockQuote
	blockTable
	blockOther
	// Lists side by side need different marks, or they would become one.
	blockBullets
	blockBulletsOther
	blockNumbers
	blockNumbersOther
)

func (b block) isList() bool { return b >= blockBullets }

// begin ends the paragraph before and goes to where a block of kind b begins.
func (s *sheet) begin(b block) {
	s.endParagraph()
	s.separate(s.tight && !s.mustBeApart(b))
}

// separate goes to the place of the next block, which is on the next line or beyond a blank one.
func (s *sheet) separate(close bool) {
	if s.fresh {
		s.fresh = false
		return
	}
	if !close {
		s.out = append(s.out, '\n')
		s.out = append(s.out, bytes.TrimRight(s.prefix, " ")...)
	}
	s.newline()
}

// mustBeApart reports that a block directly below the one before would be read as part of it.
func (s *sheet) mustBeApart(b block) bool { return apart(s.last, b) }

func apart(last, b block) bool {
	switch b {
	case blockParagraph:
		return last != blockHeading && last != blockCode && last != blockDivider
	case blockTable, blockOther:
		return true
	case blockQuote:
		return last == blockQuote
	}
	return last == blockOther
}

func (s *sheet) end(b block) { s.last = b }

func (s *sheet) newline() {
	s.out = append(s.out, '\n')
	s.out = append(s.out, s.prefix...)
}

// paragraph writes what children write as a paragraph of its own, or several.
func (s *sheet) paragraph(children func()) {
	s.endParagraph()
	children()
	s.endParagraph()
}

// endParagraph writes the collected line, if there is any, as a paragraph. What is open in it is closed, and
// opened again in the next.
func (s *sheet) endParagraph() {
	if s.oneLine > 0 {
		s.space = true
		return
	}
	s.breaks, s.space = 0, false
	if len(s.flat) == 0 {
		return
	}
	s.suspend()
	if len(trimEnd(s.flat)) == 0 {
		s.line.reset()
		return
	}
	s.noteMark()
	s.separate(s.tight && !s.mustBeApart(blockParagraph))
	s.out = s.resolve(s.out, s.prefix)
	s.line.reset()
	s.end(blockParagraph)
}

// noteMark notes for the line whether it begins a list item.
func (s *sheet) noteMark() { s.afterMark = s.fresh && bytes.HasSuffix(s.prefix, []byte("  ")) }

func (s *sheet) heading(level int, children func()) {
	if s.oneLine > 0 {
		s.paragraph(children)
		return
	}
	s.endParagraph()
	before := s.here()
	s.noteMark()
	s.begin(blockHeading)
	s.out = append(s.out, "######"[:level]...)
	s.out = append(s.out, ' ')
	start := len(s.out)
	s.inOneLine(inHeading, children)
	if len(s.out) == start {
		s.rollBack(before)
		return
	}
	s.end(blockHeading)
}

// spot is a place to go back to when a block comes out empty.
type spot struct {
	out, prefix int
	fresh       bool
	last        block
}

func (s *sheet) here() spot { return spot{len(s.out), len(s.prefix), s.fresh, s.last} }

func (s *sheet) rollBack(to spot) { s.out, s.fresh, s.last = s.out[:to.out], to.fresh, to.last }

// inOneLine writes what children write to the end of out, on one line.
func (s *sheet) inOneLine(place place, children func()) {
	s.oneLine++
	outer := s.place
	s.place = place
	children()
	s.oneLine--
	s.suspend()
	s.out = s.resolve(s.out, nil)
	s.place = outer
	s.line.reset()
}

func (s *sheet) divider() {
	if s.oneLine > 0 {
		s.space = true
		return
	}
	s.begin(blockDivider)
	s.out = append(s.out, "* * *"...)
	s.end(blockDivider)
}

// container writes children with every line behind mark, then rest. What holds nothing is left out.
func (s *sheet) container(mark, rest string, b block, apart bool, children func()) {
	if s.oneLine > 0 {
		s.paragraph(children)
		return
	}
	s.endParagraph()
	before := s.here()
	s.separate(s.tight && !apart)
	s.out = append(s.out, mark...)
	start := len(s.out)
	s.prefix = append(s.prefix, rest...)
	s.fresh, s.last = true, blockNone
	children()
	s.endParagraph()
	s.prefix = s.prefix[:before.prefix]
	if len(s.out) == start {
		s.rollBack(before)
		return
	}
	s.fresh = false
	s.end(b)
}

func (s *sheet) quote(children func()) {
	if s.oneLine > 0 {
		s.paragraph(children)
		return
	}
	s.endParagraph()
	tight := s.tight
	s.container("> ", "> ", blockQuote, s.mustBeApart(blockQuote), func() {
		s.tight = false
		children()
		s.endParagraph()
		s.tight = tight
	})
}

// openList is a list that is being written.
type openList struct {
	kind         block
	number       int
	loose        bool
	begun        bool
	tightOutside bool
}

// listKind chooses marks that set a list apart from one just before it.
func (s *sheet) listKind(ordered bool) block {
	switch {
	case ordered && s.last == blockNumbers:
		return blockNumbersOther
	case ordered:
		return blockNumbers
	case s.last == blockBullets:
		return blockBulletsOther
	}
	return blockBullets
}

// mark is what stands before the next item.
func (l *openList) mark() string {
	switch l.kind {
	case blockBullets:
		return "- "
	case blockBulletsOther:
		return "+ "
	case blockNumbers:
		return strconv.Itoa(l.number) + ". "
	}
	return strconv.Itoa(l.number) + ") "
}

// item writes one item of a list. The first keeps the distance to the block before the list, the others that of the list.
func (s *sheet) item(l *openList, keptEmpty bool, children func()) {
	mark := l.mark()
	isApart := l.loose
	s.tight = true
	if !l.begun {
		s.tight = l.tightOutside
		isApart = s.mustBeApart(l.kind) || s.last == blockParagraph && l.kind >= blockNumbers && l.number != 1
	}
	size := len(s.out)
	s.container(mark, strings.Repeat(" ", len(mark)), l.kind, isApart, func() {
		s.tight = !l.loose
		children()
		s.endParagraph()
	})
	s.tight = l.tightOutside
	if len(s.out) == size {
		if !keptEmpty || !l.begun || l.loose && len(s.prefix) > 0 {
			return
		}
		s.separate(!l.loose)
		s.out = append(s.out, strings.TrimSuffix(mark, " ")...)
	}
	l.begun = true
	l.number++
}

// codeBlock writes a fence that is longer than any in the code, and the code as it is.
func (s *sheet) codeBlock(pre *html.Node) {
	code := s.textOf(pre)
	if s.oneLine > 0 {
		s.codeSpan(strings.Join(strings.Fields(code), " "))
		return
	}
	s.begin(blockCode)
	fence := strings.Repeat("`", max(3, maxRun(code, '`')+1))
	s.out = append(s.out, fence...)
	s.out = append(s.out, infoString(pre)...)
	end := "\n"
	if len(s.prefix) > 0 {
		end = " \t\n"
	}
	for line := range strings.SplitSeq(strings.TrimRight(code, end), "\n") {
		s.plainLine(strings.TrimSuffix(line, "\r"))
	}
	s.plainLine(fence)
	s.end(blockCode)
}

// plainLine writes a line as it is behind the prefix. Blanks alone are not kept behind one: readers differ on them.
func (s *sheet) plainLine(line string) {
	s.newline()
	if len(s.prefix) > 0 && strings.Trim(line, " \t") == "" {
		s.out = bytes.TrimRight(s.out, " ")
		return
	}
	s.out = append(s.out, line...)
}

// infoString is the language of a code block.
func infoString(pre *html.Node) string {
	if c := pre.FirstChild; c != nil && c.Type == html.ElementNode {
		if lang, ok := strings.CutPrefix(attr(c, "class"), "language-"); ok {
			return lang
		}
	}
	return ""
}

func maxRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

func (s *sheet) verbatimBlock(text string) {
	if s.oneLine > 0 {
		s.markup(strings.Join(strings.Fields(text), " "))
		return
	}
	s.begin(blockOther)
	first := true
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if first {
			s.out = append(s.out, line...)
			first = false
			continue
		}
		s.plainLine(line)
	}
	s.end(blockOther)
}

// The methods of a converter.Writer: text of the page. They fail never.

// Write takes text of the page.
func (s *sheet) Write(p []byte) (int, error) { return s.WriteString(string(p)) }

// WriteByte takes text of the page.
func (s *sheet) WriteByte(c byte) error {
	s.text(string(rune(c)))
	return nil
}

// WriteRune takes text of the page.
func (s *sheet) WriteRune(r rune) (int, error) { return s.WriteString(string(r)) }

// WriteString takes text of the page.
func (s *sheet) WriteString(t string) (int, error) {
	s.steps.Visit()
	s.text(t)
	return len(t), nil
}
