package markdown

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is what to do with a byte of text.
type class uint8

const (
	plain class = iota
	blank
	sign // may mean something in Markdown
)

var classes = func() (c [256]class) {
	for _, b := range []byte(" \t\n\r\f") {
		c[b] = blank
	}
	for _, b := range []byte("\\`*_~[]<&!|:@") {
		c[b] = sign
	}
	return c
}()

// text writes text of the page. White space becomes one space, and none at the ends of lines.
func (s *sheet) text(t string) {
	for i := 0; i < len(t); {
		switch classes[t[i]] {
		case blank:
			s.space = true
			i++
		case sign:
			i += s.sign(t, i)
		default:
			start := i
			for i++; i < len(t) && (classes[t[i]] == plain || isBetween(t, i)); i++ {
			}
			s.plain(t[start:i])
		}
	}
}

// isBetween reports a single blank before plain text, which is written as it is behind other text.
func isBetween(t string, i int) bool {
	return t[i] == ' ' && i+1 < len(t) && classes[t[i+1]] == plain
}

// plain writes text without signs and ASCII white space, but for single blanks within it.
func (s *sheet) plain(t string) {
	if s.written < len(s.open) || len(s.flat) == 0 || s.breaks > 0 {
		// Other white space, such as a no-break space, must not follow a mark and does not begin a line.
		if rest := strings.TrimLeftFunc(t, unicode.IsSpace); len(rest) < len(t) {
			s.blanks(t[:len(t)-len(rest)])
			if t = rest; t == "" {
				return
			}
		}
	}
	s.begins()
	s.flat = append(s.flat, t...)
}

// blanks writes white space before the marks that wait, unless it would begin a line.
func (s *sheet) blanks(t string) {
	if len(s.flat) == 0 || s.breaks > 0 {
		return
	}
	if s.space && !s.lineStart {
		s.flat = append(s.flat, ' ')
	}
	s.space = false
	s.flat = append(s.flat, t...)
}

// begins makes room for text, and notes that it begins a line.
func (s *sheet) begins() {
	s.ready()
	if s.lineStart {
		s.lineStart = false
		if s.place == inParagraph {
			s.notes = append(s.notes, remark{at: len(s.flat), kind: noteLine})
		}
	}
}

// sign writes the sign at t[i], or what begins with it, and returns how many bytes that were.
func (s *sheet) sign(t string, i int) int {
	c := t[i]
	switch c {
	case ':', '@':
		return s.address(t, i)
	case '|':
		if s.place != inCell {
			s.plain("|")
			return 1
		}
	}
	n := 1
	if c != '\\' && c != '&' && c != '<' && c != '[' && c != ']' && c != '|' {
		for i+n < len(t) && t[i+n] == c {
			n++
		}
	}
	s.begins()
	if last := len(s.notes) - 1; isRun(c) && last >= 0 && s.notes[last].kind == noteText && s.notes[last].char == c &&
		s.notes[last].at+s.notes[last].size == len(s.flat) {
		s.notes[last].size += n
	} else {
		s.notes = append(s.notes, remark{at: len(s.flat), size: n, kind: noteText, char: c, force: s.alwaysEscaped(c)})
	}
	s.flat = append(s.flat, t[i:i+n]...)
	return n
}

// isRun reports the signs that mean different things in runs of different length.
func isRun(c byte) bool { return c == '*' || c == '_' || c == '~' || c == '`' }

func (s *sheet) alwaysEscaped(c byte) bool {
	return c == '|' || (c == '[' || c == ']') && s.openKinds[linked] > 0
}

const maxEntityLen = 33 // bytes of an HTML character reference by name, with its signs

// isEntity reports whether s begins with what HTML reads as a character, such as "&lt;".
func isEntity(s string) bool {
	end := strings.IndexByte(s[:min(len(s), maxEntityLen)], ';')
	if end < 2 || strings.IndexFunc(s[1:end], func(r rune) bool { return r != '#' && (r > 0x7F || !isMailByte(byte(r), "")) }) >= 0 {
		return false
	}
	char := html.UnescapeString(s[:end+1])
	return char == ";" || !strings.HasSuffix(char, ";") // it knows names without a semicolon as well; Markdown does not
}

// address writes the rest of a web or mail address whose first part, up to t[i], is written already. GFM makes a link
// of it in any case; in angle brackets it is one whatever signs are in it, and the same when read back.
func (s *sheet) address(t string, i int) int {
	if s.openKinds[linked] == 0 {
		head, tail := addressAround(t, i)
		if n := len(s.flat); head > 0 && n >= head && string(s.flat[n-head:]) == t[i-head:i] {
			s.takeBack(n - head)
			s.flat = s.flat[:n-head]
			s.markupEnd("<" + t[i-head:i+tail] + ">")
			return tail
		}
	}
	s.begins()
	s.flat = append(s.flat, t[i])
	return 1
}

// takeBack forgets the notes about texts from at on.
func (s *sheet) takeBack(at int) {
	for len(s.notes) > 0 {
		last := s.notes[len(s.notes)-1]
		if last.at < at || last.kind != noteText {
			return
		}
		s.notes = s.notes[:len(s.notes)-1]
	}
}

// addressAround returns how far an address reaches before and behind t[i], which is a ":" or "@". 0, 0 is none.
func addressAround(t string, i int) (head, tail int) {
	if t[i] == '@' {
		return mailAround(t, i)
	}
	for _, scheme := range []string{"https", "http", "ftp"} {
		if !strings.HasSuffix(t[:i], scheme) || !strings.HasPrefix(t[i:], "://") || !startsWord(t[:i-len(scheme)]) {
			continue
		}
		end := i + addressEnd(t[i:])
		if end < i+len("://") {
			return 0, 0
		}
		host, _, _ := strings.Cut(t[i+3:end], "/")
		if dot := strings.IndexByte(host, '.'); dot > 0 && dot < len(host)-1 {
			return len(scheme), end - i
		}
	}
	return 0, 0
}

// startsWord reports whether a word may begin behind t, for GFM's links without marks.
func startsWord(t string) bool {
	if t == "" {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(t)
	return unicode.IsSpace(r) || strings.ContainsRune("*_~(", r)
}

// addressEnd is how long an address is at the start of t: up to white space, angle brackets or anything not ASCII,
// without the signs at its end that rather belong to the sentence. 0 is too long for one.
func addressEnd(t string) int {
	const maxLen = 2048
	t = t[:min(len(t), maxLen+1)]
	if end := strings.IndexFunc(t, func(r rune) bool { return r <= ' ' || r >= 0x7F || r == '<' || r == '>' }); end >= 0 {
		t = t[:end]
	}
	if len(t) > maxLen {
		return 0
	}
	surplus := strings.Count(t, ")") - strings.Count(t, "(")
	for t != "" {
		switch t[len(t)-1] {
		case '?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '"', '|', ']', '}', '`':
		case ')':
			if surplus <= 0 {
				return len(t)
			}
			surplus--
		default:
			return len(t)
		}
		t = t[:len(t)-1]
	}
	return 0
}

func mailAround(t string, i int) (head, tail int) {
	for head < i && head < maxMail && isMailByte(t[i-head-1], ".+-_") {
		head++
	}
	for i+1+tail < len(t) && tail < maxMail && isMailByte(t[i+1+tail], ".-_") {
		tail++
	}
	tail = len(strings.TrimRight(t[i+1:i+1+tail], "."))
	host := t[i+1 : i+1+tail]
	if dot := strings.LastIndexByte(host, '.'); head == 0 || dot < 1 || strings.HasSuffix(host, "-") || strings.HasSuffix(host, "_") || strings.Contains(host, "_") || t[i-head] == '.' || !startsWord(t[:i-head]) {
		return 0, 0
	}
	return head, tail + 1
}

const maxMail = 254 // bytes of a mail address, RFC 5321

func isMailByte(c byte, others string) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(others, c) >= 0
}
