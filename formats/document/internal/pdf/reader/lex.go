package reader

import (
	"math"
	"strconv"
)

// The tokens and objects that the parser makes, beside nil, bool, int64, float64, []any and map[string]any.
type (
	name    string // without the slash
	str     string // bytes of a string, decoded
	keyword string // an operator, or a delimiter that closes
	stream  struct {
		dict  map[string]any
		start int // offset of the first byte of data
	}
	endOfInput struct{}
)

// Ref refers to an object of the file. The zero value refers to none.
type Ref struct{ num, gen int64 }

// maxDepth bounds how deep arrays and dictionaries nest.
const maxDepth = 64

// parser reads PDF syntax from bytes. It never fails: what it can't read it skips, and at the end it answers
// endOfInput for ever.
type parser struct {
	buf   []byte
	pos   int
	depth int
	// refs makes "1 0 R" a ref. Content streams and character maps have none.
	refs bool
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func isRegular(c byte) bool { return !isSpace(c) && !isDelimiter(c) }

func (p *parser) skipSpace() {
	for p.pos < len(p.buf) {
		switch c := p.buf[p.pos]; {
		case isSpace(c):
			p.pos++
		case c == '%':
			for p.pos < len(p.buf) && p.buf[p.pos] != '\n' && p.buf[p.pos] != '\r' {
				p.pos++
			}
		default:
			return
		}
	}
}

// object reads the next object or keyword.
func (p *parser) object() any {
	p.skipSpace()
	if p.pos >= len(p.buf) {
		return endOfInput{}
	}
	switch c := p.buf[p.pos]; c {
	case '/':
		return p.name()
	case '(':
		return p.literal()
	case '<':
		if p.pos+1 < len(p.buf) && p.buf[p.pos+1] == '<' {
			p.pos += 2
			return p.dict()
		}
		return p.hex()
	case '[':
		p.pos++
		return p.array()
	case '>':
		if p.pos+1 < len(p.buf) && p.buf[p.pos+1] == '>' {
			p.pos += 2
			return keyword(">>")
		}
		p.pos++
		return keyword(">")
	case ']', '{', '}', ')':
		p.pos++
		return keyword(c)
	}
	return p.word()
}

// word reads a number, a reference or a keyword.
func (p *parser) word() any {
	start := p.pos
	for p.pos < len(p.buf) && isRegular(p.buf[p.pos]) {
		p.pos++
	}
	w := p.buf[start:p.pos]
	if n, ok := number(w); ok {
		if i, isInt := n.(int64); isInt && p.refs && i >= 0 {
			if r, ok := p.reference(i); ok {
				return r
			}
		}
		return n
	}
	switch string(w) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return keyword(w)
}

// reference looks whether "gen R" follows a number.
func (p *parser) reference(num int64) (Ref, bool) {
	i := p.pos
	for i < len(p.buf) && isSpace(p.buf[i]) {
		i++
	}
	gen, digits := int64(0), 0
	for i < len(p.buf) && p.buf[i] >= '0' && p.buf[i] <= '9' && digits < 6 {
		gen, digits, i = gen*10+int64(p.buf[i]-'0'), digits+1, i+1
	}
	space := i
	for i < len(p.buf) && isSpace(p.buf[i]) {
		i++
	}
	if digits == 0 || i == space || i >= len(p.buf) || p.buf[i] != 'R' || i+1 < len(p.buf) && isRegular(p.buf[i+1]) {
		return Ref{}, false
	}
	p.pos = i + 1
	return Ref{num, gen}, true
}

// number reads integers and reals, also the malformed ones that other readers accept: "--5", "1.2.3", "12-3", ".".
func number(w []byte) (any, bool) {
	if len(w) == 0 || w[0] != '+' && w[0] != '-' && w[0] != '.' && (w[0] < '0' || w[0] > '9') {
		return nil, false
	}
	if i, err := strconv.ParseInt(string(w), 10, 64); err == nil {
		return i, true
	}
	neg, i := false, 0
	for i < len(w) && (w[i] == '-' || w[i] == '+') {
		neg = neg || w[i] == '-'
		i++
	}
	value, scale, dots := 0.0, 1.0, 0
	for ; i < len(w); i++ {
		c := w[i]
		switch {
		case c >= '0' && c <= '9' && dots == 0:
			value = value*10 + float64(c-'0')
		case c >= '0' && c <= '9':
			scale /= 10
			value += float64(c-'0') * scale
		case c == '.' && dots == 0:
			dots++
		case c == '.' || c == '-':
			i = len(w)
		default:
			return nil, false
		}
	}
	if neg {
		value = -value
	}
	if math.IsInf(value, 0) {
		return 0.0, true
	}
	return value, true
}

// array reads up to the closing bracket. Operators inside are left out, as other readers do.
func (p *parser) array() any {
	out := []any{}
	if p.depth++; p.depth > maxDepth {
		p.pos = len(p.buf)
	}
	defer func() { p.depth-- }()
	for {
		switch o := p.object().(type) {
		case endOfInput:
			return out
		case keyword:
			if o == "]" {
				return out
			}
			if o == "endobj" || o == "obj" || o == "endstream" || o == "stream" {
				return out
			}
		default:
			out = append(out, o)
		}
	}
}

func (p *parser) dict() any {
	out := map[string]any{}
	if p.depth++; p.depth > maxDepth {
		p.pos = len(p.buf)
	}
	defer func() { p.depth-- }()
	for {
		switch k := p.object().(type) {
		case endOfInput:
			return out
		case keyword:
			if k == ">>" || k == "endobj" || k == "obj" || k == "stream" {
				return out
			}
		case name:
			v := p.object()
			if w, isWord := v.(keyword); isWord {
				if w == ">>" || w == "endobj" {
					return out
				}
				continue
			}
			if v != (endOfInput{}) {
				out[string(k)] = v
			}
		}
	}
}

// definition reads "num gen obj …" at the parser's place. A stream's dictionary comes with the start of its data.
func (p *parser) definition() (Ref, any, bool) {
	p.refs = true
	num, ok1 := p.object().(int64)
	gen, ok2 := p.object().(int64)
	if !ok1 || !ok2 || p.object() != keyword("obj") {
		return Ref{}, nil, false
	}
	o := p.object()
	if d, isDict := o.(map[string]any); isDict {
		if start, isStream := p.streamStart(); isStream {
			o = stream{d, start}
		}
	}
	return Ref{num, gen}, o, true
}

// streamStart looks for the keyword stream and the line end behind it.
func (p *parser) streamStart() (int, bool) {
	p.skipSpace()
	const word = "stream"
	if p.pos+len(word) > len(p.buf) || string(p.buf[p.pos:p.pos+len(word)]) != word {
		return 0, false
	}
	p.pos += len(word)
	for p.pos < len(p.buf) && p.buf[p.pos] == ' ' {
		p.pos++
	}
	if p.pos < len(p.buf) && p.buf[p.pos] == '\r' {
		p.pos++
	}
	if p.pos < len(p.buf) && p.buf[p.pos] == '\n' {
		p.pos++
	}
	return p.pos, true
}

func asFloat(o any) (float64, bool) {
	switch n := o.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

func asInt(o any) int64 {
	switch n := o.(type) {
	case int64:
		return n
	case float64:
		if n > -1e15 && n < 1e15 {
			return int64(n)
		}
	}
	return 0
}
