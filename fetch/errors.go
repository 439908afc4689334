package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// ErrURL means that a URL is not an absolute http or https URL.
var ErrURL = errors.New("not an absolute http or https URL")

// OptionError says which of Options or a Policy can't be honoured, and what could be.
type OptionError struct {
	Field string
	Value any // nil: it is in the field
	Want  string
	Err   error // more about it; may be nil
}

func (e *OptionError) Error() string {
	text := e.Field + ": "
	if s, ok := e.Value.(string); ok {
		text += fmt.Sprintf("%q; ", s)
	} else if e.Value != nil {
		text += fmt.Sprintf("%v; ", e.Value)
	}
	if text += "want " + e.Want; e.Err != nil {
		text += fmt.Sprintf(" (%v)", e.Err)
	}
	return text
}

func (e *OptionError) Unwrap() error { return e.Err }

// ErrClosed is returned by Do and by dials after Client.Close.
var ErrClosed = errors.New("fetch: client is closed")

// BlockedError means that the Policy refuses an address. No packet was sent to it.
type BlockedError struct {
	Host   string     // as requested; may be an IP literal
	Addr   netip.Addr // the address that was refused; zero for a virtual host and for a name that a proxy resolves
	Port   uint16     // 0 for a virtual host
	Reason string     // e.g. "loopback", "private network", "port that browsers block", "virtual host"
}

func (e *BlockedError) Error() string {
	if !e.Addr.IsValid() {
		return fmt.Sprintf("%s is refused: %s", e.Host, e.Reason)
	}
	return fmt.Sprintf("%s (%s) is refused by the policy: %s", e.Host, netip.AddrPortFrom(e.Addr, e.Port), e.Reason)
}

// DNSError means that a name has no address.
type DNSError struct {
	Host string
	Err  error // the resolver's error, or nil when the answer held no address
}

func (e *DNSError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("resolve %s: no address", e.Host)
	}
	return fmt.Sprintf("resolve %s: %s", e.Host, withoutOwn(e.Err))
}

func (e *DNSError) Unwrap() error { return e.Err }

// withoutOwn is an error's text without the addresses of this machine and of its name server, which may reach
// the caller that requested the page.
func withoutOwn(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Op + ": " + op.Err.Error()
	}
	return fmt.Sprint(err)
}

// ConnectError means that a connection could not be made, or broke before the whole response had arrived.
type ConnectError struct {
	Addr string // host:port or ip:port
	Net  string // the code a browser shows for it, e.g. ERR_CONNECTION_REFUSED
	Err  error
}

func (e *ConnectError) Error() string {
	return fmt.Sprintf("%s: %s: %s", e.Addr, e.Net, withoutOwn(e.Err))
}

func (e *ConnectError) Unwrap() error { return e.Err }

// TLSError means that the TLS handshake with Host failed, most often because its certificate isn't valid.
type TLSError struct {
	Host string
	Err  error
}

func (e *TLSError) Error() string { return fmt.Sprintf("TLS with %s: %v", e.Host, e.Err) }

func (e *TLSError) Unwrap() error { return e.Err }

// SizeError means that a body is larger than allowed, before or after its content-encoding is undone.
type SizeError struct {
	URL   string
	Limit int64 // bytes
}

func (e *SizeError) Error() string { return fmt.Sprintf("%s: body is over %d bytes", e.URL, e.Limit) }

// RedirectError means that a chain of redirects does not end at a page that can be reached.
type RedirectError struct {
	URL    string // where the chain stopped
	Count  int    // redirects followed until then
	Reason string // "loop", "too many", "unusable Location"
}

func (e *RedirectError) Error() string {
	return fmt.Sprintf("%s: redirect: %s (after %d)", e.URL, e.Reason, e.Count)
}

// ProxyError means that the upstream proxy could not be reached or refused the tunnel.
type ProxyError struct {
	Proxy string // URL of the proxy without credentials
	Err   error
}

func (e *ProxyError) Error() string { return fmt.Sprintf("proxy %s: %v", e.Proxy, e.Err) }

func (e *ProxyError) Unwrap() error { return e.Err }

// DecodeError means that a body doesn't follow the content-encoding that it declares.
type DecodeError struct {
	Encoding string // gzip, deflate, br, zstd
	Err      error
}

func (e *DecodeError) Error() string { return fmt.Sprintf("broken %s body: %v", e.Encoding, e.Err) }

func (e *DecodeError) Unwrap() error { return e.Err }

// TimeoutError means that one phase of a request took longer than the client allows. The end of the caller's
// own context is not a TimeoutError but wraps the context's error.
type TimeoutError struct {
	Phase string        // "connect", "headers" or "body"
	After time.Duration // the limit that was exceeded
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("no progress with %s in %s", e.Phase, e.After)
}

// Timeout always returns true, as a net.Error that is a timeout does.
func (e *TimeoutError) Timeout() bool { return true }

// MissError is the error of a request that the archives of Options.Replay have no answer for.
type MissError struct {
	URL string
	// Text names the request and the recorded addresses that are like it.
	Text string
}

func (e *MissError) Error() string { return "replay: " + e.Text }

// Temporary reports whether the same request may succeed a little later: refused, reset and truncated
// connections, phase timeouts, name servers that are out of order. Nothing that the policy, the caller's
// context, a certificate or the size of a body has decided is temporary.
func Temporary(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var (
		dns     *DNSError
		connect *ConnectError
		timeout *TimeoutError
	)
	switch {
	case errors.As(err, &dns):
		return temporaryDNS(dns)
	case errors.As(err, &connect):
		return connect.Net != netInvalidResponse && connect.Net != netHeadersTooBig
	}
	return errors.As(err, &timeout)
}

func temporaryDNS(e *DNSError) bool {
	var d *net.DNSError
	if !errors.As(e.Err, &d) {
		return false
	}
	return !d.IsNotFound && (d.IsTemporary || d.IsTimeout)
}
