package enginetest

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
)

// unknown replaces the network: a request that reaches it is for a host without a handler.
type unknown struct {
	t        testing.TB
	mu       sync.Mutex
	reported map[string]bool
}

// LookupNetIP finds no host.
func (u *unknown) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	u.report(host)
	return nil, &net.DNSError{Err: "not among the test's hosts", Name: host, IsNotFound: true}
}

func (u *unknown) dial(_ context.Context, _, addr string) (net.Conn, error) {
	u.report(addr)
	return nil, fmt.Errorf("%s is not among the test's hosts", addr)
}

// report fails the test, once for each host.
func (u *unknown) report(host string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.reported[host] {
		return
	}
	if u.reported == nil {
		u.reported = map[string]bool{}
	}
	u.reported[host] = true
	u.t.Errorf("enginetest: request to the unknown host %q", host)
}
