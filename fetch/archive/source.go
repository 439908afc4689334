package archive

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

const (
	window = 64 << 10 // bytes that are looked at at once in search of a record
	// maxStart is how many bytes at the beginning of a record decide that it is one.
	maxStart = 4 << 10
	// maxReread bounds what is read more than once of a file, in bytes: records that are searched for inside damaged ones would else
	// make a hostile file cost the square of its size.
	maxReread = 256 << 20
)

// source is a file as it is stored, with the place where it is being read.
type source struct {
	in    *bufio.Reader
	from  *counted
	seek  io.Seeker // nil: a stream
	base  int64     // of the first byte in seek's terms
	again int64     // bytes read more than once
}

// counted counts what was read, and remembers what reading failed with.
type counted struct {
	r    io.Reader
	n    int64
	fail error // not io.EOF
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.fail = err
	}
	return n, err
}

func newSource(r io.Reader) *source {
	s := &source{from: &counted{r: r}}
	s.in = bufio.NewReaderSize(s.from, window)
	if seek, ok := r.(io.Seeker); ok {
		if at, err := seek.Seek(0, io.SeekCurrent); err == nil {
			s.seek, s.base = seek, at
		}
	}
	return s
}

// offset is the place of the next byte.
func (s *source) offset() int64 { return s.from.n - int64(s.in.Buffered()) }

// back returns to an earlier place and reports whether it did: some sources can't, and none does so too often.
func (s *source) back(to int64) bool {
	twice := s.from.n - to
	if s.seek == nil || to >= s.offset() || s.again+twice > maxReread {
		return false
	}
	if _, err := s.seek.Seek(s.base+to, io.SeekStart); err != nil {
		s.from.fail = err
		return false
	}
	s.again += twice
	s.from.n = to
	s.in.Reset(s.from)
	return true
}

// find moves to the next place where a record starts, which is io.EOF if there is none. As text, records start with a line; fresh: the
// reader is at the beginning of one.
func find(in *bufio.Reader, fresh bool, starts func([]byte) bool) error {
	for {
		w, err := in.Peek(window)
		last := err != nil
		end := len(w)
		if !last {
			end -= maxStart
		}
		for i := 0; i < end; i++ {
			if (w[i] == gzipMagic[0] || fresh) && starts(w[i:]) {
				_, err := in.Discard(i)
				return err
			}
			fresh = w[i] == '\n'
		}
		_, _ = in.Discard(end)
		if last {
			return err
		}
	}
}

// gzipMagic is how a gzip member begins whose content is deflated.
var gzipMagic = []byte{0x1f, 0x8b, 8}

// startsStored reports whether a record starts, as text or as a gzip member.
func startsStored(b []byte) bool {
	if !bytes.HasPrefix(b, gzipMagic) {
		return startsText(b)
	}
	z, err := gzip.NewReader(bytes.NewReader(b[:min(len(b), maxStart)]))
	if err != nil {
		return false
	}
	text := make([]byte, maxStart)
	n, _ := io.ReadFull(z, text)
	return startsText(text[:n])
}

// startsText reports whether a record starts.
func startsText(b []byte) bool {
	if bytes.HasPrefix(b, []byte("WARC/")) {
		return true
	}
	line, _, ok := bytes.Cut(b[:min(len(b), maxStart)], []byte("\n"))
	return ok && isArcLine(string(line))
}

// isArcLine reports whether a line is the header of an ARC record, damaged ones included: a URL and at least four fields, of which
// one looks like a time.
func isArcLine(line string) bool {
	f := strings.Fields(line)
	return len(f) >= 5 && len(line) < maxStart && strings.Contains(f[0], ":") && !strings.HasSuffix(f[0], ":") && isStamp(f[2])
}

// isStamp reports a time in digits, of at least a day.
func isStamp(s string) bool {
	return len(s) >= 8 && strings.Trim(s, "0123456789") == ""
}
