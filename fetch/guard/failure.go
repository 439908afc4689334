package guard

import (
	"errors"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/fetch"
)

// maxFailures bounds what a lease remembers; the oldest goes first.
const maxFailures = 256

// failures remembers why the last connection to a host:port failed.
type failures struct {
	mu     sync.Mutex
	byAddr map[string]error
	order  []string // oldest first
}

// note keeps the outcome of a connection; nil clears an earlier one.
func (f *failures) note(hostport string, err error) {
	key := canonical(hostport)
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.byAddr[key]; known {
		delete(f.byAddr, key)
		f.order = slices.DeleteFunc(f.order, func(k string) bool { return k == key })
	}
	if err == nil {
		return
	}
	if len(f.order) == maxFailures {
		delete(f.byAddr, f.order[0])
		f.order = slices.Delete(f.order, 0, 1)
	}
	if f.byAddr == nil {
		f.byAddr = map[string]error{}
	}
	f.byAddr[key] = err
	f.order = append(f.order, key)
}

func (f *failures) get(hostport string) error {
	key := canonical(hostport)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err, known := f.byAddr[key]; known {
		return err
	}
	for _, k := range slices.Backward(f.order) {
		if host, _, err := net.SplitHostPort(k); err == nil && host == key {
			return f.byAddr[k]
		}
	}
	return nil
}

// last is the failure noted most recently that still stands.
func (f *failures) last() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.order) == 0 {
		return nil
	}
	return f.byAddr[f.order[len(f.order)-1]]
}

// canonical is the form in which addresses are compared: host in that of [fetch.CanonicalHost], with or without port.
func canonical(hostport string) string {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return fetch.CanonicalHost(hostport)
	}
	return net.JoinHostPort(fetch.CanonicalHost(host), port)
}

// reason is the word for an error in the X-Winnow-Guard header of a refusal.
func reason(err error) string {
	var (
		blocked *fetch.BlockedError
		dns     *fetch.DNSError
		timeout *fetch.TimeoutError
		proxy   *fetch.ProxyError
		connect *fetch.ConnectError
	)
	switch {
	case errors.Is(err, ErrLimit):
		return "limit"
	case errors.Is(err, errUnwanted):
		return "ad"
	case errors.As(err, &blocked):
		return Blocked
	case errors.As(err, &proxy):
		return "proxy"
	case errors.As(err, &dns):
		return "dns"
	case errors.As(err, &timeout):
		return "timeout"
	case errors.As(err, &connect):
		return strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(connect.Net, "ERR_"), "CONNECTION_"))
	}
	return "failed"
}
