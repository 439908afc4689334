package cache

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// File is a DB in one bbolt file, which it holds locked until Close. Open one with OpenFile.
type File struct {
	names
	path string
	o    FileOptions

	gate   sync.RWMutex // held exclusively while the file is replaced or closed
	bolt   *bolt.DB
	file   *os.File // the one that bolt uses; its lock is ours
	closed bool

	calls   calls
	writing sync.Mutex // held by the Update that writes for all that wait
	unsure  bool       // a commit failed, so its meta page may be in memory and not on the disk; guarded by writing

	refreshed refreshed // guarded by writing

	edge   sync.Mutex // around the begin and end of snapshots
	broken brokenFile
}

// brokenFile remembers that bbolt panicked: what it keeps in memory can no longer be trusted.
type brokenFile struct {
	mu     sync.Mutex
	writes error // set: no more writing
	reads  error // set: no more reading either; bbolt's locks may be held for ever
}

func (b *brokenFile) get() (writes, reads error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.writes, b.reads
}

func (b *brokenFile) set(err error, reads bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writes = err
	if reads {
		b.reads = err
	}
}

var _ DB = (*File)(nil)

// FileOptions configure OpenFile.
type FileOptions struct {
	// Kind names what the file holds, for example "winnow pages". It is stored in the file; a file of another kind is refused. Required.
	Kind string
	// Schema is the version of what the file holds. A file with a newer one is refused untouched. One with an older one is accepted
	// and marked with this one, so code that raises Schema must read both. Defaults to 1.
	Schema int
	// LockWait is how long OpenFile waits for a file that is open elsewhere before it returns ErrLocked. Defaults to 1 s.
	LockWait time.Duration
	// MapSize is how many bytes of memory are mapped ahead. A file that outgrows its map makes a writer wait for all readers, once
	// for each doubling. Defaults to 1 GiB on 64-bit systems except Windows, where the file would take as much disk at once; else to
	// what the file needs.
	MapSize int
	// Disk knows of outages; Files in one folder share one. nil: the File has its own, with Logger.
	Disk *Disk
	// Logger receives reports of damage. nil: silent.
	Logger *slog.Logger
}

func (o FileOptions) withDefaults() (FileOptions, error) {
	if o.Kind == "" {
		return o, errors.New("cache: FileOptions.Kind is empty: say what the file holds")
	}
	if o.Schema < 0 || o.LockWait < 0 || o.MapSize < 0 {
		return o, fmt.Errorf("cache: FileOptions: Schema %d, LockWait %v and MapSize %d must not be negative", o.Schema, o.LockWait, o.MapSize)
	}
	if o.Schema == 0 {
		o.Schema = 1
	}
	if o.LockWait == 0 {
		o.LockWait = time.Second
	}
	// Measured (bbolt, default options): a write that must enlarge the map waits for every open reader, and for ever if that reader
	// waits for the write. Mapping 1 GiB ahead costs address space only, where the system doesn't enlarge the file with the map.
	if o.MapSize == 0 && strconv.IntSize == 64 && runtime.GOOS != "windows" {
		o.MapSize = 1 << 30
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Disk == nil {
		o.Disk = NewDisk(DiskOptions{Logger: o.Logger})
	}
	return o, nil
}

// View implements DB. For a file that is truncated or whose disk fails it returns a *DamagedError; the process goes on.
func (d *File) View(f func(Tx) error) error {
	return d.view(func(t *fileTx) error { return f(t) })
}

func (d *File) view(f func(*fileTx) error) error {
	d.gate.RLock()
	defer d.gate.RUnlock()
	if d.closed {
		return ErrClosed
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	tx, err := d.begin()
	if err != nil {
		return err
	}
	defer d.end(tx)
	t := &fileTx{tx: tx}
	return d.call(func(Tx) error { return f(t) }, t)
}

// call runs a caller's function, and makes errors of its panics and of those of bbolt.
func (d *File) call(f func(Tx) error, t *fileTx) (err error) {
	defer func() {
		p := recover()
		switch {
		case p != nil && t.inBolt:
			err = d.damaged(p)
		case p != nil:
			err = panicked(p)
		}
	}()
	return f(t)
}

// begin starts a snapshot. bbolt reads the meta page while it holds its locks, so if that panics they stay locked: then no call may
// reach bbolt any more. edge makes sure that no call is on the way there.
func (d *File) begin() (tx *bolt.Tx, err error) {
	d.edge.Lock()
	defer d.edge.Unlock()
	if _, err := d.broken.get(); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			tx, err = nil, d.damaged(p)
			d.broken.set(err, true)
		}
	}()
	if tx, err = d.bolt.Begin(false); err != nil {
		return nil, fmt.Errorf("cache: read %s: %w", d.path, err)
	}
	return tx, nil
}

func (d *File) end(tx *bolt.Tx) {
	d.edge.Lock()
	defer d.edge.Unlock()
	if _, err := d.broken.get(); err == nil {
		_ = tx.Rollback() // can't fail on a snapshot that is open
	}
}

func (d *File) damaged(reason any) error {
	err := &DamagedError{File: d.path, Err: fmt.Errorf("panic while it was used: %v", reason)}
	d.o.Logger.Error("cache: a file is damaged", "error", err)
	return err
}

// Size implements DB. Free is what Compact would free: free pages, and what the file was grown ahead.
func (d *File) Size() (total, free int64, err error) {
	err = d.view(func(t *fileTx) error {
		info, err := d.file.Stat()
		if err != nil {
			return fmt.Errorf("cache: size of %s: %w", d.path, err)
		}
		s := d.bolt.Stats()
		total = info.Size()
		free = max(0, total-t.tx.Size()) + int64(s.FreePageN+s.PendingPageN)*int64(d.bolt.Info().PageSize)
		return nil
	})
	return total, free, err
}

// Close implements DB. It releases the lock.
func (d *File) Close() error {
	d.gate.Lock()
	defer d.gate.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	return d.closeBolt()
}

// closeBolt closes what is open. After a panic bbolt's locks may be held for ever, so then only the file is closed, which ends the
// lock on it; the map stays until the process ends.
func (d *File) closeBolt() error {
	if writes, _ := d.broken.get(); writes != nil {
		return unlockClose(d.file)
	}
	if err := d.bolt.Close(); err != nil {
		return fmt.Errorf("cache: close %s: %w", d.path, err)
	}
	return nil
}
