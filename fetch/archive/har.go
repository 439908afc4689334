package archive

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxHAREntry bounds an exchange of a HAR file, in bytes as stored.
const maxHAREntry = 128 << 20

type harEntry struct {
	Started  time.Time `json:"startedDateTime"`
	Server   string    `json:"serverIPAddress"`
	Request  harRequest
	Response harResponse
}

type harRequest struct {
	Method, URL string
	Headers     Header
	PostData    *struct {
		MimeType, Text string
		Params         []Field
	}
}

type harResponse struct {
	Status     int
	StatusText string
	Headers    Header
	Content    struct {
		Size                     int64
		MimeType, Text, Encoding string
	}
}

// ReadHAR reads the exchanges of a HAR 1.2 file one by one. An exchange that can't be used, since it has no response or its body isn't in
// the file, is an error that names it, behind which the others follow; a file that can't be read is the last error. HAR has bodies
// without their Content-Encoding, which is dropped, and so are headers that HTTP/1.1 doesn't have.
func ReadHAR(r io.Reader) iter.Seq2[Exchange, error] { return readHAR(r, maxHAREntry) }

// readHAR reads a file whose exchanges have up to limit bytes.
func readHAR(r io.Reader, limit int64) iter.Seq2[Exchange, error] {
	return func(yield func(Exchange, error) bool) {
		h := newHARReader(r, limit)
		if err := h.enter("log", "entries"); err != nil {
			yield(Exchange{}, fmt.Errorf("HAR: %w", err))
			return
		}
		for h.d.More() {
			e, err := h.next()
			if !yield(e, err) || err != nil && h.failed {
				return
			}
		}
		if _, err := h.d.Token(); err != nil {
			yield(Exchange{}, fmt.Errorf("HAR: %w", early(err)))
		}
	}
}

// next reads an exchange.
func (h *harReader) next() (Exchange, error) {
	h.in.left = h.in.limit
	var e harEntry
	err := h.d.Decode(&e)
	switch {
	case err == nil:
		return e.exchange()
	case recoverable(err):
		return Exchange{}, fmt.Errorf("HAR: exchange %s: %w", plainURL(e.Request.URL), err)
	}
	h.failed = true
	return Exchange{}, fmt.Errorf("HAR: %w", early(err))
}

// recoverable reports an error behind which the decoder goes on with the next value.
func recoverable(err error) bool {
	_, wrongType := errors.AsType[*json.UnmarshalTypeError](err)
	_, wrongTime := errors.AsType[*time.ParseError](err)
	return wrongType || wrongTime
}

// allowance is a reader that fails after so many bytes.
type allowance struct {
	r           io.Reader
	left, limit int64
}

func (a *allowance) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, fmt.Errorf("an exchange of more than %d bytes", a.limit)
	}
	n, err := a.r.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	return n, err
}

type harReader struct {
	in     *allowance
	d      *json.Decoder
	failed bool // the file can't be read any further
}

const byteOrderMark = "\xef\xbb\xbf" // which some tools write first

func newHARReader(r io.Reader, limit int64) *harReader {
	text := bufio.NewReader(r)
	if begin, _ := text.Peek(len(byteOrderMark)); string(begin) == byteOrderMark {
		_, _ = text.Discard(len(byteOrderMark))
	}
	in := &allowance{r: text, left: limit, limit: limit}
	return &harReader{in: in, d: json.NewDecoder(in)}
}

// enter goes into objects by names, and then into the array that the last one names.
func (h *harReader) enter(names ...string) error {
	for _, name := range names {
		if err := h.delim('{'); err != nil {
			return err
		}
		if err := h.find(name); err != nil {
			return err
		}
	}
	return h.delim('[')
}

func (h *harReader) delim(want json.Delim) error {
	t, err := h.d.Token()
	if err == nil && t != want {
		err = fmt.Errorf("%v where %v must be", t, want)
	}
	return early(err)
}

// find moves behind a name of the object.
func (h *harReader) find(name string) error {
	for h.d.More() {
		t, err := h.d.Token()
		if err != nil {
			return early(err)
		}
		if t == name {
			return nil
		}
		if err := h.skip(); err != nil {
			return early(err)
		}
	}
	return fmt.Errorf("no %q", name)
}

// skip moves behind a value.
func (h *harReader) skip() error {
	depth := 0
	for {
		h.in.left = h.in.limit
		t, err := h.d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// exchange converts an entry.
func (e *harEntry) exchange() (Exchange, error) {
	fail := func(reason string) (Exchange, error) {
		return Exchange{}, fmt.Errorf("HAR: exchange %s: %s", plainURL(e.Request.URL), reason)
	}
	u, err := url.Parse(e.Request.URL)
	if err != nil || u.Host == "" {
		return fail("its url is no absolute address")
	}
	if e.Response.Status < 100 || e.Response.Status > 999 {
		return fail("it has no response")
	}
	body, err := e.Response.body()
	if err != nil {
		return fail(err.Error())
	}
	return Exchange{URL: e.Request.URL, Time: e.Started, IP: strings.Trim(e.Server, "[]"), Request: e.Request.message(u),
		Response: &Message{Line: strings.TrimSpace(fmt.Sprintf("HTTP/1.1 %d %s", e.Response.Status, e.Response.StatusText)),
			Header: e.Response.header(len(body)), Body: strings.NewReader(body)}}, nil
}

func (r *harResponse) body() (string, error) {
	if r.Content.Text == "" && r.Content.Size > 0 {
		return "", errors.New("its body isn't in the file")
	}
	if r.Content.Encoding == "" {
		return r.Content.Text, nil
	}
	if r.Content.Encoding != "base64" {
		return "", fmt.Errorf("its body has the unknown encoding %.40q", r.Content.Encoding)
	}
	body, err := base64.StdEncoding.DecodeString(r.Content.Text)
	if err != nil {
		return "", fmt.Errorf("its body is no base64")
	}
	return string(body), nil
}

func (r *harResponse) header(length int) Header {
	h := sent(r.Headers)
	h.Del("Content-Encoding")
	h.Set("Content-Length", strconv.Itoa(length))
	if h.Get("Content-Type") == "" && r.Content.MimeType != "" {
		h = append(h, Field{"Content-Type", r.Content.MimeType})
	}
	return h
}

// sent is a header as HTTP/1.1 has it, without pseudo-headers and transfer encodings.
func sent(from Header) Header {
	h := Header{}
	for _, f := range from {
		if f.Name != "" && !strings.HasPrefix(f.Name, ":") && !strings.EqualFold(f.Name, "Transfer-Encoding") {
			h = append(h, f)
		}
	}
	return h
}

func (r *harRequest) message(u *url.URL) *Message {
	method := strings.ToUpper(r.Method)
	if method == "" || strings.ContainsAny(method, " \t\r\n") {
		method = "GET"
	}
	m := &Message{Line: method + " " + u.RequestURI() + " HTTP/1.1", Header: sent(r.Headers)}
	if m.Header.Get("Host") == "" {
		m.Header = append(Header{{"Host", u.Host}}, m.Header...)
	}
	if r.PostData == nil {
		return m
	}
	if m.Header.Get("Content-Type") == "" {
		m.Header.Set("Content-Type", r.PostData.MimeType)
	}
	body := r.PostData.Text
	if body == "" {
		body = formOf(r.PostData.Params)
	}
	m.Header.Set("Content-Length", strconv.Itoa(len(body)))
	m.Body = strings.NewReader(body)
	return m
}

// formOf is the body of a form of which only the fields are known.
func formOf(params []Field) string {
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value)
	}
	return strings.Join(parts, "&")
}
