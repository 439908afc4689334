package markdown

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// resolve writes the line to out with the escapes that it needs, each line but the first behind prefix. Signs
// that can mean nothing where they stand are left alone.
func (l *line) resolve(out, prefix []byte) []byte {
	l.trim()
	l.unboxLink()
	l.chooseMarks()
	l.pairRuns()
	l.escapeLineStarts()
	l.escapeBrackets()
	l.escapeHeadingEnd()
	at := 0
	for i := range l.notes {
		n := &l.notes[i]
		if n.at < at || n.at > len(l.flat) {
			continue
		}
		out = append(out, l.flat[at:n.at]...)
		at = n.at
		switch {
		case n.kind == noteBreak:
			out = append(append(out, "  \n"...), prefix...)
			at += n.size
		case n.kind == noteOpen || n.kind == noteClose:
			out = append(out, l.markOf(n)...)
			at += n.size
		case n.char == '&' && n.kind == noteText:
			if isEntity(string(l.flat[at:min(at+maxEntityLen, len(l.flat))])) {
				out = append(out, "&amp;"...)
				at++
			}
		case n.force || n.kind == noteText && l.needsEscape(i):
			out = escapeRun(out, l.flat[n.at:n.at+n.size])
			at += n.size
		}
	}
	return append(out, l.flat[at:]...)
}

// trim cuts the white space at the end of the line, and line breaks of a cell, with what was noted about it.
func (l *line) trim() {
	for l.place == inCell && bytes.HasSuffix(trimEnd(l.flat), []byte(cellEnd)) {
		l.flat = bytes.TrimSuffix(trimEnd(l.flat), []byte(cellEnd))
		l.notes = l.notes[:len(l.notes)-1]
	}
	l.flat = trimEnd(l.flat)
	last := len(l.notes)
	for last > 0 && l.notes[last-1].isBlank() && l.notes[last-1].at >= len(l.flat) {
		last--
	}
	l.notes = l.notes[:last]
}

// unboxLink puts a space behind the text of a link that begins an item and is an x alone: some readers take its
// brackets for the box of a task.
func (l *line) unboxLink() {
	if l.afterMark && len(l.flat) > 3 && l.flat[0] == '[' && isBox(l.flat) && l.flat[3] == '(' {
		l.flat = slices.Insert(l.flat, 2, ' ')
		for i := range l.notes {
			if l.notes[i].at >= 2 {
				l.notes[i].at++
			}
		}
	}
}

// escapeRun writes each sign of a run behind a backslash; a space stands for one before a sign that is no run.
func escapeRun(out, run []byte) []byte {
	if len(run) == 0 {
		return append(out, '\\')
	}
	for _, c := range run {
		out = append(out, '\\', c)
	}
	return out
}

// needsEscape decides about a run of text whose meaning depends on what is beside it.
func (l *line) needsEscape(i int) bool {
	n := &l.notes[i]
	next := byte(0)
	if end := n.at + n.size; end < len(l.flat) {
		next = l.flat[end]
	}
	switch n.char {
	case '\\':
		return isPunctuation(next) || next == '\n'
	case '<':
		return next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z' || next == '/' || next == '!' || next == '?'
	case '!':
		return i+1 < len(l.notes) && l.notes[i+1].kind == noteLink && l.notes[i+1].at == n.at+n.size
	}
	return false
}

func isPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// escapeBrackets forces an escape of each "[" of text that is open at a "](", which would make a link, and of one that
// would be the mark of a footnote or the box of a task.
func (l *line) escapeBrackets() {
	var open []int
	for i := range l.notes {
		n := &l.notes[i]
		if n.kind != noteText || n.char != '[' && n.char != ']' {
			continue
		}
		rest := l.flat[n.at+n.size:]
		switch {
		case n.char == '[':
			n.force = n.force || bytes.HasPrefix(rest, []byte("^")) || n.at == 0 && l.afterMark && isBox(l.flat)
			open = append(open, i)
		case bytes.HasPrefix(rest, []byte("(")):
			for _, k := range open {
				l.notes[k].force = true
			}
			open = open[:0]
		case len(open) > 0:
			open = open[:len(open)-1]
		}
	}
}

// escapeHeadingEnd keeps a heading's own "#" at its end.
func (l *line) escapeHeadingEnd() {
	if l.place == inHeading && bytes.HasSuffix(l.flat, []byte("#")) {
		l.notes = append(l.notes, remark{at: len(l.flat) - 1, kind: noteText, force: true})
	}
}

// escapeLineStarts looks at each place where text begins a line.
func (l *line) escapeLineStarts() {
	for i := 0; i < len(l.notes); i++ {
		n := &l.notes[i]
		if n.kind != noteLine || n.at >= len(l.flat) || !beginsBlocks[l.flat[n.at]] {
			continue
		}
		end := len(l.flat)
		for _, later := range l.notes[i+1:] {
			if later.kind == noteBreak {
				end = later.at
				break
			}
		}
		at := lineMark(string(l.flat[n.at:end]), i == 0)
		if at < 0 {
			continue
		}
		if at == 0 && i+1 < len(l.notes) && l.notes[i+1].kind == noteText && l.notes[i+1].at == n.at {
			l.notes[i+1].force = true
			continue
		}
		n.at += at
		n.force = true
	}
}

// beginsBlocks are the bytes that lines begin with for which lineMark may find a place.
var beginsBlocks = func() (begins [256]bool) {
	for _, c := range []byte("#>+-*_=~`:|[0123456789") {
		begins[c] = true
	}
	return begins
}()

// lineMark is where a line of text needs a backslash so that it does not begin a block, -1 for nowhere. first
// is the first line of a paragraph.
func lineMark(s string, first bool) int {
	if s == "" {
		return -1
	}
	word, _, more := strings.Cut(s, " ")
	switch s[0] {
	case '#':
		return where(len(word) <= 6 && strings.Trim(word, "#") == "")
	case '>':
		return 0
	case '+':
		return where(word == "+")
	case '-':
		return where(word == "-" || isRule(s, '-') || !first && (isAll(s, "-") || isAll(s, "-:| ")))
	case '*':
		return where(word == "*" || isRule(s, '*'))
	case '_':
		return where(isRule(s, '_'))
	case '=':
		return where(!first && isAll(s, "="))
	case '~':
		return where(strings.HasPrefix(s, "~~~"))
	case '`':
		return where(strings.HasPrefix(s, "```"))
	case ':', '|':
		return where(!first && isAll(s, "-:| "))
	case '[':
		return where(first && strings.Contains(s, "]:"))
	}
	digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
	if digits == 0 || digits > 9 || digits != len(word)-1 || word[digits] != '.' && word[digits] != ')' || !first && (word[:digits] != "1" || !more) {
		return -1
	}
	return digits
}

func where(found bool) int {
	if found {
		return 0
	}
	return -1
}

func isAll(s, chars string) bool { return strings.Trim(s, chars) == "" }

// isRule reports a line that Markdown reads as a rule.
func isRule(s string, c byte) bool {
	return isAll(s, string(rune(c))+" ") && strings.Count(s, string(rune(c))) > 2
}

// isBox reports what looks like the box of a task, to some readers whatever comes behind it.
func isBox(s []byte) bool {
	return len(s) > 2 && s[2] == ']' && (s[1] == ' ' || s[1] == 'x' || s[1] == 'X')
}

// flanks reports for a run of marks from at to end whether it can begin and end emphasis (CommonMark, left- and
// right-flanking delimiter runs). What stands beside it is looked up in flat, where a mark is punctuation.
func (l *line) flanks(at, end int, char byte) (opens, closes bool) {
	before, after := l.runeBefore(at), l.runeAfter(end)
	left := !unicode.IsSpace(after) && (!isPunct(after) || unicode.IsSpace(before) || isPunct(before))
	right := !unicode.IsSpace(before) && (!isPunct(before) || unicode.IsSpace(after) || isPunct(after))
	if char == '_' {
		return left && (!right || isPunct(before)), right && (!left || isPunct(after))
	}
	return left, right
}

func (l *line) runeBefore(at int) rune {
	if at == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRune(l.flat[:at])
	return r
}

func (l *line) runeAfter(end int) rune {
	if end >= len(l.flat) {
		return ' '
	}
	r, _ := utf8.DecodeRune(l.flat[end:])
	return r
}

func isPunct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
