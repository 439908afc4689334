package tracking

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a block is; only paragraphs and list items go on in the next line.
type kind uint8

const (
	none kind = iota
	paragraph
	item
	row    // of a table
	single // a heading or a rule
	code   // fenced
)

// shape is what a folded line says by its beginning.
type shape struct {
	kind   kind
	marker string // of a list item, "- " or "1. "; of an item in an item, all of them
	text   string // the line without the marker
}

// shapeOf reads a folded line that isn't empty. In a paragraph less can begin: no empty
// item, and no numbered one but the first (CommonMark 0.31, section 5.3).
func shapeOf(line string, inParagraph bool) shape {
	switch {
	case line[0] == '|':
		return shape{kind: row, text: tableRow(line)}
	case heading(line):
		return shape{kind: single, text: line}
	case rule(line):
		return shape{kind: single, text: ruleText}
	}
	if f, fenced := fenceOf(line); fenced {
		return shape{kind: code, text: f.opening(line)}
	}
	marker, text := markers(line)
	switch {
	case marker == "" || inParagraph && unlikely(marker, text):
		return shape{kind: paragraph, text: line}
	case !rule(dashes(marker) + text):
		return shape{kind: item, marker: marker, text: text}
	}
	// The marks are all the same now, and what wasn't a rule is one.
	if marker = strings.TrimSuffix(marker, dashes(marker)); marker == "" {
		return shape{kind: single, text: ruleText}
	}
	return shape{kind: item, marker: marker, text: ruleText}
}

func unlikely(marker, text string) bool {
	return text == "" || marker[0] != '-' && marker != "1. " && marker != "1) "
}

// heading reports whether a line begins with one to six # and a space.
func heading(line string) bool {
	n := leading(line, '#')
	return n >= 1 && n <= 6 && (len(line) == n || line[n] == ' ')
}

// ruleText is how all rules are written. Of dashes it would be one with the marker of
// the list item that it's in.
const (
	ruleText  = "***"
	ruleMarks = "-*_"
)

// rule reports whether a line is nothing but three or more of one of - * _, apart from spaces.
func rule(line string) bool {
	if line == "" || !strings.Contains(ruleMarks, line[:1]) {
		return false
	}
	mark, n := line[0], 0
	for i := range len(line) {
		switch line[i] {
		case mark:
			n++
		case ' ':
		default:
			return false
		}
	}
	return n >= 3
}

// underline is the mark of the heading that a paragraph becomes by the line below it,
// or "" (CommonMark 0.31, section 4.3).
func underline(line string) string {
	switch {
	case leading(line, '=') == len(line):
		return "# "
	case leading(line, '-') == len(line):
		return "## "
	}
	return ""
}

// tableRow writes the row between a table's head and body in one way, however wide
// it was drawn; other rows stay as they are.
func tableRow(line string) string {
	if !strings.Contains(line, "-") || strings.Trim(line, "|-: ") != "" {
		return line
	}
	line = strings.ReplaceAll(line, " ", "")
	var out strings.Builder
	for i := range len(line) {
		switch {
		case line[i] != '-':
			out.WriteByte(line[i])
		case line[i-1] != '-': // a row begins with a bar
			out.WriteString("---")
		}
	}
	return out.String()
}

// maxMarkers bounds the list markers read off one line; what follows is text.
const maxMarkers = 8

// markers takes the list markers off a line. All marks of unordered lists are "-".
func markers(line string) (marker, text string) {
	text = line
	for range maxMarkers {
		n := markerLength(text)
		if n == 0 || rule(text) {
			break
		}
		mark := text[:n]
		if n == 1 {
			mark = "-"
		}
		marker, text = marker+mark+" ", strings.TrimPrefix(text[n:], " ")
	}
	if rule(text) {
		text = ruleText
	}
	return marker, text
}

// dashes are the marks of unordered lists that markers end with.
func dashes(markers string) string {
	return strings.TrimLeft(markers[len(strings.TrimRight(markers, "- ")):], " ")
}

// markerLength is the length of the list marker that text begins with, without its
// space; 0 when there is none.
func markerLength(text string) int {
	n := 0
	for n < len(text) && n <= 9 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	marks := ".)"
	if n == 0 {
		marks = "-*+"
	}
	if n > 9 || n == len(text) || !strings.Contains(marks, text[n:n+1]) {
		return 0
	}
	if n++; n < len(text) && text[n] != ' ' {
		return 0
	}
	return n
}

// fence is the line that opens or closes a block of code.
type fence struct {
	mark   byte // ` or ~
	length int
}

// fenceOf reads the fence that a folded line begins with. Behind backticks the name
// of a language follows, and no further backtick: that would be a span of code.
func fenceOf(line string) (fence, bool) {
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return fence{}, false
	}
	f := fence{line[0], leading(line, line[0])}
	return f, f.mark == '~' || !strings.Contains(line[f.length:], "`")
}

// opening is the line that opens f, with no space before the name of a language; but
// for a name that would make the fence longer.
func (f fence) opening(line string) string {
	marks, name := line[:f.length], strings.TrimPrefix(line[f.length:], " ")
	if leading(name, f.mark) > 0 {
		return line
	}
	return marks + name
}

// closes reports whether a line ends the code that f opened.
func (f fence) closes(line string) bool {
	n := leading(line, f.mark)
	return n >= f.length && n == len(line)
}

// quotes takes up to most quote markers off a line and counts them. The line keeps
// its indentation behind them.
func quotes(line string, most int) (depth int, rest string) {
	rest = line
	for depth < most {
		inner := strings.TrimLeftFunc(rest, invisible)
		if !strings.HasPrefix(inner, ">") {
			break
		}
		depth, rest = depth+1, afterSpace(inner[1:])
	}
	return depth, rest
}

func invisible(r rune) bool { return unicode.IsSpace(r) || zeroWidth(r) }

// afterSpace is text without one white space at its beginning.
func afterSpace(text string) string {
	if r, size := utf8.DecodeRuneInString(text); unicode.IsSpace(r) {
		return text[size:]
	}
	return text
}

// indentation is the width of the spaces and tabs at the beginning of a line; a tab
// reaches to the next column that four divides.
func indentation(line string) int {
	width := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			width++
		case '\t':
			width += 4 - width%4
		default:
			return width
		}
	}
	return width
}
