package cache

import (
	"errors"
	"runtime/debug"
	"slices"
	"sync"

	bolt "go.etcd.io/bbolt"
)

// maxGroup bounds how many Updates share a transaction.
const maxGroup = 256

// call is one Update that waits for its result. done and err are guarded by File.writing.
type call struct {
	f    func(Tx) error
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

// Update implements DB. The call that takes the lock writes for all that came during the last transaction's way to the disk, so
// no call waits for others, and one sync serves all. (bbolt's own Batch waits a fixed time instead, and runs in goroutines of its own,
// where a panic of bbolt would end the process.)
func (d *File) Update(f func(Tx) error) error {
	c := &call{f: f}
	d.calls.add(c)
	d.writing.Lock()
	defer d.writing.Unlock()
	for !c.done {
		d.commit(d.calls.take())
	}
	d.refresh()
	return c.err
}

var errAborted = errors.New("cache: the goroutine that wrote for several ended in the middle")

// commit writes the group in one transaction. A call that fails is taken out and retried alone: its error may come from what the others
// did before it, and that may never have happened.
func (d *File) commit(group []*call) {
	defer func() {
		for _, c := range group {
			if !c.done { // a function called runtime.Goexit
				c.settle(errAborted)
			}
		}
	}()
	rest, alone := slices.Clone(group), []*call(nil)
	for len(rest) > 0 {
		failed, err := d.write(rest)
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
		_, err := d.write([]*call{c})
		c.settle(err)
	}
}

// write runs all of the group in one transaction and commits it. failed is the number of the call whose function returned the error,
// -1 if it is no call's.
func (d *File) write(group []*call) (failed int, err error) {
	d.gate.RLock()
	defer d.gate.RUnlock()
	if d.closed {
		return -1, ErrClosed
	}
	if writes, _ := d.broken.get(); writes != nil {
		return -1, writes
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	if err := d.makeSure(); err != nil {
		return -1, err
	}
	t := &fileTx{writable: true}
	if t.tx, err = d.beginWrite(); err != nil {
		return -1, err
	}
	ended := false
	defer func() {
		if !ended { // an error, or runtime.Goexit
			_ = t.tx.Rollback()
		}
	}()
	for i, c := range group {
		if err := d.call(c.f, t); err != nil {
			if ended = t.inBolt; ended { // no Rollback, which might panic too: the file will be closed without
				d.broken.set(err, false)
				i = -1
			}
			return i, err
		}
	}
	ended = true
	err = d.guard(t.tx.Commit)
	d.unsure = err != nil
	return -1, err
}

// makeSure writes the meta pages once more after a commit that failed. If only their sync did, bbolt goes on from the new one, which a
// later sync may take for written: the next commit would overwrite pages that the old one, on the disk, still needs.
func (d *File) makeSure() error {
	if !d.unsure {
		return nil
	}
	pages := make([]byte, 2*d.bolt.Info().PageSize)
	_, err := d.file.ReadAt(pages, 0)
	if err == nil {
		_, err = d.file.WriteAt(pages, 0)
	}
	if err == nil {
		err = d.file.Sync()
	}
	if err != nil {
		return unwritten("write", d.path, err)
	}
	d.unsure = false
	return nil
}

func (d *File) beginWrite() (tx *bolt.Tx, err error) {
	err = d.guard(func() (err error) {
		tx, err = d.bolt.Begin(true)
		return err
	})
	return tx, err
}

// guard calls bbolt to write. After a panic there will be no more writing.
func (d *File) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = d.damaged(p)
			d.broken.set(err, false)
		}
	}()
	if err := f(); err != nil {
		return unwritten("write", d.path, err)
	}
	return nil
}
