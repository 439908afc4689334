package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A transaction of the writer has at most so many entries and bytes of values (but at least one entry): enough for one sync to serve
// many, little enough for others to get their turn.
const (
	batchEntries = 50
	batchBytes   = 8 << 20
)

// opBytes is what an op takes beside its bytes, roughly.
const opBytes = 256

// op is one Put or Renew on its way. But for row and dict it doesn't change, so readers may look at it.
type op struct {
	key       string
	seq       uint64 // its number in the order of all; grows over reopening
	id        uint64 // of the version: a Put's is its seq
	stored    int64
	meta      []byte
	renew     bool        // only time and meta
	value     []byte      // as it was put
	row       []byte      // as it is written; made by the writer
	dict      *dictionary // that row needs; nil: none
	committed func(error)
	cost      int64
}

func (o *op) version() version {
	return version{id: o.id, stored: o.stored, size: int64(len(o.value)), meta: o.meta}
}

// play applies the op to the versions of a key, without cutting off those above the limit.
func (o *op) play(vs []version) []version {
	if !o.renew {
		vs = append(vs, o.version())
	} else if i := slices.IndexFunc(vs, func(v version) bool { return v.id == o.id }); i >= 0 {
		vs[i].stored, vs[i].meta = o.stored, o.meta
	}
	slices.SortFunc(vs, newer)
	return vs
}

// queue holds entries until they are durable, in order, and shows them to readers.
type queue struct {
	entries, bytes *semaphore.Weighted // room; first come, first served
	maxBytes       int64
	wake           chan struct{} // signals the writer that the queue isn't empty

	mu       sync.Mutex
	last     uint64           // seq
	waiting  []*op            // not taken by the writer yet
	pending  map[string][]*op // waiting or being written, by key, in order
	values   map[uint64]*op   // the puts among them
	queued   uint64           // how many were put in all
	done     uint64           // how many of them are durable or lost
	progress chan struct{}    // closed when done grows
	failed   error            // the first since it was last returned
	lost     int              // entries, since then
	closed   bool
	closing  context.Context
	close    context.CancelCauseFunc
	flow     context.Context // ends with closing, and with the error of an outage in which the writer waits
	stop     context.CancelCauseFunc
}

func newQueue(o Options, last uint64) *queue {
	q := &queue{
		entries: semaphore.NewWeighted(int64(o.QueueEntries)), bytes: semaphore.NewWeighted(o.QueueBytes), maxBytes: o.QueueBytes,
		wake: make(chan struct{}, 1), last: last,
		pending: map[string][]*op{}, values: map[uint64]*op{}, progress: make(chan struct{}),
	}
	q.closing, q.close = context.WithCancelCause(context.Background())
	q.flow, q.stop = context.WithCancelCause(q.closing)
	return q
}

// put waits for room and appends. In an outage it doesn't wait: without room its error is ErrUnwritable.
func (q *queue) put(ctx context.Context, o *op) error {
	o.cost = min(q.maxBytes, int64(len(o.key)+len(o.meta)+len(o.value))+opBytes)
	if err := q.room(ctx, o.cost); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		q.free(o)
		return ErrClosed
	}
	q.last++
	if o.seq = q.last; !o.renew {
		o.id = o.seq
		q.values[o.id] = o
	}
	q.queued++
	q.waiting = append(q.waiting, o)
	q.pending[o.key] = append(q.pending[o.key], o)
	q.call()
	return nil
}

func (q *queue) room(ctx context.Context, bytes int64) error {
	if q.entries.TryAcquire(1) {
		if q.bytes.TryAcquire(bytes) {
			return nil
		}
		q.entries.Release(1)
	}
	flow := q.flowing()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(flow, cancel)()
	err := q.entries.Acquire(ctx, 1)
	if err == nil {
		if err = q.bytes.Acquire(ctx, bytes); err != nil {
			q.entries.Release(1)
		}
	}
	if err != nil && flow.Err() != nil {
		return context.Cause(flow)
	}
	return err
}

func (q *queue) flowing() context.Context {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.flow
}

// stall is called when the writer begins to wait for the end of an outage.
func (q *queue) stall(err error) { q.stop(fmt.Errorf("cache: entries wait to be written: %w", err)) }

// resume is called when the writer goes on.
func (q *queue) resume() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.flow.Err() != nil {
		q.flow, q.stop = context.WithCancelCause(q.closing)
	}
}

func (q *queue) free(o *op) {
	q.entries.Release(1)
	q.bytes.Release(o.cost)
}

// call wakes the writer.
func (q *queue) call() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns the writer's next batch; without one, ended means that none will follow.
func (q *queue) take() (batch []*op, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, bytes := 0, 0
	for n < len(q.waiting) && n < batchEntries && (n == 0 || bytes+len(q.waiting[n].value) <= batchBytes) {
		bytes += len(q.waiting[n].value)
		n++
	}
	batch = slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return batch, q.closed && n == 0
}

// settle removes what was written, or lost by err, and wakes all waiters.
func (q *queue) settle(batch []*op, err error) {
	q.remove(batch, err)
	for _, o := range batch {
		if o.committed != nil {
			o.committed(err)
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done += uint64(len(batch))
	close(q.progress)
	q.progress = make(chan struct{})
}

func (q *queue) remove(batch []*op, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, o := range batch {
		left := slices.DeleteFunc(q.pending[o.key], func(p *op) bool { return p == o })
		if q.pending[o.key] = left; len(left) == 0 {
			delete(q.pending, o.key)
		}
		if !o.renew {
			delete(q.values, o.id)
		}
		q.free(o)
	}
	if err != nil {
		q.lost += len(batch)
	}
	if q.failed == nil {
		q.failed = err
	}
}

// drain waits until all that is queued now is durable or lost. In an outage it doesn't wait: its error is ErrUnwritable.
func (q *queue) drain(ctx context.Context) error {
	q.mu.Lock()
	target := q.queued
	for q.done < target {
		progress, flow := q.progress, q.flow
		if q.closed {
			flow = context.Background() // the writer is at its last tries
		}
		q.mu.Unlock()
		select {
		case <-progress:
		case <-ctx.Done():
			return ctx.Err()
		case <-flow.Done():
			if err := context.Cause(flow); !errors.Is(err, ErrClosed) {
				return err
			}
		}
		q.mu.Lock()
	}
	q.mu.Unlock()
	return nil
}

// err returns the first error since the last call, and how many entries were lost.
func (q *queue) err() (lost int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	lost, err = q.lost, q.failed
	q.lost, q.failed = 0, nil
	return lost, err
}

// end closes the queue for puts. It returns false when it was closed already.
func (q *queue) end() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.closed = true
	q.close(ErrClosed)
	q.call()
	return true
}

func (q *queue) check(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	return ctx.Err()
}

// of returns what is pending for the key.
func (q *queue) of(key string) []*op {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.pending[key])
}

// value returns the bytes of a put that is pending.
func (q *queue) value(id uint64) ([]byte, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.values[id]
	if o == nil {
		return nil, false
	}
	return o.value, true
}

// puts returns the pending puts whose keys begin with prefix and are > after.
func (q *queue) puts(prefix, after string) []*op {
	q.mu.Lock()
	defer q.mu.Unlock()
	var puts []*op
	for key, ops := range q.pending {
		if !strings.HasPrefix(key, prefix) || key <= after {
			continue
		}
		for _, o := range ops {
			if !o.renew {
				puts = append(puts, o)
			}
		}
	}
	return puts
}

// renewing returns the ids of versions that will be renewed.
func (q *queue) renewing() map[uint64]bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	ids := map[uint64]bool{}
	for _, ops := range q.pending {
		for _, o := range ops {
			if o.renew {
				ids[o.id] = true
			}
		}
	}
	return ids
}

// length is how much is pending.
func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return int(q.queued - q.done)
}
