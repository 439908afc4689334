package natsdb

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/crawl"
)

// DB is a crawl.DB whose transactions are in a stream before they are in the local store. Make one with [Open]. All methods are safe for
// concurrent use, but must not be called from inside a transaction.
type DB struct {
	o       Options
	stream  jetstream.Stream
	objects jetstream.ObjectStore
	calls   calls

	living context.Context // ends with Close
	end    context.CancelFunc
	work   sync.WaitGroup // snapshots

	writing  sync.Mutex // guards what follows
	sequence uint64     // of the last message
	limit    int        // bytes of a message
	named    map[string]bool
	lost     error // why nothing is written any more
	grown    int64 // bytes of messages since a snapshot was begun

	snapping sync.Mutex // one snapshot at a time
}

// View runs f once on a consistent snapshot of the local store, also while the server can't be reached and after the stream was lost: it
// sees every Update that has returned nil here. A panic in f is an error.
func (d *DB) View(f func(crawl.Tx) error) error {
	if d.living.Err() != nil {
		return ErrClosed
	}
	return d.o.Local.View(func(tx crawl.Tx) error { return guarded(f, tx) })
}

// Update runs f in a transaction that is in the stream, and in the local store, when Update returns nil. Calls at the same time share one,
// so f may run more than once and must have no other effect than on tx. An error of f undoes f alone and is returned; a panic in f is such
// an error. While the server can't be reached Update waits, as only the server knows what became of a transaction: until it answers, the
// DB is closed ([ErrClosed]), or another has the stream ([ErrLost]).
func (d *DB) Update(f func(crawl.Tx) error) error {
	c := &call{f: f}
	d.calls.add(c)
	d.writing.Lock()
	defer d.writing.Unlock()
	for !c.done {
		d.commit(d.calls.take())
	}
	return c.err
}

// Close ends what waits for the server, and waits for a snapshot that is being made. The local store and the connection stay open. A second
// Close returns nil, too.
func (d *DB) Close() error {
	d.end()
	d.writing.Lock() // of an Update under way
	defer d.writing.Unlock()
	d.work.Wait()
	d.snapping.Lock() // of a Snapshot under way
	defer d.snapping.Unlock()
	return nil
}

// guarded calls a caller's function.
func guarded(f func(crawl.Tx) error, tx crawl.Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("natsdb: panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return f(tx)
}
