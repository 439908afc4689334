package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// lockStep is the time between two tries for a lock that is held elsewhere.
const lockStep = 20 * time.Millisecond

// OpenFile opens the file, or makes it (0600, its folder 0700). The caller closes the File.
//
// Nothing is written to a file that is refused: one that is open elsewhere (ErrLocked, after LockWait), that isn't writable
// (ErrReadOnly), that is truncated, not a bbolt file or of another kind (*DamagedError), or of a newer schema (*SchemaError).
func OpenFile(path string, o FileOptions) (*File, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil { // the folder of the process may change before Compact
		return nil, fmt.Errorf("cache: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, refused("make the folder of", path, err)
	}
	f, err := openLocked(path, time.Now().Add(o.LockWait))
	if err != nil {
		return nil, err
	}
	d := &File{path: path, o: o, file: f, refreshed: refreshed{pages: refreshPages, bytes: refreshBytes}}
	if err := d.start(); err != nil {
		_ = unlockClose(f) // an error when bbolt has closed it already
		return nil, err
	}
	return d, nil
}

// openLocked opens and locks. Another process may put a compacted file in the place of the one that was opened before its lock was
// taken: a lock on a file that is no longer there is worthless, so openLocked then restarts.
func openLocked(path string, until time.Time) (*os.File, error) {
	for {
		f, err := openFile(path)
		if err != nil {
			return nil, err
		}
		err = waitLock(f, until)
		if err == nil && stillThere(f, path) {
			return f, nil
		}
		_ = f.Close()
		if err != nil {
			return nil, fmt.Errorf("cache: open %s: %w", path, err)
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("cache: open %s: %w", path, ErrLocked)
		}
	}
}

func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("cache: open %s: want a file, it is a %s", path, kindOf(info.Mode()))
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, refused("open", path, err)
	}
	return f, nil
}

func kindOf(m fs.FileMode) string {
	if m.IsDir() {
		return "folder"
	}
	return "device or the like"
}

// refused adds ErrReadOnly to errors of missing rights.
func refused(what, path string, err error) error {
	if errors.Is(err, fs.ErrPermission) || isReadOnlySystem(err) {
		return fmt.Errorf("cache: %s %s: %w (%w)", what, path, ErrReadOnly, err)
	}
	return unwritten(what, path, err)
}

func waitLock(f *os.File, until time.Time) error {
	for {
		err := tryLock(f)
		if !errors.Is(err, ErrLocked) || time.Now().After(until) {
			return err
		}
		time.Sleep(lockStep)
	}
}

func stillThere(f *os.File, path string) bool {
	have, err1 := f.Stat()
	want, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(have, want)
}

// start does all that comes after the lock.
func (d *File) start() error {
	if err := d.check(); err != nil {
		return err
	}
	if err := d.openBolt(); err != nil {
		return err
	}
	// Left by a process that was killed while it compacted; the lock shows that no process is compacting now.
	_ = os.Remove(d.path + compactSuffix)
	if err := d.mark(); err != nil {
		_ = d.bolt.Close()
		return err
	}
	return nil
}

// check looks at the file before bbolt does.
func (d *File) check() error {
	info, err := d.file.Stat()
	if err != nil {
		return fmt.Errorf("cache: open %s: %w", d.path, err)
	}
	size := info.Size()
	if size == 0 {
		return nil
	}
	if keepsLock && unborn(d.file, size) { // without the lock it might be in the making
		if err := d.file.Truncate(0); err != nil {
			return refused("open", d.path, err)
		}
		return nil
	}
	if err := inspect(d.file, size); err != nil {
		return &DamagedError{File: d.path, Err: err}
	}
	return nil
}

// openBolt lets bbolt use the open file.
func (d *File) openBolt() (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = d.damaged(p)
		}
	}()
	d.bolt, err = bolt.Open(d.path, 0o600, boltOptions(d.file, d.o))
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("cache: open %s: %w", d.path, ErrLocked)
	case err != nil:
		return unwritten("open", d.path, err)
	}
	return nil
}

// boltOptions are bbolt's settings, for a file that is open and locked.
func boltOptions(f *os.File, o FileOptions) *bolt.Options {
	return &bolt.Options{
		// One file handle for lock, check and use: none of them can be about another file than the others.
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return f, nil },
		// Where the lock is bbolt's own, it must not wait for ever, as it does by default.
		Timeout:         o.LockWait,
		InitialMmapSize: o.MapSize,
		// The list of free pages is kept in the file: without it opening reads all of it (0.9 s a GB, measured, against 2 to 12 ms).
		NoFreelistSync: false,
		// Values of many pages come and go. An array of free pages is searched from its start for each of them, this is not.
		FreelistType: bolt.FreelistMapType,
	}
}
