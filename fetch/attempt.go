package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"time"
)

const (
	maxDrain  = 4 << 10         // bytes of a redirect's body that are read to keep its connection
	drainTime = 1 * time.Second // and how long that may take
)

// attempt sends one request for the trip's current URL.
func (t *trip) attempt(ctx context.Context) (*answer, error) {
	proxy, err := t.client.proxyFor(&t.req, t.at.wire)
	if err != nil {
		return nil, &ProxyError{Err: err}
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &watch{cancel: cancel}
	defer w.stop()
	tr := t.client.transports.get(transportKey{t.req.SkipTLSVerify, proxy})
	resp, err := tr.RoundTrip(t.request(inner, w))
	if err != nil {
		return nil, t.explain(ctx, inner, err)
	}
	defer resp.Body.Close()
	t.keepCookies(resp)
	a := &answer{status: resp.StatusCode, header: resp.Header, location: t.redirect(resp)}
	if a.location != "" {
		drain(resp, w)
		return a, nil
	}
	if a.body, err = t.readBody(resp, w); err == nil {
		return a, nil
	}
	err = t.explain(ctx, inner, err)
	if len(a.body) == 0 || !t.req.AcceptDamaged || ctx.Err() != nil {
		return nil, err
	}
	a.damage = err
	return a, nil
}

// request builds the request. Each connection it gets, a kept-alive one too, is checked against the policy
// once more before anything is sent over it.
func (t *trip) request(ctx context.Context, w *watch) *http.Request {
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if err := t.client.dialer.Recheck(info.Conn); err != nil {
			w.cancel(err)
			return
		}
		w.begin("headers", t.client.opt.HeaderTimeout)
	}}
	r := &http.Request{Method: http.MethodGet, URL: t.at.wire, Host: t.at.wire.Host, Header: t.header(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	t.at.authorize(r)
	return r.WithContext(httptrace.WithClientTrace(ctx, trace))
}

// redirect returns the Location to follow, or "".
func (t *trip) redirect(resp *http.Response) string {
	if t.client.opt.MaxRedirects < 0 {
		return ""
	}
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return resp.Header.Get("Location")
	}
	return ""
}

// drain reads a small body to its end, so that the connection can be used again. A failure costs no more
// than that.
func drain(resp *http.Response, w *watch) {
	if resp.ContentLength > maxDrain {
		return
	}
	w.begin("body", drainTime)
	_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
}

// explain converts the error that ended a request to one of the package's errors, or the caller's context's.
func (t *trip) explain(caller, inner context.Context, err error) error {
	if caller.Err() != nil {
		return contextError(caller)
	}
	if cause := context.Cause(inner); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return Classify(t.at.w.Hostname()+":"+t.at.port, err)
}

// watch ends a request whose current phase takes too long.
type watch struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration
}

// begin starts a phase; the one before is over.
func (w *watch) begin(phase string, limit time.Duration) {
	w.stop()
	w.limit = limit
	w.timer = time.AfterFunc(limit, func() { w.cancel(&TimeoutError{Phase: phase, After: limit}) })
}

// touch says that the phase has made progress.
func (w *watch) touch() { w.timer.Reset(w.limit) }

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
