package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http/httputil"
	"strconv"
	"strings"
)

// ErrNoHTTP is the error of Record.HTTP for a record that holds no HTTP message.
var ErrNoHTTP = errors.New("no HTTP message")

// Message is a request or a response of HTTP/1.1, or what would be one of a later version.
type Message struct {
	// Line is the first line: "GET /path HTTP/1.1", or "HTTP/1.1 200 OK".
	Line   string
	Header Header
	// Body is without transfer encoding; a Content-Encoding is left as it is. Nil is none. Bodies of responses that were revisited are empty.
	Body io.Reader
}

// HTTP reads the head of the HTTP message in the record's block. Message.Body reads the rest of the block; its error at the end is that of
// Read. The error is ErrNoHTTP, or says what is wrong with the head.
func (r *Record) HTTP() (*Message, error) {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(media), "application/http") {
		return nil, ErrNoHTTP
	}
	in := bufio.NewReader(r)
	h := newHead(in)
	line, err := h.line()
	if err != nil {
		return nil, fmt.Errorf("HTTP message: %w", early(err))
	}
	m := &Message{Line: line}
	if m.Header, err = h.fields(false); err != nil {
		return nil, fmt.Errorf("HTTP message: %w", err)
	}
	if m.Status() == 0 && m.Method() == "" {
		return nil, fmt.Errorf("HTTP message: %.40q is no first line of one", line)
	}
	m.Body = in
	if strings.EqualFold(m.Header.Get("Transfer-Encoding"), "chunked") && isChunked(in) {
		m.Body = httputil.NewChunkedReader(in)
	}
	return m, nil
}

// isChunked reports whether a body begins as its Transfer-Encoding says: many tools store it without.
func isChunked(in *bufio.Reader) bool {
	b, _ := in.Peek(18)
	line, _, ok := strings.Cut(string(b), "\n")
	size, _, _ := strings.Cut(line, ";")
	_, err := strconv.ParseUint(strings.TrimSpace(size), 16, 64)
	return ok && err == nil
}

// Status is the status code of a response; 0 of a request.
func (m *Message) Status() int {
	version, rest, _ := strings.Cut(m.Line, " ")
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.Atoi(code)
	if !strings.HasPrefix(version, "HTTP/") || err != nil || n < 100 || n > 999 {
		return 0
	}
	return n
}

// Method is the method of a request; "" of a response.
func (m *Message) Method() string {
	method, rest, ok := strings.Cut(m.Line, " ")
	if !ok || strings.HasPrefix(method, "HTTP/") || !strings.Contains(rest, "HTTP/") {
		return ""
	}
	return method
}

// head is the message without its body, whose length it declares if that isn't what the site declared.
func (m *Message) head(length int64, bodyless bool) string {
	h := append(Header{}, m.Header...)
	chunked := h.Get("Transfer-Encoding") != ""
	if h.Del("Transfer-Encoding"); chunked || h.Get("Content-Length") != "" && !bodyless {
		h.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	var b strings.Builder
	b.WriteString(oneLine(m.Line) + "\r\n")
	h.writeTo(&b)
	return b.String()
}
