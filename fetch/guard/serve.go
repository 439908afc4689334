package guard

import (
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch"
)

// Header marks the guard's own answers to plain http requests and holds a reason in one word: blocked, ad,
// limit, dns, proxy, timeout, refused and other words for failed connections, failed. Sites can't send it
// through the guard. These answers have no body: a page could show it as content.
const Header = "X-Winnow-Guard"

// Blocked is the reason of an answer for what the policy refuses.
const Blocked = "blocked"

const (
	headTimeout = 60 * time.Second // from a request's first byte to the end of its head
	idleTimeout = 5 * time.Minute  // silence in both directions; browsers drop idle connections then too
)

// peer is one connection of the browser.
type peer struct {
	lease *Lease
	conn  net.Conn
	in    *incoming
	site  *site // that the last plain request went to; kept for the next

	trusted bool    // the request that is being served may be sent with credentials
	inside  *inside // the tunnel that the connection lies in; nil: it is the browser's own to the guard
	tape    *tape   // of the request that is being served
}

// serve handles one connection of the browser to its end.
func (l *Lease) serve(c net.Conn) {
	p := &peer{lease: l, conn: c, in: newIncoming(c)}
	defer func() {
		if r := recover(); r != nil { // one page's trouble must not be the host program's
			l.guard.opt.Logger.Error("guard: panic", "value", r, "stack", string(debug.Stack()))
		}
		p.leaveSite()
		l.drop(c)
		<-l.slots
	}()
	if !l.track(c) || !l.unix() && !l.guard.owners.admit(c) {
		return
	}
	for p.next() {
	}
}

// next serves one request and reports whether another may follow on the connection.
func (p *peer) next() bool {
	p.setDeadline(idleTimeout)
	if _, err := p.in.br.Peek(1); err != nil {
		return false
	}
	p.setDeadline(headTimeout)
	h, err := p.in.readHead()
	switch {
	case errors.Is(err, errHeadTooBig):
		p.answer(431, "head", false)
		return false
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		return false
	case err != nil:
		p.answer(400, "request", false)
		return false
	}
	p.setDeadline(idleTimeout)
	if h.method == "CONNECT" && p.inside == nil {
		p.connect(h)
		return false
	}
	return p.forward(h)
}

func (p *peer) setDeadline(d time.Duration) { _ = p.conn.SetDeadline(time.Now().Add(d)) }

// refuse answers for a site that is unreachable.
func (p *peer) refuse(err error, keep bool) bool {
	var blocked *fetch.BlockedError
	status := 502
	if errors.As(err, &blocked) || errors.Is(err, ErrLimit) || errors.Is(err, errUnwanted) {
		status = 403
	}
	return p.answer(status, reason(err), keep)
}

// answer sends the guard's own answer: a reason in one word. It reports whether the connection goes on.
func (p *peer) answer(status int, word string, keep bool) bool {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n%s: %s\r\nContent-Type: text/html\r\nContent-Length: 0\r\n", status, "Guard", Header, word)
	if !keep {
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	_, err := io.WriteString(p.conn, b.String())
	return err == nil && keep
}
