package llm

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
)

var (
	errStalled     = errors.New("the model's server has been silent for too long")
	errTooLarge    = errors.New("the answer of the model's server is too large")
	errNotStreamed = errors.New("the model's server does not stream")
)

// doer sends requests for the client library, and guards what comes back: silence, length, and
// lines without end. The headers that the library forgets are noted.
type doer struct {
	client           *http.Client
	stall            time.Duration
	maxLine, maxBody int
}

// noted is what a try needs from the answer's headers.
type noted struct {
	streamed   bool // requested
	retryAfter string
}

type notedKey struct{}

// Do is the client library's seam. Closing the body ends what guards it.
func (d *doer) Do(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	timer := time.AfterFunc(d.stall, func() { cancel(errStalled) })
	end := func() {
		timer.Stop()
		cancel(nil)
	}
	resp, err := d.client.Do(r.WithContext(ctx))
	if err != nil {
		err = causeOf(ctx, err)
		end()
		return nil, err
	}
	resp.Body = &guardedBody{body: resp.Body, ctx: ctx, end: end, alive: func() { timer.Reset(d.stall) },
		line: d.maxLine, maxLine: d.maxLine, left: d.maxBody}
	n, ok := r.Context().Value(notedKey{}).(*noted)
	if !ok {
		return resp, nil
	}
	n.retryAfter = resp.Header.Get("Retry-After")
	if n.streamed && resp.StatusCode == http.StatusOK && contentType(resp) == "application/json" {
		resp.Body.Close()
		return nil, errNotStreamed
	}
	return resp, nil
}

func contentType(resp *http.Response) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return kind
}

// causeOf prefers the package's own reason for the end of ctx to the general one.
func causeOf(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStalled) {
		return errStalled
	}
	return err
}

// guardedBody is a body with bounds.
type guardedBody struct {
	body          io.ReadCloser
	ctx           context.Context
	end, alive    func()
	line, maxLine int // bytes left of this line
	left          int // bytes left of all
}

// Read passes on what is within the bounds.
func (g *guardedBody) Read(p []byte) (int, error) {
	n, err := g.body.Read(p)
	if n > 0 {
		g.alive()
	}
	if g.left -= n; g.left < 0 || !g.fits(p[:n]) {
		return 0, errTooLarge
	}
	if err != nil && err != io.EOF {
		err = causeOf(g.ctx, err)
	}
	return n, err
}

// fits reports whether no line is too long with what has come.
func (g *guardedBody) fits(p []byte) bool {
	for _, c := range p {
		if g.line--; g.line < 0 {
			return false
		}
		if c == '\n' {
			g.line = g.maxLine
		}
	}
	return true
}

// Close ends the guard and the body.
func (g *guardedBody) Close() error {
	g.end()
	return g.body.Close()
}
