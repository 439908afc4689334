package enginetest

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
)

// unknown stands where the network would be: what gets here requested a host
// that no handler serves.
type unknown struct {
	t    testing.TB
	mu   sync.Mutex
	told map[string]bool
}

// LookupNetIP knows no name.
func (u *unknown) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	u.tell(host)
	return nil, &net.DNSError{Err: "not among the test's hosts", Name: host, IsNotFound: true}
}

func (u *unknown) dial(_ context.Context, _, addr string) (net.Conn, error) {
	u.tell(addr)
	return nil, fmt.Errorf("%s is not among the test's hosts", addr)
}

// tell fails the test, once for each host.
func (u *unknown) tell(host string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.told[host] {
		return
	}
	if u.told == nil {
		u.told = map[string]bool{}
	}
	u.told[host] = true
	u.t.Errorf("enginetest: request to the unknown host %q", host)
}
