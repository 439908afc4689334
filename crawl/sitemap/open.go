package sitemap

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

const (
	maxEmptyReads = 100 // in a row, after which a reader is stuck

	maxGzips = 2        // how often a document is unzipped: some servers zip what is zipped
	headSize = 4 << 10  // how much is read to detect what a document is
	lineSize = 32 << 10 // buffer of the clean text, and the longest line of a text sitemap
)

var errTooLarge = errors.New("larger than the limit")

// bounded gives at most left bytes and ends with the context. Its error stays, since bufio.Reader.Peek drops it.
type bounded struct {
	ctx  context.Context
	r    io.Reader
	left int64
	err  error
}

func (b *bounded) Read(p []byte) (n int, err error) {
	if b.err == nil {
		b.err = b.ctx.Err()
	}
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	// One byte more is read than allowed: only that distinguishes a document of just the limit from a larger one.
	if int64(len(p))-1 > b.left {
		p = p[:b.left+1]
	}
	for range maxEmptyReads {
		if n, b.err = b.r.Read(p); n != 0 || b.err != nil {
			break
		}
	}
	if n == 0 && b.err == nil {
		b.err = io.ErrNoProgress
	}
	if int64(n) > b.left {
		n, b.err = int(b.left), errTooLarge
	}
	b.left -= int64(n)
	return n, b.err
}

// source is a document as clean UTF-8: valid, without characters that XML forbids.
type source struct {
	*bufio.Reader
	label   string // a declared charset that is unknown; "" otherwise
	damaged bool   // something wasn't in the document's charset and became U+FFFD
}

// open never fails: what can't be read is an error of the reading.
func open(ctx context.Context, r io.Reader, max int64) *source {
	wire := max + max>>6 + 4096 // zipped, a document of just the limit may be a little longer
	if wire < max {
		wire = max
	}
	br := bufio.NewReader(&bounded{ctx: ctx, r: r, left: wire})
	for i := 0; i < maxGzips && isGzip(br); i++ {
		br = bufio.NewReader(&bounded{ctx: ctx, r: &unzip{from: br}, left: wire})
	}
	br = bufio.NewReader(&bounded{ctx: ctx, r: br, left: max})
	src := &source{}
	enc := src.encoding(br)
	clean := runes.Remove(runes.Predicate(src.forbidden))
	src.Reader = bufio.NewReaderSize(transform.NewReader(transform.NewReader(br, enc.NewDecoder()), clean), lineSize)
	return src
}

func isGzip(br *bufio.Reader) bool {
	magic, _ := br.Peek(2)
	return string(magic) == "\x1f\x8b"
}

// unzip reads the gzip header with the first bytes, so that a bad one is an error of the reading.
type unzip struct {
	from *bufio.Reader
	zip  *gzip.Reader
}

func (u *unzip) Read(p []byte) (n int, err error) {
	if u.zip == nil {
		if u.zip, err = gzip.NewReader(u.from); err != nil {
			return 0, fmt.Errorf("gzip: %w", err)
		}
	}
	return u.zip.Read(p)
}

// forbidden reports the characters that are left out, and notes what the decoder couldn't read.
func (s *source) forbidden(r rune) bool {
	if r == utf8.RuneError {
		s.damaged = true
	}
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

// xmlDeclaration finds the charset, also behind blanks or junk that shouldn't be there. The counted repetition makes it
// large: it is compiled for the first sitemap, not for every program.
var xmlDeclaration = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<\?xml\s[^>]{0,200}?encoding\s*=\s*["']?([\w.:-]+)`)
})

// encoding returns the encoding of a document: byte order mark, UTF-16 as seen by its zeros, the XML declaration, else
// UTF-8, for which Nop stands, since the cleaning replaces what is invalid. A declaration that can be read as
// ASCII is wrong when it says UTF-16, and means UTF-8 then.
func (s *source) encoding(br *bufio.Reader) encoding.Encoding {
	head, _ := br.Peek(1024)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return unicode.UTF8BOM
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case len(head) >= 2 && head[0] != 0 && head[1] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case len(head) >= 2 && head[0] == 0 && head[1] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	m := xmlDeclaration().FindSubmatch(head)
	if m == nil || bytes.HasPrefix(bytes.ToLower(m[1]), []byte("utf-16")) {
		return encoding.Nop
	}
	enc, _ := charset.Lookup(string(m[1]))
	if enc == nil {
		s.label = fmt.Sprintf("unknown charset %q", m[1])
		return encoding.Nop
	}
	return enc
}
