package framing

import "math"

// part is what the next byte belongs to.
type part uint8

const (
	startLine part = iota
	name           // of a header, or the beginning of a line
	value
	body      // of a known length
	chunkSize // its digits
	chunkLine // the rest of their line
	chunkData
	chunkEnd // the end of line after it
	trailer
	lostLine // the rest of a line that makes no sense
	lost     // nothing is passed on: what follows may be read in two ways
	other    // HTTP/2, all of which is passed on
)

// scanner follows the requests of a connection, as net/http reads them; where that would refuse a request it may be wrong. The zero
// value is at the beginning of the first request.
type scanner struct {
	at      part
	line    []byte // of the header's name, in lower case, or the end of the start line
	left    uint64 // bytes of a body or chunk
	length  uint64 // of Content-Length
	digits  int    // of a chunk's size
	filled  bool   // the line has more than an end
	sized   bool   // there is a Content-Length
	coded   bool   // there is a Transfer-Encoding
	old     bool   // it isn't HTTP/1.1
	upgrade bool   // there is an Upgrade
}

// maxName is a bit longer than the longest name that is looked for.
const maxName = 24

// watch goes on with b, in which it spoils what is refused.
func (s *scanner) watch(b []byte) {
	for i := 0; i < len(b); i++ {
		switch s.at {
		case body, chunkData:
			n := min(s.left, uint64(len(b)-i))
			s.left -= n
			i += int(n) - 1
			s.passed()
		case lost:
			b[i] = 0
		case other:
			return
		default:
			b[i] = s.byte(b[i])
		}
	}
}

// passed ends a body, or the data of a chunk, when all of it is there.
func (s *scanner) passed() {
	switch {
	case s.left > 0:
	case s.at == body:
		*s = scanner{line: s.line[:0]}
	default:
		s.at, s.digits = chunkEnd, 0
	}
}

// byte returns what is passed on of a byte of a head, or of the lines between chunks.
func (s *scanner) byte(c byte) byte {
	switch s.at {
	case startLine:
		s.start(c)
	case name:
		return s.name(c)
	case value:
		s.value(c)
	case chunkSize:
		s.size(c)
	case chunkLine:
		s.sizeEnd(c)
	case chunkEnd:
		s.dataEnd(c)
	case trailer:
		s.trail(c)
	case lostLine:
		if c == '\n' {
			s.at = lost
		}
	}
	return c
}

const version = "HTTP/1.1"

func (s *scanner) start(c byte) {
	switch {
	case c == '\n' && len(s.line) == 0: // net/http ignores empty lines before a request
	case c == '\n' && string(s.line) == "HTTP/2.0": // its preface, which net/http refuses where it does not speak it
		s.at = other
	case c == '\n':
		s.old, s.upgrade = string(s.line) != version, false
		s.begin(name)
	case c != '\r':
		if len(s.line) == len(version) {
			s.line = append(s.line[:0], s.line[1:]...)
		}
		s.line = append(s.line, c)
	}
}

func (s *scanner) begin(at part) { s.at, s.line, s.filled = at, s.line[:0], false }

// name is in front of the colon. What is refused loses the colon, or the space at the beginning of a line.
func (s *scanner) name(c byte) byte {
	switch {
	case c == '\n' && !s.filled:
		s.headEnd()
	case c == '\n':
		s.begin(name)
	case c == ':':
		s.at = value
		if s.header() {
			return 0
		}
	case (c == ' ' || c == '\t') && !s.filled && len(s.line) == 0:
		s.filled = true
		return 0
	case c != '\r':
		s.filled = true
		if len(s.line) < maxName {
			s.line = append(s.line, lower(c))
		}
	}
	return c
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// header notes a header by its name, and reports whether the request must not have it.
func (s *scanner) header() (refused bool) {
	switch string(s.line) {
	case "content-length":
		s.sized, s.length = true, 0
		return s.coded
	case "transfer-encoding":
		s.coded = true
		return s.sized || s.old
	case "upgrade":
		s.upgrade = true
	}
	return false
}

func (s *scanner) value(c byte) {
	switch {
	case c == '\n':
		s.begin(name)
	case '0' <= c && c <= '9' && string(s.line) == "content-length":
		s.length = min(s.length, math.MaxInt64/10-1)*10 + uint64(c-'0')
	}
}

func (s *scanner) headEnd() {
	switch {
	case s.coded:
		s.at, s.left, s.digits = chunkSize, 0, 0
	case s.length > 0:
		s.at, s.left = body, s.length
	default:
		upgrade := s.upgrade
		*s = scanner{line: s.line[:0], upgrade: upgrade}
	}
}

// maxDigits is what net/http accepts of a chunk's size.
const maxDigits = 16

func (s *scanner) size(c byte) {
	n, ok := hex(c)
	switch {
	case ok && s.digits < maxDigits:
		s.left, s.digits = s.left<<4|n, s.digits+1
	case ok || s.digits == 0:
		s.lose(c)
	case c == '\r' || c == ';' || c == ' ' || c == '\t':
		s.at = chunkLine
	default:
		s.lose(c)
	}
}

func (s *scanner) lose(c byte) {
	if s.at = lostLine; c == '\n' {
		s.at = lost
	}
}

func hex(c byte) (uint64, bool) {
	switch c = lower(c); {
	case '0' <= c && c <= '9':
		return uint64(c - '0'), true
	case 'a' <= c && c <= 'f':
		return uint64(c-'a') + 10, true
	}
	return 0, false
}

func (s *scanner) sizeEnd(c byte) {
	if c != '\n' {
		return
	}
	if s.at = chunkData; s.left == 0 {
		s.begin(trailer)
	}
}

// dataEnd wants the two bytes after a chunk's data.
func (s *scanner) dataEnd(c byte) {
	if c != "\r\n"[s.digits] {
		s.lose(c)
		return
	}
	if s.digits++; s.digits == 2 {
		s.at, s.left, s.digits = chunkSize, 0, 0
	}
}

func (s *scanner) trail(c byte) {
	switch {
	case c == '\n' && !s.filled:
		*s = scanner{line: s.line[:0]}
	case c == '\n':
		s.filled = false
	case c != '\r':
		s.filled = true
	}
}
