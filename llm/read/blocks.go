package read

import (
	"regexp"
	"strings"
)

// kind is what a block of markdown is.
type kind int

const (
	paragraph kind = iota
	heading
	list
	table
	code
	quote
	rule
)

// block is a piece of markdown with the blank lines after it. The blocks of a text, one after
// another, are the text.
type block struct {
	kind  kind
	level int // of a heading: 1 to 6
	// start and end of the block with the blank lines after it; body is the end without them.
	start, body, end int
}

var (
	atxLine     = regexp.MustCompile(`^ {0,3}(#{1,6})([ \t]|$)`)
	ruleLine    = regexp.MustCompile(`^ {0,3}((\*[ \t]*){3,}|(-[ \t]*){3,}|(_[ \t]*){3,})$`)
	setextLine  = regexp.MustCompile(`^ {0,3}(=+|-+)[ \t]*$`)
	itemLine    = regexp.MustCompile(`^ {0,3}([-*+]|\d{1,9}[.)])([ \t]|$)`)
	fenceLine   = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})")
	tableRule   = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	indentLine  = regexp.MustCompile(`^( {4}|\t)`)
	anyIndent   = regexp.MustCompile(`^( {2,}|\t)`)
	quoteLine   = regexp.MustCompile(`^ {0,3}>`)
	setextLevel = map[byte]int{'=': 1, '-': 2}
)

// line is one line of a text, with its end but for the line break.
type line struct {
	start, end, next int
	text             string
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// lines cuts text after each line break.
func lines(text string) []line {
	var all []line
	for at := 0; at < len(text); {
		next := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		body := strings.TrimRight(text[at:next], "\r\n")
		all = append(all, line{at, at + len(body), next, body})
		at = next
	}
	return all
}

// blocks cuts markdown into its blocks. Blank lines at the beginning belong to the first one;
// a text without words has none. A list with blank lines between its items is several blocks,
// so that one item can be taken without the others.
func blocks(text string) []block {
	all := lines(text)
	var found []block
	begin := 0
	for i := 0; i < len(all); {
		if all[i].blank() {
			i++
			continue
		}
		b, after := blockAt(all, i)
		for after < len(all) && all[after].blank() {
			after++
		}
		b.start, b.end = begin, len(text)
		if after < len(all) {
			b.end = all[after].start
		}
		found = append(found, b)
		begin, i = b.end, after
	}
	return found
}

// blockAt reads the block that begins in line i and returns the line after it.
func blockAt(all []line, i int) (block, int) {
	b, after := block{kind: paragraph}, 0
	text := all[i].text
	switch {
	case indentLine.MatchString(text):
		b.kind, after = code, runOf(all, i, indentLine.MatchString)
	case fenceLine.MatchString(text):
		b.kind, after = code, fenceEnd(all, i)
	case atxLine.MatchString(text):
		b.kind, b.level, after = heading, len(atxLine.FindStringSubmatch(text)[1]), i+1
	case ruleLine.MatchString(text):
		b.kind, after = rule, i+1
	case quoteLine.MatchString(text):
		b.kind, after = quote, runOf(all, i, quoteLine.MatchString)
	case itemLine.MatchString(text):
		b.kind, after = list, listEnd(all, i)
	case tableAt(all, i):
		b.kind, after = table, runOf(all, i, func(s string) bool { return strings.Contains(s, "|") })
	default:
		b.kind, b.level, after = prose(all, i)
	}
	b.body = all[after-1].end
	return b, after
}

// runOf is the line after those from i on that are alike; i itself counts as such.
func runOf(all []line, i int, alike func(string) bool) int {
	for i++; i < len(all) && !all[i].blank() && alike(all[i].text); i++ {
	}
	return i
}

// fenceEnd is the line after the fence that closes the one in line i, or the end.
func fenceEnd(all []line, i int) int {
	open := fenceLine.FindStringSubmatch(all[i].text)[1]
	for i++; i < len(all); i++ {
		if m := strings.TrimSpace(all[i].text); len(m) >= len(open) && strings.Trim(m, open[:1]) == "" {
			return i + 1
		}
	}
	return i
}

// listEnd is the line after a list: it goes on over blank lines only to what is indented.
func listEnd(all []line, i int) int {
	for i < len(all) {
		switch {
		case fenceLine.MatchString(all[i].text):
			i = fenceEnd(all, i)
		case !all[i].blank():
			i++
		default:
			next := i
			for next < len(all) && all[next].blank() {
				next++
			}
			if next == len(all) || !anyIndent.MatchString(all[next].text) {
				return i
			}
			i = next
			continue
		}
		if i < len(all) && (atxLine.MatchString(all[i].text) || quoteLine.MatchString(all[i].text) || ruleLine.MatchString(all[i].text)) {
			return i
		}
	}
	return i
}

func tableAt(all []line, i int) bool {
	return i+1 < len(all) && strings.Contains(all[i].text, "|") && strings.Contains(all[i+1].text, "-") &&
		strings.Contains(all[i+1].text, "|") && tableRule.MatchString(all[i+1].text)
}

// prose reads a paragraph, or the heading that the line under it makes of it.
func prose(all []line, i int) (kind, int, int) {
	for n := i + 1; n < len(all); n++ {
		text := all[n].text
		if setextLine.MatchString(text) {
			return heading, setextLevel[strings.TrimSpace(text)[0]], n + 1
		}
		if all[n].blank() || atxLine.MatchString(text) || fenceLine.MatchString(text) || ruleLine.MatchString(text) ||
			quoteLine.MatchString(text) || itemLine.MatchString(text) || tableAt(all, n) {
			return paragraph, 0, n
		}
	}
	return paragraph, 0, len(all)
}
