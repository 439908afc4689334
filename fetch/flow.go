package fetch

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// maxFlow bounds what is under way in one direction of a memConn, in bytes.
const maxFlow = 64 << 10

// flow is one direction of a memConn: a bounded queue of bytes.
type flow struct {
	mu        *sync.Mutex // of both directions
	changed   *sync.Cond
	queue     []byte
	ended     bool // the writer has finished
	abandoned bool // the reader has gone
	reader    deadline
	writer    deadline
}

// deadline is the moment after which one side of a flow waits no longer.
type deadline struct {
	at   time.Time // zero: none
	wake *time.Timer
}

func newFlow(mu *sync.Mutex) *flow { return &flow{mu: mu, changed: sync.NewCond(mu)} }

// read waits for bytes, the end or the reader's deadline.
func (f *flow) read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.await(); err != nil {
		return 0, err
	}
	n := copy(p, f.queue)
	f.queue = f.queue[n:]
	f.changed.Broadcast()
	return n, nil
}

// first waits for the first byte and leaves it where it is.
func (f *flow) first() (byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.await(); err != nil {
		return 0, err
	}
	return f.queue[0], nil
}

// await waits until there is something to read. The caller holds the lock.
func (f *flow) await() error {
	for {
		switch {
		case f.abandoned:
			return net.ErrClosed
		case f.reader.over():
			return os.ErrDeadlineExceeded
		case len(f.queue) > 0:
			return nil
		case f.ended:
			return io.EOF
		}
		f.changed.Wait()
	}
}

// write puts all of p into the queue, waiting for room, unless the reader goes away or the writer's deadline
// passes.
func (f *flow) write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	written := 0
	for {
		switch {
		case f.ended:
			return written, net.ErrClosed
		case f.abandoned:
			return written, syscall.EPIPE
		case f.writer.over():
			return written, os.ErrDeadlineExceeded
		case written == len(p):
			return written, nil
		}
		n := min(len(p)-written, maxFlow-len(f.queue))
		if n == 0 {
			f.changed.Wait()
			continue
		}
		f.queue = append(f.queue, p[written:written+n]...)
		written += n
		f.changed.Broadcast()
	}
}

// end marks the flow as complete: nothing more will be written. What is in the queue can still be read. The caller holds the lock.
func (f *flow) end() {
	f.ended = true
	f.writer.set(f, time.Time{})
}

// abandon means that nothing more will be read. The caller holds the lock.
func (f *flow) abandon() {
	f.abandoned, f.queue = true, nil
	f.reader.set(f, time.Time{})
}

func (f *flow) readBy(t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.abandoned {
		f.reader.set(f, t)
	}
}

func (f *flow) writeBy(t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.writer.set(f, t)
	}
}

// set moves a deadline. The caller holds the flow's lock.
func (d *deadline) set(f *flow, t time.Time) {
	if d.wake != nil {
		d.wake.Stop()
	}
	d.at, d.wake = t, nil
	if !t.IsZero() {
		d.wake = time.AfterFunc(time.Until(t), f.wakeAll)
	}
	f.changed.Broadcast()
}

func (d *deadline) over() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

// wakeAll wakes every waiter.
func (f *flow) wakeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed.Broadcast()
}
