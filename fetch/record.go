package fetch

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"

	"github.com/winnow-go/winnow/fetch/archive"
)

// Recorder keeps exchanges. It is called concurrently, once for each response that a site has sent, redirects and those that are retried
// included; it reads the bodies before it returns. What it can't keep is for it to report.
type Recorder interface {
	Record(archive.Exchange)
	// Resource keeps something that is no response of one exchange, such as a message of a websocket.
	Resource(address, mediaType string, body io.Reader)
}

// recorded is one request on its way, as it will be recorded; nil where nothing records. It belongs to one attempt.
type recorded struct {
	to       Recorder
	exchange archive.Exchange
	body     bytes.Buffer
}

type recorderKey struct{}

// WithRecorder derives a context whose requests have a recorder of their own, which takes the place of Options.Record.
func WithRecorder(ctx context.Context, to Recorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, to)
}

// RecorderOf is the one of WithRecorder; nil for none.
func RecorderOf(ctx context.Context) Recorder {
	to, _ := ctx.Value(recorderKey{}).(Recorder)
	return to
}

// record begins an exchange with its request.
func (t *trip) record(r *http.Request) *recorded {
	to := t.client.opt.Record
	if own := RecorderOf(r.Context()); own != nil {
		to = own
	}
	if to == nil {
		return nil
	}
	h := r.Header.Clone()
	h.Del("Proxy-Authorization") // which is between the client and its proxy
	request := &archive.Message{Line: r.Method + " " + t.at.wire.RequestURI() + " HTTP/1.1",
		Header: append(archive.Header{{Name: "Host", Value: r.Host}}, RecordedHeader(h)...)}
	return &recorded{to: to, exchange: archive.Exchange{URL: t.at.href(), Request: request}}
}

// RecordedHeader is a header in the form and the order in which it is recorded.
func RecordedHeader(h map[string][]string) archive.Header {
	var fields archive.Header
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			fields = append(fields, archive.Field{Name: name, Value: value})
		}
	}
	return fields
}

// watch makes the request say which server it goes to. Behind a proxy that isn't known.
func (r *recorded) watch(request *http.Request, proxy Proxy) *http.Request {
	if r == nil || !proxy.none() {
		return request
	}
	got := func(info httptrace.GotConnInfo) {
		if a, ok := info.Conn.RemoteAddr().(*net.TCPAddr); ok {
			r.exchange.IP = a.IP.String()
		}
	}
	return request.WithContext(httptrace.WithClientTrace(request.Context(), &httptrace.ClientTrace{GotConn: got}))
}

// response takes the head of the response, and makes its body one that is recorded as it is read.
func (r *recorded) response(resp *http.Response) {
	if r == nil {
		return
	}
	line := "HTTP/1.1 " + statusText(resp)
	r.exchange.Response = &archive.Message{Line: line, Header: RecordedHeader(resp.Header)}
	r.exchange.Truncated = "unspecified" // until the body's end has been read
	resp.Body = &recordedBody{ReadCloser: resp.Body, r: r, length: resp.ContentLength}
}

// statusText is the status with the site's words for it.
func statusText(resp *http.Response) string {
	if resp.Status != "" {
		return resp.Status
	}
	return http.StatusText(resp.StatusCode)
}

// recordedBody remembers what is read, encoded as it comes.
type recordedBody struct {
	io.ReadCloser
	r      *recorded
	length int64 // -1: not known
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.r.body.Write(p[:n])
	if err == io.EOF || int64(b.r.body.Len()) == b.length {
		b.r.exchange.Truncated = ""
	}
	return n, err
}

// done records the exchange, if there was a response.
func (r *recorded) done() {
	if r == nil || r.exchange.Response == nil {
		return
	}
	r.exchange.Response.Body = &r.body
	r.to.Record(r.exchange)
}
