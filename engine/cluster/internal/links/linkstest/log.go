// Package linkstest has a log in memory for tests, which behaves as a stream of NATS does.
package linkstest

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/winnow-go/winnow/engine/cluster/internal/links"
)

// Log is a links.Log in memory. It is safe for concurrent use.
type Log struct {
	// Room is how many messages it takes; 0: any number.
	Room int
	// Window is how many ids it remembers.
	Window int

	mu       sync.Mutex
	messages []links.Message
	last     uint64
	ids      []string
}

var _ links.Log = (*Log)(nil)

// Append implements links.Log.
func (l *Log) Append(_ context.Context, id string, data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.Contains(l.ids, id) {
		return nil
	}
	if l.Room > 0 && len(l.messages) >= l.Room {
		return links.ErrFull
	}
	l.last++
	l.messages = append(l.messages, links.Message{Sequence: l.last, Data: bytes.Clone(data)})
	l.ids = append(l.ids, id)
	l.ids = l.ids[max(0, len(l.ids)-l.Window):]
	return nil
}

// Read implements links.Log.
func (l *Log) Read(_ context.Context, after uint64, limit int) (list []links.Message, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.messages {
		if m.Sequence > after && len(list) < limit {
			list = append(list, m)
		}
	}
	return list, nil
}

// Last implements links.Log.
func (l *Log) Last(context.Context) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last, nil
}

// Trim implements links.Log.
func (l *Log) Trim(_ context.Context, through uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.messages = slices.DeleteFunc(l.messages, func(m links.Message) bool { return m.Sequence <= through })
	return nil
}
