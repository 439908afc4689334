package guard

import (
	"bufio"
	"errors"
	"io"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// maxHead bounds the head of a request or response, in bytes.
const maxHead = 1 << 20

var (
	errHeadTooBig = errors.New("head is too big")
	errBadRequest = errors.New("not a proxy request")
)

// head is the beginning of a request. The target stays as it was sent: net/url refuses paths that browsers
// send.
type head struct {
	method, target string
	http10         bool
	header         textproto.MIMEHeader
	length         int64 // of the body; -1: chunked
	cut            bool  // the body wasn't read to its end
}

// capped is a reader that fails after left bytes, when it is capped at all.
type capped struct {
	r    io.Reader
	left int64 // negative: no bound
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return c.r.Read(p)
	}
	if c.left == 0 {
		return 0, errHeadTooBig
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// incoming is a connection that heads and bodies are read from in turn.
type incoming struct {
	capped *capped
	br     *bufio.Reader
}

func newIncoming(r io.Reader) *incoming {
	c := &capped{r: r, left: -1}
	return &incoming{capped: c, br: bufio.NewReader(c)}
}

// readHead reads one request head. io.EOF: the browser has closed the connection between two requests.
func (in *incoming) readHead() (*head, error) {
	in.capped.left = maxHead
	defer func() { in.capped.left = -1 }()
	if _, err := in.br.Peek(1); err != nil {
		return nil, err
	}
	tp := textproto.NewReader(in.br)
	line, err := tp.ReadLine()
	if err != nil {
		return nil, err
	}
	header, err := tp.ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	return parseHead(line, header)
}

func parseHead(line string, header textproto.MIMEHeader) (*head, error) {
	method, rest, _ := strings.Cut(line, " ")
	target, proto, ok := strings.Cut(rest, " ")
	if !ok || !httpguts.ValidHeaderFieldName(method) || !plainTarget(target) || proto != "HTTP/1.1" && proto != "HTTP/1.0" {
		return nil, errBadRequest
	}
	for name, values := range header {
		if !httpguts.ValidHeaderFieldName(name) || !allValid(values) {
			return nil, errBadRequest
		}
	}
	length, err := bodyLength(header)
	if err != nil {
		return nil, err
	}
	return &head{method: method, target: target, http10: proto == "HTTP/1.0", header: header, length: length}, nil
}

func allValid(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return !httpguts.ValidHeaderFieldValue(v) })
}

// plainTarget reports whether a target is one word without control characters.
func plainTarget(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// bodyLength is the length that the framing headers give. Contradictory ones are refused, since the next server
// might read them differently.
func bodyLength(header textproto.MIMEHeader) (int64, error) {
	lengths, codings := header["Content-Length"], header["Transfer-Encoding"]
	switch {
	case len(lengths) == 0 && len(codings) == 0:
		return 0, nil
	case len(codings) == 1 && len(lengths) == 0 && strings.EqualFold(codings[0], "chunked"):
		return -1, nil
	case len(lengths) == 1 && len(codings) == 0:
		n, err := strconv.ParseUint(lengths[0], 10, 63)
		if err == nil {
			return int64(n), nil
		}
	}
	return 0, errBadRequest
}

// hopByHop are the headers that end at a proxy. It is read only.
var hopByHop = map[string]bool{
	"Connection": true, "Keep-Alive": true, "Te": true, "Trailer": true, "Transfer-Encoding": true,
	"Upgrade": true, "Http2-Settings": true, "Content-Length": true, "Expect": true,
}

// writeHeader writes the headers that go through a proxy: not the hop-by-hop ones, not those that Connection
// names, not Proxy-* and not the guard's own.
func writeHeader(b *strings.Builder, header map[string][]string) {
	named := map[string]bool{}
	for _, v := range header["Connection"] {
		for name := range strings.SplitSeq(v, ",") {
			named[textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))] = true
		}
	}
	for name, values := range header {
		if hopByHop[name] || named[name] || strings.HasPrefix(name, "Proxy-") || name == Header {
			continue
		}
		for _, v := range values {
			b.WriteString(name + ": " + v + "\r\n")
		}
	}
}

// upgrade is the protocol that a message wants to change to, or "".
func upgrade(header map[string][]string) string {
	if len(header["Upgrade"]) == 1 && hasToken(header["Connection"], "upgrade") {
		return header["Upgrade"][0]
	}
	return ""
}

// repeatable reports whether the request may be sent twice.
func (h *head) repeatable() bool { return h.length == 0 && upgrade(h.header) == "" }

// keepAlive reports whether the browser wants to send another request over the connection, and may.
func (h *head) keepAlive() bool {
	return !h.http10 && !h.cut && !hasToken(h.header["Connection"], "close") && !hasToken(h.header["Proxy-Connection"], "close")
}

func hasToken(values []string, token string) bool {
	return httpguts.HeaderValuesContainsToken(values, token)
}
