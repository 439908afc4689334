package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"strings"
)

// maxToken is the length in bytes of the longest tag, text, comment or declaration that is read as one token, since
// the XML decoder keeps a token whole. Longer ones, such as articles with pictures in feeds, are skipped.
const maxToken = 64 << 10

var (
	errLongToken   = errors.New("a token of more than 64 KiB")
	errInstruction = errors.New("a processing instruction without its end")
)

// input hands the XML decoder its bytes one by one. It knows how the current token began, so that after a
// fault the reading can go on behind that token.
type input struct {
	src  *source
	line int   // of the next byte
	err  error // why there are no more bytes; stays

	length int      // of the current token so far
	head   [64]byte // how it began
	tail   uint32   // the last four bytes read, the very last one lowest
}

// begin starts a new token. A "<" that was read as the end of a text is its first byte.
func (in *input) begin() {
	in.length = 0
	if in.last() == '<' {
		in.head[0], in.length = '<', 1
	}
}

// last is the byte that was read last; 0 when that is to be read again.
func (in *input) last() byte { return byte(in.tail) }

// ReadByte is what the XML decoder reads by. A "<" ends a processing instruction: one without its own end
// would swallow the rest of the document.
func (in *input) ReadByte() (byte, error) {
	if in.length >= maxToken {
		return 0, errLongToken
	}
	b, err := in.next()
	if b == '<' && in.length > 2 && in.head[0] == '<' && in.head[1] == '?' {
		return 0, errInstruction
	}
	return b, err
}

// Read makes input an io.Reader, as the decoder's constructor requires.
func (in *input) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := in.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

func (in *input) next() (byte, error) {
	if in.err != nil {
		return 0, in.err
	}
	b, err := in.src.ReadByte()
	if err != nil {
		in.err = err
		return 0, err
	}
	if b == '\n' {
		in.line++
	}
	if in.length < len(in.head) {
		in.head[in.length] = b
	}
	in.length++
	in.tail = in.tail<<8 | uint32(b)
	return b, nil
}

// resync skips the rest of the current token, whose beginning says how it ends. It moves on by at least one byte of it.
// A broken processing instruction is taken for a broken tag, as browsers do.
func (in *input) resync() {
	switch head := string(in.head[:min(in.length, len(in.head))]); {
	case strings.HasPrefix(head, "<!--"):
		in.skipPast("-->")
	case strings.HasPrefix(head, "<![CDATA["):
		in.skipPast("]]>")
	default:
		in.skipToTag(strings.HasPrefix(head, "<"))
	}
}

// brokenTag returns the name of a start tag that the decoder couldn't read but that has its end: most often
// an attribute is at fault.
func (in *input) brokenTag() (name xml.Name, ok bool) {
	head, isTag := strings.CutPrefix(string(in.head[:min(in.length, len(in.head))]), "<")
	end := strings.IndexAny(head, " \t\r\n/>")
	if !isTag || in.last() != '>' || end < 1 || !isLetter(head[0]) {
		return xml.Name{}, false
	}
	if space, local, found := strings.Cut(head[:end], ":"); found {
		return xml.Name{Space: space, Local: local}, true
	}
	return xml.Name{Local: head[:end]}, true
}

// skipPast looks at what was read already too: a fault may be noticed at the end of the token.
func (in *input) skipPast(end string) {
	var want, mask uint32
	for _, b := range []byte(end) {
		want, mask = want<<8|uint32(b), mask<<8|0xff
	}
	for in.tail&mask != want {
		in.skipUntil(end[len(end)-1:])
		if _, err := in.next(); err != nil {
			return
		}
	}
}

// skipToTag goes to the next "<", or past the ">" of a tag, and leaves the "<" to be read again.
func (in *input) skipToTag(isTag bool) {
	stops := "<"
	if isTag {
		stops = "<>"
	}
	for strings.IndexByte(stops, in.last()) < 0 {
		in.skipUntil(stops)
		if _, err := in.next(); err != nil {
			return
		}
	}
	if in.last() == '<' && in.src.UnreadByte() == nil {
		in.tail = 0
	}
}

// skipUntil drops what is buffered before the next of the stops, or all of it. It is only there for speed.
func (in *input) skipUntil(stops string) {
	buf, _ := in.src.Peek(in.src.Buffered())
	if i := bytes.IndexAny(buf, stops); i >= 0 {
		buf = buf[:i]
	}
	in.line += bytes.Count(buf, []byte("\n"))
	for _, b := range buf[max(len(buf)-4, 0):] {
		in.tail = in.tail<<8 | uint32(b)
	}
	in.src.Discard(len(buf)) // buffered, so that it can't fail
}

// inTag reports whether the current token is a start or end tag.
func (in *input) inTag() bool {
	return in.length > 1 && in.head[0] == '<' && in.head[1] != '!' && in.head[1] != '?'
}
