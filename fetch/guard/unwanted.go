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
	if !applies(t.opt.Load().Block, hostport) {
		return false
	}
	t.blocked.Add(1)
	return true
}

// suspects reports whether a host is only contacted for a request that isn't refused.
func (l *Lease) suspects(hostport string) bool {
	o := l.options()
	return o.Judge != nil && applies(o.Suspect, hostport)
}

func applies(to func(host string) bool, hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	return to != nil && err == nil && to(canonical(host))
}
