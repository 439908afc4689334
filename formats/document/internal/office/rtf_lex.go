package office

import "strconv"

// rtfToken is a token of an RTF file.
type rtfToken struct {
	kind  rtfKind
	word  string // of a control word or symbol
	value int    // of a control word, or of a byte given in hexadecimal
	has   bool   // the control word has a value
	text  []byte
}

type rtfKind uint8

const (
	rtfOpen rtfKind = iota
	rtfClose
	rtfWord
	rtfText
	rtfByte
	rtfEnd
)

// rtfLexer cuts a file into tokens. Whatever the bytes are, it comes to an end.
type rtfLexer struct {
	data []byte
	pos  int
}

func (l *rtfLexer) next() rtfToken {
	for l.pos < len(l.data) {
		switch c := l.data[l.pos]; c {
		case '{':
			l.pos++
			return rtfToken{kind: rtfOpen}
		case '}':
			l.pos++
			return rtfToken{kind: rtfClose}
		case '\\':
			l.pos++
			return l.control()
		case '\r', '\n', 0:
			l.pos++
		default:
			return l.plain()
		}
	}
	return rtfToken{kind: rtfEnd}
}

func (l *rtfLexer) plain() rtfToken {
	start := l.pos
	for l.pos < len(l.data) {
		switch l.data[l.pos] {
		case '{', '}', '\\', '\r', '\n', 0:
			return rtfToken{kind: rtfText, text: l.data[start:l.pos]}
		}
		l.pos++
	}
	return rtfToken{kind: rtfText, text: l.data[start:]}
}

// control reads what follows a backslash.
func (l *rtfLexer) control() rtfToken {
	if l.pos >= len(l.data) {
		return rtfToken{kind: rtfEnd}
	}
	c := l.data[l.pos]
	if !isLetter(c) {
		l.pos++
		switch c {
		case '\'':
			return l.hex()
		case '\r', '\n':
			return rtfToken{kind: rtfWord, word: "par"}
		}
		return rtfToken{kind: rtfWord, word: string(c)}
	}
	t := l.word()
	if t.word == "bin" { // that many bytes of anything
		l.pos += min(max(t.value, 0), len(l.data)-l.pos)
	}
	return t
}

func (l *rtfLexer) word() rtfToken {
	const maxLen = 32 // by the specification
	start := l.pos
	for l.pos < len(l.data) && isLetter(l.data[l.pos]) && l.pos-start < maxLen {
		l.pos++
	}
	t := rtfToken{kind: rtfWord, word: string(l.data[start:l.pos])}
	start = l.pos
	if l.pos < len(l.data) && l.data[l.pos] == '-' {
		l.pos++
	}
	for l.pos < len(l.data) && l.data[l.pos] >= '0' && l.data[l.pos] <= '9' && l.pos-start < 11 {
		l.pos++
	}
	if n, err := strconv.Atoi(string(l.data[start:l.pos])); err == nil {
		t.value, t.has = n, true
	}
	if l.pos < len(l.data) && l.data[l.pos] == ' ' {
		l.pos++
	}
	return t
}

func (l *rtfLexer) hex() rtfToken {
	end := min(l.pos+2, len(l.data))
	n, err := strconv.ParseUint(string(l.data[l.pos:end]), 16, 8)
	if err != nil {
		return rtfToken{kind: rtfWord, word: "'"}
	}
	l.pos = end
	return rtfToken{kind: rtfByte, value: int(n)}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
