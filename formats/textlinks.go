package formats

import (
	"strings"
	"unicode"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// textLinks are the links of Markdown and plain text: inline, by reference, in angle brackets and
// bare, outside code, without images. Other bodies have none.
func (d *DOM) textLinks() []string {
	found := newOnce()
	d.scanText(func(ref string, image bool) {
		if !image {
			found.add(d.link(ref))
		}
	})
	return found.list
}

func (d *DOM) textImages() []string {
	found := newOnce()
	d.scanText(func(ref string, image bool) {
		if image && !nodes.HasPrefixFold(ref, "javascript:") {
			found.add(d.absolute(ref))
		}
	})
	return found.list
}

// reach is how far ahead in a line a link's address and its end are looked for, in bytes. It keeps a
// line of nothing but brackets linear.
const reach = 2 << 10

func ahead(s string) string { return s[:min(len(s), reach)] }

func (d *DOM) scanText(visit func(ref string, image bool)) {
	if d.kind != kindMarkdown && d.kind != kindPlain && d.kind != kindNotebook {
		return
	}
	prose := withoutCode(d.text)
	s := linkScanner{refs: references(prose), visit: visit}
	for _, line := range prose {
		s.line(line)
	}
}

// withoutCode returns the lines outside fenced code, with code spans blanked. Indented lines count as
// text: whether they are code depends on lists around them, and in plain text they are not.
func withoutCode(text string) []string {
	var out []string
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimLeft(line, " >")
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]+" ") == "" {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			mark := trimmed[:1]
			fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, mark))]
			if mark == "`" && strings.Contains(trimmed[len(fence):], "`") {
				fence = "" // a code span that begins a line
				out = append(out, blankSpans(line))
			}
		default:
			out = append(out, blankSpans(line))
		}
	}
	return out
}

// blankSpans takes code spans out of a line. A run of backticks that none of the same length closes is text.
func blankSpans(line string) string {
	if !strings.Contains(line, "`") {
		return line
	}
	var runs []struct{ at, n int }
	for i := 0; i < len(line); i++ {
		if line[i] != '`' {
			continue
		}
		n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
		runs = append(runs, struct{ at, n int }{i, n})
		i += n - 1
	}
	next := make(map[int]int) // by length: the nearest run to the right
	closing := make([]int, len(runs))
	for k := len(runs) - 1; k >= 0; k-- {
		closing[k] = -1
		if c, ok := next[runs[k].n]; ok {
			closing[k] = c
		}
		next[runs[k].n] = k
	}
	var b strings.Builder
	from := 0
	for k := 0; k < len(runs); k++ {
		if c := closing[k]; c >= 0 {
			b.WriteString(line[from:runs[k].at])
			b.WriteByte(' ')
			from = runs[c].at + runs[c].n
			k = c
		}
	}
	return b.String() + line[from:]
}

// references are the link definitions, "[label]: address", by folded label.
func references(lines []string) map[string]string {
	refs := make(map[string]string)
	for _, line := range lines {
		label, dest, ok := definition(line)
		if _, known := refs[label]; ok && !known {
			refs[label] = dest
		}
	}
	return refs
}

func definition(line string) (label, dest string, ok bool) {
	line = strings.TrimLeft(line, " ")
	if !strings.HasPrefix(line, "[") || strings.HasPrefix(line, "[^") {
		return "", "", false
	}
	end := strings.Index(line, "]:")
	if end < 2 || end > 1000 {
		return "", "", false
	}
	dest, _ = target(strings.TrimLeft(line[end+2:], " \t"))
	return foldLabel(line[1:end]), dest, dest != ""
}

func foldLabel(s string) string { return strings.ToLower(nodes.Fold(s)) }

// target reads a link destination, bare or in angle brackets, at the start of s.
func target(s string) (dest, rest string) {
	if strings.HasPrefix(s, "<") {
		if end := strings.IndexAny(s, ">\n"); end > 0 && s[end] == '>' {
			return s[1:end], s[end+1:]
		}
		return "", s
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
		case c <= ' ':
			return unescape(s[:i]), s[i:]
		case c == '(':
			depth++
		case c == ')':
			if depth == 0 {
				return unescape(s[:i]), s[i:]
			}
			depth--
		}
	}
	return unescape(s), ""
}

func unescape(s string) string {
	return strings.NewReplacer(`\(`, "(", `\)`, ")", `\_`, "_", `\*`, "*", `\\`, `\`).Replace(s)
}

// linkScanner finds links in one line after another.
type linkScanner struct {
	refs  map[string]string
	visit func(ref string, image bool)
	open  []bracket
}

type bracket struct {
	at    int
	image bool
}

func (s *linkScanner) line(line string) {
	if _, _, ok := definition(line); ok {
		return
	}
	s.open = s.open[:0]
	for i := 0; i < len(line); {
		i = s.step(line, i)
	}
}

// step looks at the character at i and returns where to go on.
func (s *linkScanner) step(line string, i int) int {
	switch line[i] {
	case '\\':
		return i + 2
	case '[':
		s.open = append(s.open, bracket{i, i > 0 && line[i-1] == '!'})
	case ']':
		return s.close(line, i)
	case '<':
		if end := strings.IndexByte(ahead(line[i:]), '>'); end > 0 && nodes.IsAddress(line[i+1:i+end]) {
			s.visit(autolink(line[i+1:i+end]), false)
			return i + end + 1
		}
	case 'h', 'H':
		if n := bareLength(line, i); n > 0 {
			s.visit(line[i:i+n], false)
			return i + n
		}
	}
	return i + 1
}

// close ends a bracketed text and looks for the address after it.
func (s *linkScanner) close(line string, i int) int {
	if len(s.open) == 0 {
		return i + 1
	}
	b := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	after := line[i+1:]
	if strings.HasPrefix(after, "(") {
		near := ahead(after[1:])
		dest, rest := target(strings.TrimLeft(near, " "))
		if dest != "" && endsLink(rest) {
			s.visit(dest, b.image)
			return i + 2 + len(near) - len(rest)
		}
	}
	label := line[b.at+1 : i]
	if strings.HasPrefix(after, "[") {
		if end := strings.IndexByte(ahead(after), ']'); end > 1 {
			label = after[1:end]
		}
	}
	if len(label) < reach {
		if dest, ok := s.refs[foldLabel(label)]; ok {
			s.visit(dest, b.image)
		}
	}
	return i + 1
}

// endsLink reports what may follow an address: the closing parenthesis, or a title before it.
func endsLink(rest string) bool {
	if strings.HasPrefix(rest, ")") {
		return true
	}
	title := strings.TrimLeft(rest, " \t")
	return title != rest && title != "" && strings.IndexByte("\"'()", title[0]) >= 0 && strings.Contains(title, ")")
}

func autolink(s string) string {
	if strings.Contains(s, ":") {
		return s
	}
	return "mailto:" + s
}

// bareLength is the length of the bare URL at i, without punctuation that ends a sentence; else 0.
func bareLength(line string, i int) int {
	rest := line[i:]
	if !nodes.HasPrefixFold(rest, "http://") && !nodes.HasPrefixFold(rest, "https://") || i > 0 && isWordByte(line[i-1]) {
		return 0
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>\"`|\\^{}", r) || r == ']' })
	if end < 0 {
		end = len(rest)
	}
	if end > weburl.MaxLength {
		return end // no URL that resolves; passed over at once
	}
	u := trimEnd(rest[:end])
	if len(u) <= len("https://") {
		return 0
	}
	return len(u)
}

// trimEnd takes punctuation and closing parentheses without their opening ones off the end.
func trimEnd(u string) string {
	surplus := strings.Count(u, ")") - strings.Count(u, "(")
	for u != "" {
		last := u[len(u)-1]
		if last == ')' && surplus > 0 {
			surplus--
		} else if strings.IndexByte(".,;:!?'*_~", last) < 0 {
			break
		}
		u = u[:len(u)-1]
	}
	return u
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
