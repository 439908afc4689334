package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxHead bounds the header of a record and the head of an HTTP message, in bytes.
const maxHead = 1 << 20

// Field is one line of a header.
type Field struct{ Name, Value string }

// Header is the fields of a record or of an HTTP message, in the order in which they are stored. Names are compared
// without regard to letter case.
type Header []Field

// Get returns the first value of a name, "" if there is none.
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Set replaces the first field of the name and removes the others; without one, it appends the field.
func (h *Header) Set(name, value string) {
	kept, done := Header{}, false
	for _, f := range *h {
		switch {
		case !strings.EqualFold(f.Name, name):
			kept = append(kept, f)
		case !done:
			kept, done = append(kept, Field{f.Name, value}), true
		}
	}
	if !done {
		kept = append(kept, Field{name, value})
	}
	*h = kept
}

// Del removes the fields of a name.
func (h *Header) Del(name string) {
	kept := Header{}
	for _, f := range *h {
		if !strings.EqualFold(f.Name, name) {
			kept = append(kept, f)
		}
	}
	*h = kept
}

// writeTo appends the fields and the empty line behind them.
func (h Header) writeTo(b *strings.Builder) {
	for _, f := range h {
		b.WriteString(oneLine(f.Name) + ": " + oneLine(f.Value) + "\r\n")
	}
	b.WriteString("\r\n")
}

// oneLine keeps a value from ending its line.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.TrimSpace(strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ").Replace(s))
}

var errLongHead = fmt.Errorf("a header of more than %d bytes", maxHead)

// head reads lines within the bound of a header.
type head struct {
	in   *bufio.Reader
	left int
}

func newHead(in *bufio.Reader) *head { return &head{in, maxHead} }

// line reads a line, without its end. A last line that has none is io.ErrUnexpectedEOF, unless it is empty: io.EOF.
func (h *head) line() (string, error) {
	var b strings.Builder
	for {
		part, err := h.in.ReadSlice('\n')
		if h.left -= len(part); h.left < 0 {
			return "", errLongHead
		}
		b.Write(part)
		switch {
		case err == nil:
			return strings.TrimRight(b.String(), "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && b.Len() > 0:
			return "", io.ErrUnexpectedEOF
		default:
			return "", err
		}
	}
}

// fields reads to the empty line. With strict, a line that is no field is an error; HTTP messages have such lines, which are dropped.
func (h *head) fields(strict bool) (Header, error) {
	var fields Header
	for {
		line, err := h.line()
		switch {
		case err == io.EOF:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case line == "":
			return fields, nil
		case (line[0] == ' ' || line[0] == '\t') && len(fields) > 0:
			fields[len(fields)-1].Value += " " + strings.TrimSpace(line)
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); ok && name != "" {
			fields = append(fields, Field{name, strings.TrimSpace(value)})
		} else if strict {
			return nil, fmt.Errorf("%.40q is no field of a header", line)
		}
	}
}
