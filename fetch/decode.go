package fetch

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// maxCodings bounds how many content-encodings may lie over each other.
const maxCodings = 3

// maxZstdWindow is the largest window an HTTP client has to support (RFC 9659), in bytes.
const maxZstdWindow = 8 << 20

// contentCodings lists the encodings of a response in the order in which they were applied. From the first
// unknown one on, nothing can be undone, as in browsers the body then stays as it is.
func contentCodings(h http.Header) []string {
	var codings []string
	for _, c := range strings.Split(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		switch c = strings.ToLower(strings.TrimSpace(c)); c {
		case "", "identity":
		case "gzip", "x-gzip":
			codings = append(codings, "gzip")
		case "deflate", "br", "zstd":
			codings = append(codings, c)
		default:
			return nil
		}
	}
	return codings
}

// decode reads a body and undoes its encodings, the last applied first. Each layer's output is bounded by
// max, so that neither the body nor a bomb between two layers grows beyond it. Errors: errTooBig, the
// wire's, or a *DecodeError; beside the wire's there is what was read, and a text that was to be gzip comes
// beside errNotEncoded.
func decode(codings []string, wire io.Reader, max, length int64) ([]byte, error) {
	if len(codings) == 0 {
		return readAll(wire, length)
	}
	if len(codings) > maxCodings {
		return nil, &DecodeError{Encoding: strings.Join(codings, ", "), Err: fmt.Errorf("more than %d layers", maxCodings)}
	}
	in := bufio.NewReader(wire)
	if _, err := in.Peek(1); err == io.EOF {
		return []byte{}, nil // an encoding of nothing at all: what HEAD-like and empty answers send
	}
	if head, _ := in.Peek(sniffLen); codings[len(codings)-1] == "gzip" && !bytes.HasPrefix(head, []byte("\x1f\x8b")) && !isBinary("", head) {
		body, err := io.ReadAll(&bounded{r: in, left: max})
		if err == nil {
			err = &DecodeError{Encoding: "gzip", Err: errNotEncoded}
		}
		return body, err
	}
	var r io.Reader = in
	for i := len(codings) - 1; i >= 0; i-- {
		d, err := newDecoder(codings[i], r)
		if err != nil {
			return nil, decodeError(codings[i], err)
		}
		defer d.Close()
		layer := max
		if i > 0 {
			layer += codingSlack
		}
		r = &bounded{r: &coded{d, codings[i]}, left: layer}
	}
	return readAll(r, -1)
}

// errNotEncoded is the cause of a DecodeError of a text on which the declared encoding was never applied.
var errNotEncoded = errors.New("the body isn't encoded")

// coded names the encoding in the errors of its decoder.
type coded struct {
	r        io.Reader
	encoding string
}

func (c *coded) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF {
		err = decodeError(c.encoding, err)
	}
	return n, err
}

func decodeError(encoding string, err error) error {
	var deeper *DecodeError
	if errors.Is(err, errTooBig) || errors.As(err, &deeper) {
		return err
	}
	return &DecodeError{Encoding: encoding, Err: err}
}

func newDecoder(encoding string, r io.Reader) (io.ReadCloser, error) {
	switch encoding {
	case "gzip":
		return newGzip(r)
	case "deflate":
		return newDeflate(r)
	case "br":
		return io.NopCloser(brotli.NewReader(r)), nil
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// newDeflate reads what servers send as deflate: zlib as the standard says, or the bare stream.
func newDeflate(r io.Reader) (io.ReadCloser, error) {
	br := bufio.NewReader(r)
	head, err := br.Peek(2)
	if err == nil && head[0]&0x0f == 8 && head[0]>>4 <= 7 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(br)
	}
	return flate.NewReader(br), nil
}

// gzipReader reads one member after the other and treats what doesn't look like another member as
// the garbage that some servers append.
type gzipReader struct {
	z  gzip.Reader
	br *bufio.Reader
}

// gzipReaders are those whose windows, of 40 kB, serve the next body.
var gzipReaders = sync.Pool{New: func() any { return &gzipReader{br: bufio.NewReader(nil)} }}

func newGzip(r io.Reader) (io.ReadCloser, error) {
	g := gzipReaders.Get().(*gzipReader)
	g.br.Reset(r)
	if err := g.z.Reset(g.br); err != nil {
		_ = g.Close()
		return nil, err
	}
	g.z.Multistream(false)
	return g, nil
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err != io.EOF {
		return n, err
	}
	if err = g.z.Reset(g.br); err == nil {
		g.z.Multistream(false)
		return n, nil
	}
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// Close gives the reader back. It is called once.
func (g *gzipReader) Close() error {
	g.br.Reset(nil) // it must not hold the body
	gzipReaders.Put(g)
	return nil
}
