package filter

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lineReader gives the lines of a list one by one and holds only one of them.
type lineReader struct {
	in      *bufio.Reader
	limited *io.LimitedReader
	max     int
	buffer  []byte
}

func newLineReader(source io.Reader, maxBytes int64, maxLine int) *lineReader {
	limited := &io.LimitedReader{R: source, N: maxBytes + 1} // one more distinguishes "just full" from "cut"
	return &lineReader{in: bufio.NewReader(limited), limited: limited, max: maxLine}
}

// next returns a line without its end. A line that is too long comes as its beginning.
// After the last one the error is io.EOF.
func (l *lineReader) next() (line string, tooLong bool, err error) {
	l.buffer = l.buffer[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.buffer = append(l.buffer, part[:min(len(part), l.max+2-len(l.buffer))]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (err != io.EOF || len(l.buffer) == 0) {
			return "", false, err
		}
		text := bytes.TrimRight(l.buffer, "\r\n")
		return string(text), len(text) > l.max, nil
	}
}

// cut reports whether the list has more than may be read of it.
func (l *lineReader) cut() bool { return l.limited.N == 0 }
