package guard

import (
	"errors"
	"net"
)

// errUnwanted means that LeaseOptions.Block refuses a host.
var errUnwanted = errors.New("unwanted host")

// Blocked is how many requests and tunnels LeaseOptions.Block has refused so far, since Renew.
func (l *Lease) Blocked() int { return int(l.turn.Load().blocked.Load()) }

// unwanted calls the lease owner's Block for a host, and counts.
func (l *Lease) unwanted(hostport string) bool {
	t := l.turn.Load()
	block := t.opt.Load().Block
	if block == nil {
		return false
	}
	host, _, err := net.SplitHostPort(hostport)
	if err != nil || !block(canonical(host)) {
		return false
	}
	t.blocked.Add(1)
	return true
}
