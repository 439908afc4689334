package guard

import (
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
)

// owners reports whether a connection comes from one of the browsers' processes. It is safe for concurrent use;
// a nil *owners admits every process.
type owners struct {
	roots      func() []int
	logger     *slog.Logger
	last       atomic.Int64 // process that owned the last connection: most likely the next one's, too
	logForeign sync.Once
	logUnclear sync.Once
}

// verdict is what is known of the owner of a connection.
type verdict int

const (
	unclear verdict = iota // the system doesn't report it
	member                 // one of the browsers' processes
	foreign                // another process
	gone                   // no process any more
)

func newOwners(roots func() []int, logger *slog.Logger) *owners {
	if roots == nil {
		return nil
	}
	return &owners{roots: roots, logger: logger}
}

// admit reports whether the far end of an accepted connection may speak.
func (o *owners) admit(c net.Conn) bool {
	if o == nil {
		return true
	}
	switch o.judge(c) {
	case member:
		return true
	case foreign:
		o.logForeign.Do(func() { o.logger.Warn("guard: disconnected a process that is not the browser") })
		return false
	case gone:
		return false
	}
	o.logUnclear.Do(func() {
		o.logger.Warn("guard: the system doesn't report which process connects; peers are not checked")
	})
	return true
}
