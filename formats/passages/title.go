package passages

import (
	"slices"
	"strings"
)

// maxTitle bounds a heading in a path, in bytes.
const maxTitle = 200

// plain is the text of a heading: without markup, escapes and line ends, and where links lead.
func plain(s string) string {
	var b strings.Builder
	s = s[:min(len(s), 2*maxAddress)]
	for i := 0; i < len(s) && b.Len() < maxTitle; i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte(escapable, s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case c == '*' || c == '`' || c == '[' || c == '!' && i+1 < len(s) && s[i+1] == '[':
		case c == ']':
			i += address(s[i+1:])
		case c == '\n' || c == '\r' || c == '\t':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(b.String(), "")), " ")
}

const escapable = "\\`*_{}[]()<>#+-.!|~\"'&$"

// maxAddress bounds how far the end of a link is searched.
const maxAddress = 4096

// address is the length of the part of a link in round brackets that a text begins with; 0: none.
func address(s string) int {
	if !strings.HasPrefix(s, "(") {
		return 0
	}
	depth := 0
	for i := range min(len(s), maxAddress) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// path is the headings that a text is under.
type path struct {
	levels []int
	titles []string
}

// enter makes the path that of the text below a heading.
func (p *path) enter(b Block) {
	n := 0
	for n < len(p.levels) && p.levels[n] < b.Level {
		n++
	}
	p.levels, p.titles = append(p.levels[:n:n], b.Level), append(p.titles[:n:n], b.Title)
}

// list is a copy without headings that have no text.
func (p *path) list() []string {
	return slices.DeleteFunc(slices.Clone(p.titles), func(s string) bool { return s == "" })
}
