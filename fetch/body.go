package fetch

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
)

// codingSlack is how much larger than its content an encoded body may be, in bytes: headers, checksums,
// blocks that hold nothing.
const codingSlack = 64 << 10

// maxHint bounds what is allocated on the mere word of a Content-Length.
const maxHint = 1 << 20

// errTooBig is the error of a bounded reader at its limit.
var errTooBig = errors.New("over the limit")

// readBody reads and decodes the body, both bounded. Beside an error there is what could be read of a damaged body.
func (t *trip) readBody(resp *http.Response, w *watch) ([]byte, error) {
	codings := contentCodings(resp.Header)
	allowed := t.maxBytes
	if len(codings) > 0 {
		allowed += codingSlack
	}
	if resp.ContentLength > allowed {
		return nil, t.tooBig()
	}
	w.begin("body", t.client.opt.BodyTimeout)
	w.within("body", t.bodyTime(resp))
	wire := &bounded{r: resp.Body, left: allowed, touch: w.touch}
	body, err := decode(codings, wire, t.maxBytes, resp.ContentLength)
	switch {
	case errors.Is(err, errTooBig), wire.left < 0:
		return nil, t.tooBig()
	case errors.Is(wire.err, io.ErrUnexpectedEOF):
		err = t.brokenBody(resp, wire.err)
	case wire.err != nil && !w.late.Load():
		return nil, wire.err
	case wire.err != nil:
		err = wire.err
	case err != nil && !errors.Is(err, errNotEncoded):
		return nil, err
	}
	if len(codings) > 0 {
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
	}
	return body, err
}

func (t *trip) tooBig() error { return &SizeError{URL: t.at.href(), Limit: t.maxBytes} }

// brokenBody names the ways in which a connection can end before its body does.
func (t *trip) brokenBody(resp *http.Response, err error) error {
	code := netIncompleteChunk
	if resp.ContentLength >= 0 {
		code = netLengthMismatch
	}
	return &ConnectError{Addr: t.at.w.Hostname() + ":" + t.at.port, Net: code, Err: err}
}

// bounded is a reader that fails with errTooBig after left bytes, and remembers what else it failed with.
type bounded struct {
	r     io.Reader
	left  int64
	touch func() // called when something came; may be nil
	err   error  // of r; neither io.EOF nor errTooBig
}

func (b *bounded) Read(p []byte) (int, error) {
	// One byte more than is left distinguishes a body that ends at the limit from a longer one.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if n > 0 && b.touch != nil {
		b.touch()
	}
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooBig
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// rooms are where bodies of unknown length are read into, so that each grows only once.
var rooms = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// readAll reads to the end. Where the length has been announced it makes room for it at once.
func readAll(r io.Reader, announced int64) ([]byte, error) {
	if announced <= 0 || announced > maxHint {
		room := rooms.Get().(*bytes.Buffer)
		room.Reset()
		_, err := room.ReadFrom(r)
		body := append(make([]byte, 0, room.Len()), room.Bytes()...)
		if room.Cap() <= maxHint {
			rooms.Put(room)
		}
		return body, err
	}
	// A little more, so that the read that finds the end needs no new room.
	buf := bytes.NewBuffer(make([]byte, 0, announced+bytes.MinRead))
	_, err := buf.ReadFrom(r)
	return buf.Bytes(), err
}
