package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// decoded drops the Content-Encoding of a body that does not have it: some tools store bodies as scripts see them, below the header that
// the site sent.
func (a *Answer) decoded() *Answer {
	coding := strings.ToLower(a.Header.Get("Content-Encoding"))
	if a.Body == nil || coding == "" {
		return a
	}
	in := bufio.NewReader(a.Body)
	begin, _ := in.Peek(256)
	if a.Body = in; len(begin) > 0 && !beginsEncoded(coding, begin) {
		a.Header.Del("Content-Encoding")
	}
	return a
}

// beginsEncoded reports whether a body begins as its content encoding does. Of others than these it is assumed.
func beginsEncoded(coding string, begin []byte) bool {
	switch coding {
	case "gzip", "x-gzip":
		return bytes.HasPrefix(begin, []byte{0x1f, 0x8b})
	case "zstd":
		skippable := len(begin) > 3 && begin[0]&0xf0 == 0x50 && bytes.HasPrefix(begin[1:], []byte{0x2a, 0x4d, 0x18})
		return skippable || bytes.HasPrefix(begin, []byte{0x28, 0xb5, 0x2f, 0xfd})
	case "br":
		_, err := io.Copy(io.Discard, brotli.NewReader(bytes.NewReader(begin)))
		return err == nil || err == io.ErrUnexpectedEOF
	}
	return true
}

// decode undoes one content encoding.
func decode(coding string, stored []byte) (plain []byte, err error) {
	var r io.Reader = bytes.NewReader(stored)
	switch strings.ToLower(coding) {
	case "", "identity":
		return stored, nil
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(r)
	case "br":
		r = brotli.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxAnswer))
	default:
		err = fmt.Errorf("content encoding %.40q: not known", coding)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxAnswer))
}
