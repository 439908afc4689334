package guard

import (
	"errors"
	"sync"

	"github.com/winnow-go/winnow/fetch"
)

// maxRefusals bounds how many hosts a lease logs refusals of; a page can invent any number of names.
const maxRefusals = 64

// refusals remembers which hosts have been logged as refused.
type refusals struct {
	mu    sync.Mutex
	hosts map[string]bool
}

// first reports whether a host has not been refused before and is to be logged.
func (r *refusals) first(host string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hosts[host] || len(r.hosts) >= maxRefusals {
		return false
	}
	if r.hosts == nil {
		r.hosts = map[string]bool{}
	}
	r.hosts[host] = true
	return true
}

// logFailure logs why a connection could not be made: refusals by the policy once for each host, with its
// name; everything else at debug level and without it.
func (l *Lease) logFailure(err error) {
	var blocked *fetch.BlockedError
	switch {
	case !errors.As(err, &blocked):
		l.guard.opt.Logger.Debug("guard: no connection", "reason", reason(err))
	case l.turn.Load().refusals.first(canonical(blocked.Host)):
		l.guard.opt.Logger.Info("guard: refused by the policy", "host", blocked.Host, "reason", blocked.Reason)
	}
}
