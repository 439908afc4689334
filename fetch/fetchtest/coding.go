package fetchtest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"io"
	"net/http"
	"strconv"
)

// EncodedText is the text in the pages that come with a content-encoding.
const EncodedText = "Packed and unpacked again, nothing was lost."

// encoded serves the same page in an encoding, whatever the client accepts.
func encoded(coding string, pack func([]byte) []byte) http.HandlerFunc {
	body := pack([]byte(framed("Packed", "<p>"+EncodedText+"</p>")))
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", coding)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	}
}

func gzipped(b []byte) []byte {
	return packed(b, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

func zlibbed(b []byte) []byte {
	return packed(b, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
}

func deflated(b []byte) []byte {
	return packed(b, func(w io.Writer) io.WriteCloser {
		f, err := flate.NewWriter(w, flate.DefaultCompression)
		if err != nil {
			panic(err) // of a constant level: can't happen
		}
		return f
	})
}

func packed(b []byte, packer func(io.Writer) io.WriteCloser) []byte {
	var out bytes.Buffer
	w := packer(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// brotlied writes brotli by hand: a stream header and meta-blocks that hold their bytes unpacked (RFC 7932).
func brotlied(b []byte) []byte {
	var out bits
	out.put(0, 1) // window of 16 bits
	for len(b) > 0 {
		n := min(len(b), 1<<16)
		out.put(0, 1) // not the last
		out.put(0, 2) // length in four nibbles
		out.put(uint64(n-1), 16)
		out.put(1, 1) // unpacked
		out.align()
		out.b = append(out.b, b[:n]...)
		b = b[n:]
	}
	out.put(3, 2) // last and empty
	out.align()
	return out.b
}

// bits collects bits, the lowest first.
type bits struct {
	b    []byte
	rest uint64
	n    int
}

func (w *bits) put(v uint64, n int) {
	w.rest |= v << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.b = append(w.b, byte(w.rest))
		w.rest >>= 8
	}
}

func (w *bits) align() {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
}

// zstdHead begins a zstd frame with a window of 128 KiB and neither size nor checksum (RFC 8878).
const zstdHead = "\x28\xb5\x2f\xfd\x00\x38"

const zstdBlock = 128 << 10 // the largest

// zstded writes zstd by hand, in raw blocks.
func zstded(b []byte) []byte {
	out := []byte(zstdHead)
	for {
		n := min(len(b), zstdBlock)
		last := 0
		if n == len(b) {
			last = 1
		}
		out = appendBlock(out, n, 0, last)
		out = append(out, b[:n]...)
		if b = b[n:]; last == 1 {
			return out
		}
	}
}

func appendBlock(out []byte, size, kind, last int) []byte {
	head := binary.LittleEndian.AppendUint32(nil, uint32(size<<3|kind<<1|last))
	return append(out, head[:3]...)
}

func gzipBomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	zeros := make([]byte, 1<<20)
	for range number(r, "mb", 200, 4096) {
		if _, err := z.Write(zeros); err != nil || r.Context().Err() != nil {
			return
		}
	}
	_ = z.Close()
}

// zstdBomb unpacks 4 bytes to 128 KiB.
func zstdBomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Encoding", "zstd")
	out := []byte(zstdHead)
	for range number(r, "mb", 200, 4096) << 20 / zstdBlock {
		out = append(appendBlock(out, zstdBlock, 1, 0), 0)
	}
	_, _ = w.Write(appendBlock(out, 0, 0, 1))
}
