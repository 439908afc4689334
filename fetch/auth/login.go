package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	maxAnswers = 8       // of one request, challenges included
	maxRest    = 1 << 20 // bytes of an answer that is read to its end only so that its connection can be used again
)

// LoginError says why an origin has not been logged in to. It never holds a secret.
type LoginError struct {
	Origin string
	Reason string
	Err    error // the cause; may be nil
}

func (e *LoginError) Error() string {
	text := "log in to " + e.Origin + ": " + e.Reason
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

func (e *LoginError) Unwrap() error { return e.Err }

// Login is what one origin gets. It is safe for concurrent use.
type Login struct {
	origin Origin
	with   *Credentials
	pause  pause

	mu    sync.Mutex
	nonce *challenge // of Digest, to answer again
	count uint32     // how often it has been

	session session // of a login by form
}

func newLogin(o Origin, c *Credentials, now func() time.Time) *Login {
	l := &Login{origin: o, with: c, pause: pause{now: now}}
	l.session.gate = make(chan struct{}, 1)
	return l
}

// Connected reports whether what is agreed on belongs to a connection, which then carries one request after the other over HTTP/1.1.
func (l *Login) Connected() bool { return l.with.Method == NTLM || l.with.Method == Negotiate }

// Conn is what has been agreed on over one connection. The zero value is a new connection.
type Conn struct{ done bool }

// Request is a request as a Login has to know it. It belongs to one goroutine.
type Request struct {
	// Method and Target are those of the request line, the target without the origin.
	Method, Target string
	// Cookie is the request's own Cookie header, UserAgent the agent that a login by form names.
	Cookie, UserAgent string
	// Body: the request has a body. Once: that can't be sent again, so that what needs a challenge for each request is not answered.
	Body, Once bool
	// Conn is the connection that Sender uses. Nil is some connection.
	Conn *Conn
	// Through sends the requests of a login by form.
	Through http.RoundTripper
}

// Sender sends a request with more headers, which replace those of the same name, and returns the head of the answer; bare is without the
// request's body. Where the Login is Connected it uses the connection of Request.Conn, and sets that to its zero value when it has to make
// another.
type Sender func(more http.Header, bare bool) (*http.Response, error)

// Do sends a request with what its origin wants, as often as that takes, and returns the answer that stands: a 401 if the credentials were
// refused. The headers of answers that hold something secret are removed. The error is that of the Sender, a *LoginError, or ctx's.
func (l *Login) Do(ctx context.Context, r Request, send Sender) (*http.Response, error) {
	if l.with.Method == Form {
		return l.doInSession(ctx, r, send)
	}
	if l.pause.on() {
		return send(nil, false)
	}
	return l.negotiate(ctx, l.exchange(r), r, send)
}

// exchange makes the Authorization headers of one request.
type exchange interface {
	// begin is the header that is sent without a challenge; "" for none.
	begin(ctx context.Context) (string, error)
	// answer is the header that answers challenges; "": there is none, and the credentials have been refused.
	answer(ctx context.Context, given []challenge) (string, error)
	// opening reports whether the last header only opened a conversation: another will follow, with the body.
	opening() bool
}

func (l *Login) exchange(r Request) exchange {
	switch l.with.Method {
	case Digest:
		return &digestExchange{login: l, request: r}
	case NTLM, Negotiate:
		return &connectedExchange{login: l, conn: r.Conn}
	}
	return basicExchange{l.with}
}

func (l *Login) negotiate(ctx context.Context, e exchange, r Request, send Sender) (*http.Response, error) {
	header, err := e.begin(ctx)
	if err != nil {
		return nil, l.failed("no answer to begin with", err)
	}
	for range maxAnswers {
		bare := r.Body && e.opening()
		resp, err := send(authorization(header), bare)
		if err != nil {
			return nil, err
		}
		resp.Header.Del("Authentication-Info") // proves the password to those who know it, and helps others to guess it
		if resp.StatusCode != http.StatusUnauthorized {
			l.accept(r)
			if !bare {
				return resp, nil
			}
			if header, err = e.begin(ctx); err == nil { // over what needs no login, it seems
				err = drain(resp)
			}
			if err != nil {
				return nil, l.failed("a request without its body", err)
			}
			continue
		}
		if r.Once && !bare {
			return resp, nil
		}
		if header, err = e.answer(ctx, parseChallenges(resp.Header.Values("WWW-Authenticate"))); err != nil {
			resp.Body.Close()
			return nil, l.failed("the challenge can't be answered", err)
		}
		if header == "" {
			l.pause.refused()
			return resp, nil
		}
		if err := drain(resp); err != nil {
			return nil, l.failed("the challenge has no end", err)
		}
	}
	return nil, l.failed(fmt.Sprintf("%d answers were not enough", maxAnswers), nil)
}

func (l *Login) accept(r Request) {
	l.pause.accepted()
	if r.Conn != nil {
		r.Conn.done = true
	}
}

func (l *Login) failed(reason string, err error) error {
	return &LoginError{Origin: l.origin.String(), Reason: reason, Err: err}
}

func authorization(value string) http.Header {
	if value == "" {
		return nil
	}
	return http.Header{"Authorization": {value}}
}

// drain reads an answer to its end, so that its connection can be used again.
func drain(resp *http.Response) error {
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(resp.Body, maxRest))
	if err == nil && n == maxRest {
		err = errors.New("too long")
	}
	return err
}

// basicExchange is that of Basic.
type basicExchange struct{ with *Credentials }

func (b basicExchange) begin(context.Context) (string, error) {
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth(b.with.User, string(b.with.Password))
	return r.Header.Get("Authorization"), nil
}

func (b basicExchange) opening() bool { return false }

func (b basicExchange) answer(context.Context, []challenge) (string, error) { return "", nil }
