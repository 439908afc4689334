package cache

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
)

const (
	compactSuffix = ".compact"
	// compactStep is how many bytes are copied in one transaction, and so what Compact holds in memory.
	compactStep = 8 << 20
)

// Compact implements DB: all is copied into path+".compact", which is then put in the place of the file. A process that ends at any
// moment leaves the old file or the new one whole. The disk must have room for both. The lock on the file is held throughout (on
// Windows it is released for a moment). ctx is checked every 8 MiB.
func (d *File) Compact(ctx context.Context) error {
	d.writing.Lock() // first, or Updates that wait for it would keep the gate
	defer d.writing.Unlock()
	d.gate.Lock()
	defer d.gate.Unlock()
	if d.closed {
		return ErrClosed
	}
	if writes, _ := d.broken.get(); writes != nil {
		return writes
	}
	next, err := d.copyAll(ctx)
	if err == nil {
		err = d.replace(next)
	}
	if err != nil && !errors.As(err, new(*DamagedError)) {
		return unwritten("compact", d.path, err)
	}
	return err
}

// compacted is a copy that is not in its place yet.
type compacted struct {
	file *os.File
	bolt *bolt.DB
}

func (c *compacted) drop() {
	if c.bolt != nil {
		_ = c.bolt.Close()
	}
	_ = unlockClose(c.file) // an error when bbolt has closed it already
	_ = os.Remove(c.file.Name())
}

func (d *File) copyAll(ctx context.Context) (*compacted, error) {
	f, err := os.OpenFile(d.path+compactSuffix, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	c := &compacted{file: f}
	if err := d.copyInto(ctx, c); err != nil {
		c.drop()
		return nil, err
	}
	return c, nil
}

func (d *File) copyInto(ctx context.Context, c *compacted) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = d.damaged(p)
			d.broken.set(err, false)
			c.bolt = nil // its locks may be held for ever, so it can't be closed
		}
	}()
	// This locks the copy before it gets its place, so that no other process can get between.
	if c.bolt, err = bolt.Open(c.file.Name(), 0o600, boltOptions(c.file, d.o)); err != nil {
		return err
	}
	c.bolt.NoSync, c.bolt.NoGrowSync = true, true // one sync at the end is enough: until then the copy isn't used
	if err := copyBuckets(ctx, c.bolt, d.bolt); err != nil {
		return err
	}
	c.bolt.NoSync, c.bolt.NoGrowSync = false, false
	return c.finish()
}

// finish gives the file the size of its pages, and syncs it.
func (c *compacted) finish() error {
	var size int64
	err := c.bolt.View(func(tx *bolt.Tx) error {
		size = tx.Size()
		return nil
	})
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" { // where a file that is mapped can't be cut
		if err := c.file.Truncate(size); err != nil {
			return err
		}
	}
	return c.file.Sync()
}

// fill is how full the pages of the copy are made: most of what is kept is never changed, so less room is left than bbolt's half.
const fill = 0.9

// copyBuckets copies in steps.
func copyBuckets(ctx context.Context, to, from *bolt.DB) error {
	w := &stepWriter{ctx: ctx, db: to}
	defer w.end()
	return from.View(func(tx *bolt.Tx) error {
		err := tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			if err := w.bucket(name, b.Sequence()); err != nil {
				return err
			}
			return b.ForEach(w.put)
		})
		if err != nil {
			return err
		}
		return w.commit()
	})
}

// stepWriter writes in transactions of compactStep bytes.
type stepWriter struct {
	ctx  context.Context
	db   *bolt.DB
	tx   *bolt.Tx
	name []byte
	b    *bolt.Bucket
	last []byte // key
	size int
}

func (w *stepWriter) bucket(name []byte, sequence uint64) (err error) {
	w.name, w.last = name, nil
	if err := w.open(); err != nil {
		return err
	}
	if w.b, err = w.tx.CreateBucketIfNotExists(name); err != nil {
		return err
	}
	w.b.FillPercent = fill
	return w.b.SetSequence(sequence)
}

func (w *stepWriter) open() (err error) {
	if w.tx != nil {
		return nil
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.tx, err = w.db.Begin(true)
	return err
}

func (w *stepWriter) put(k, v []byte) error {
	if bytes.Compare(k, w.last) <= 0 { // a damaged tree can go round in circles, and this would fill the disk
		panic(errOrder)
	}
	w.last = k
	if w.size > compactStep {
		if err := w.commit(); err != nil {
			return err
		}
		if err := w.open(); err != nil {
			return err
		}
		w.b = w.tx.Bucket(w.name)
		w.b.FillPercent = fill
	}
	w.size += len(k) + len(v)
	return w.b.Put(k, v)
}

func (w *stepWriter) commit() error {
	if w.tx == nil {
		return nil
	}
	tx := w.tx
	w.tx, w.size = nil, 0
	return tx.Commit()
}

func (w *stepWriter) end() {
	if w.tx != nil {
		_ = w.tx.Rollback()
	}
}

// replace puts the copy in the place of the file.
func (d *File) replace(next *compacted) error {
	if !keepsLock {
		return d.replaceClosed(next)
	}
	if err := os.Rename(next.file.Name(), d.path); err != nil {
		next.drop()
		return err
	}
	old := d.bolt
	d.bolt, d.file, d.unsure, d.refreshed.at = next.bolt, next.file, false, 0
	err := syncFolder(d.path)
	return errors.Join(err, old.Close())
}

// replaceClosed is replace where a file that is open can't be replaced.
func (d *File) replaceClosed(next *compacted) error {
	name := next.file.Name()
	if err := next.bolt.Close(); err != nil {
		next.drop()
		return err
	}
	if err := d.bolt.Close(); err != nil {
		return err
	}
	err := os.Rename(name, d.path)
	d.unsure = false
	if d.file, d.bolt = nil, nil; err != nil {
		_ = os.Remove(name)
	}
	f, openErr := openLocked(d.path, time.Now().Add(d.o.LockWait))
	if openErr == nil {
		d.file = f
		openErr = d.openBolt()
	}
	if openErr != nil {
		d.closed = true
		if f != nil {
			_ = unlockClose(f)
		}
	}
	return errors.Join(err, openErr)
}

// syncFolder makes the name of a file durable. Windows has no such call, and needs none.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
