package guard

import (
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
)

// owners tells whether a connection comes from one of the browsers' processes. It is safe for concurrent use;
// a nil *owners admits everybody.
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
	unclear verdict = iota // the system doesn't tell
	member                 // one of the browsers' processes
	foreign                // somebody else
	gone                   // nobody any more
)

func newOwners(roots func() []int, logger *slog.Logger) *owners {
	if roots == nil {
		return nil
	}
	return &owners{roots: roots, logger: logger}
}

// admit tells whether the far end of an accepted connection may speak.
func (o *owners) admit(c net.Conn) bool {
	if o == nil {
		return true
	}
	switch o.judge(c) {
	case member:
		return true
	case foreign:
		o.logForeign.Do(func() { o.logger.Warn("guard: a process that is not the browser connected and was hung up on") })
		return false
	case gone:
		return false
	}
	o.logUnclear.Do(func() { o.logger.Warn("guard: the system doesn't tell which process connects; not checked") })
	return true
}
