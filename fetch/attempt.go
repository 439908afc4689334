package fetch

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/fetch/auth"
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
	forward := t.forwarding(proxy)
	request := t.request(inner, w, forward)
	record := t.record(request)
	defer record.done()
	resp, err := t.send(record.watch(request, proxy), transportKey{t.req.SkipTLSVerify, proxy, t.trusted})
	if err != nil {
		return nil, t.explain(ctx, inner, err)
	}
	record.response(resp)
	defer resp.Body.Close()
	if err := t.client.Missed(t.at.href(), resp.Header); err != nil {
		return nil, err
	}
	if err := forward.Check(resp.StatusCode); err != nil {
		return nil, err
	}
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
	if w.late.Load() && !t.cuts(resp, a.body) {
		return nil, err
	}
	if len(a.body) == 0 || !t.req.AcceptDamaged || ctx.Err() != nil {
		return nil, err
	}
	a.damage = err
	return a, nil
}

// send sends the request, with what its origin gets of Options.Access. Headers of the caller are not replaced.
func (t *trip) send(r *http.Request, k transportKey) (*http.Response, error) {
	var login *auth.Login
	if t.trusted && r.Header["Authorization"] == nil {
		login = t.client.Access().Login(auth.Origin{Scheme: t.at.w.Scheme(), Host: t.at.w.Hostname(), Port: t.at.port})
	}
	tr := t.client.transports.get(k)
	if login == nil {
		return tr.RoundTrip(r)
	}
	known := auth.Request{Method: r.Method, Target: t.at.wire.RequestURI(), Cookie: r.Header.Get("Cookie"), UserAgent: t.req.UserAgent, Through: tr}
	if !login.Connected() {
		return login.Do(r.Context(), known, sender(tr, r))
	}
	l := t.client.transports.lane(laneKey{k, t.at.w.Scheme(), t.at.wire.Host})
	known.Conn = &l.conn
	give := sync.OnceFunc(func() { t.client.transports.give(l) })
	resp, err := login.Do(r.Context(), known, sender(l, r))
	if err != nil {
		give()
		return nil, err
	}
	resp.Body = &laneBody{resp.Body, give}
	return resp, nil
}

// sender sends copies of a request that have more headers.
func sender(through http.RoundTripper, r *http.Request) auth.Sender {
	return func(more http.Header, _ bool) (*http.Response, error) {
		again := r.Clone(r.Context())
		maps.Copy(again.Header, more)
		return through.RoundTrip(again)
	}
}

// cuts reports whether a body that comes too slowly is text of which the request takes a part.
func (t *trip) cuts(resp *http.Response, body []byte) bool {
	return t.bodyTime(resp) > 0 && IsText(sniff(resp.Header.Get("Content-Type"), body))
}

// bodyTime is how long the body may take; 0 for no limit.
func (t *trip) bodyTime(resp *http.Response) time.Duration {
	if t.req.BodyTime == nil {
		return 0
	}
	return t.req.BodyTime(declaredType(resp.Header.Get("Content-Type")))
}

// request builds the request. Each connection it gets, a kept-alive one too, is checked against the policy
// once more before anything is sent over it.
func (t *trip) request(ctx context.Context, w *watch, forward *Forward) *http.Request {
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
	t.forward(r, forward)
	return r.WithContext(httptrace.WithClientTrace(ctx, trace))
}

// forwarding says how the request is sent to a proxy that gets it itself. Nil: the proxy opens a tunnel, or there is none.
func (t *trip) forwarding(p Proxy) *Forward {
	up, err := parseProxy(p)
	if err != nil || !up.forwards() || t.at.w.Scheme() != "http" {
		return nil
	}
	return &Forward{Authorization: up.authorization(), proxy: up.name()}
}

// forward puts a request that the proxy gets itself into absolute form, with the proxy's credentials.
func (t *trip) forward(r *http.Request, to *Forward) {
	if to == nil {
		return
	}
	r.URL = t.at.absolute()
	if to.Authorization != "" {
		r.Header.Set("Proxy-Authorization", to.Authorization)
	}
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
	if _, ok := errors.AsType[*auth.LoginError](err); ok {
		return err
	}
	return Classify(t.at.w.Hostname()+":"+t.at.port, err)
}

// watch ends a request whose current phase takes too long.
type watch struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration
	end    *time.Timer // of the phase, however it goes on; nil for none
	late   atomic.Bool // a phase took too long
	moved  atomic.Bool // some phase has made progress
}

// begin starts a phase; the one before is over.
func (w *watch) begin(phase string, limit time.Duration) {
	w.stop()
	w.limit = limit
	w.timer = time.AfterFunc(limit, func() { w.over(phase, limit) })
}

// within ends the phase after a time, if it has made some progress by then; 0 is no limit.
func (w *watch) within(phase string, limit time.Duration) {
	if limit <= 0 {
		return
	}
	w.end = time.AfterFunc(limit, func() {
		if w.moved.Load() {
			w.over(phase, limit)
		}
	})
}

func (w *watch) over(phase string, limit time.Duration) {
	w.late.Store(true)
	w.cancel(&TimeoutError{Phase: phase, After: limit})
}

// touch says that the phase has made progress.
func (w *watch) touch() {
	w.moved.Store(true)
	w.timer.Reset(w.limit)
}

func (w *watch) stop() {
	for _, t := range []*time.Timer{w.timer, w.end} {
		if t != nil {
			t.Stop()
		}
	}
}
