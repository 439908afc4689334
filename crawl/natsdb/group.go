package natsdb

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// maxGroup bounds how many Updates share a message.
const maxGroup = 256

// call is one Update that waits for its result. done and err are guarded by DB.writing.
type call struct {
	f    func(crawl.Tx) error
	err  error
	done bool
}

func (c *call) settle(err error) { c.err, c.done = err, true }

// calls are the Updates that no transaction has taken yet.
type calls struct {
	mu      sync.Mutex
	waiting []*call
}

func (w *calls) add(c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, c)
}

func (w *calls) take() []*call {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.waiting), maxGroup)
	group := slices.Clone(w.waiting[:n])
	w.waiting = slices.Delete(w.waiting, 0, n)
	return group
}

// commit does the group in one transaction. A call that fails is taken out and tried alone: its error may come from what the others did
// before it, and that may never have happened.
func (d *DB) commit(group []*call) {
	defer func() {
		for _, c := range group {
			if !c.done { // a function called runtime.Goexit
				c.settle(errAborted)
			}
		}
	}()
	rest, alone := slices.Clone(group), []*call(nil)
	for len(rest) > 0 {
		failed, err := d.transact(rest)
		if failed >= 0 && len(group) > 1 {
			alone = append(alone, rest[failed])
			rest = slices.Delete(rest, failed, failed+1)
			continue
		}
		for _, c := range rest {
			c.settle(err)
		}
		break
	}
	for _, c := range alone {
		_, err := d.transact([]*call{c})
		c.settle(err)
	}
}

// transaction is one on its way: what the calls write, and whether the stream has it.
type transaction struct {
	calls    []*call
	recorder *recorder
	failed   int // the call whose function has returned the error, -1 for none
	appended bool
}

// transact runs the calls in a transaction of the local store that is committed when the stream has its writes.
func (d *DB) transact(group []*call) (failed int, err error) {
	if d.living.Err() != nil {
		return -1, ErrClosed
	}
	if d.lost != nil {
		return -1, d.lost
	}
	t := &transaction{calls: group, failed: -1}
	err = d.o.Local.Update(func(tx crawl.Tx) error { return d.inLocal(t, tx) })
	if t.appended && err != nil {
		err = d.catchUp(t, err)
	}
	if err != nil {
		return t.failed, err
	}
	maps.Copy(d.named, t.recorder.named)
	return -1, nil
}

func (d *DB) inLocal(t *transaction, tx crawl.Tx) error {
	if t.appended { // the local store begins the transaction once more
		return d.finish(t, tx)
	}
	t.recorder, t.failed = &recorder{tx: tx, named: maps.Clone(d.named)}, -1
	for i, c := range t.calls {
		if err := guarded(c.f, t.recorder); err != nil {
			t.failed = i
			return err
		}
	}
	if len(t.recorder.writes.list) == 0 {
		return nil
	}
	if err := d.append(&t.recorder.writes); err != nil {
		return err
	}
	t.appended = true
	t.recorder.keep()
	return setSequence(tx, d.sequence)
}

func (d *DB) finish(t *transaction, tx crawl.Tx) error {
	if err := t.recorder.writes.apply(tx); err != nil {
		return err
	}
	return setSequence(tx, d.sequence)
}

// maxPause is the longest pause between tries.
const maxPause = 5 * time.Second

// catchUp brings into the local store what the stream has already, once it can be written to again: a full disk is given time.
func (d *DB) catchUp(t *transaction, err error) error {
	d.o.Logger.Error("natsdb: the local store can't take what the stream has; trying again", "stream", d.o.Name, "err", err)
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, maxPause) {
		select {
		case <-d.living.Done():
			return ErrClosed
		case <-time.After(pause):
		}
		if err := d.o.Local.Update(func(tx crawl.Tx) error { return d.finish(t, tx) }); err == nil {
			d.o.Logger.Info("natsdb: the local store has caught up", "stream", d.o.Name)
			return nil
		}
	}
}
