package cache

import (
	"os"
	"runtime/debug"

	bolt "go.etcd.io/bbolt"
)

// bbolt remembers of every page that it took from its free ones, until that is free again, which transaction did so (freelist.allocs, which
// nothing but opening empties): 40 bytes a page, up to 15 MB for a file of 2 GB. So a file is opened a second time after so many pages, and
// the first is closed. Both are on one descriptor, whose lock they share.
const (
	refreshPages = 1 << 15   // allocated since it was opened; the file of a small one has no more
	refreshBytes = 128 << 20 // of the file, from which on it is worth that: refreshPages of 4 KiB
)

// refreshed says when a File is opened again.
type refreshed struct {
	pages, bytes int64 // that it takes
	at           int64 // pages that bolt had allocated when it was last looked at
}

// refresh is called by the writer between two transactions, and does nothing while there are readers.
func (d *File) refresh() {
	stats := d.bolt.Stats()
	pages := stats.TxStats.GetPageCount()
	if !keepsLock || pages-d.refreshed.at < d.refreshed.pages || !d.gate.TryLock() {
		return
	}
	defer d.gate.Unlock()
	if writes, _ := d.broken.get(); d.closed || d.unsure || writes != nil {
		return
	}
	d.refreshed.at = pages
	if info, err := d.file.Stat(); err == nil && info.Size() >= d.refreshed.bytes {
		d.reopen()
	}
}

// reopen goes on with the old one where there is no second one, such as for want of address space: all that it costs is memory.
func (d *File) reopen() {
	file, null, err := duplicate(d.file)
	if err != nil {
		return
	}
	defer null.Close()
	next, err := d.second(file)
	if err != nil {
		_ = file.Close()
		if err := tryLock(d.file); err != nil { // which bbolt has let go of, and another process was faster
			d.broken.set(unwritten("lock", d.path, err), false)
		}
		return
	}
	old, left := d.bolt, d.file
	d.bolt, d.file, d.refreshed.at = next, file, 0
	leave(left, null)
	_ = old.Close()
}

// second opens the file for bbolt once more. What it panics at would have been found by the next OpenFile: nothing is written any more.
func (d *File) second(file *os.File) (next *bolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = d.damaged(p)
			d.broken.set(err, false)
		}
	}()
	return bolt.Open(d.path, 0o600, boltOptions(file, d.o))
}
