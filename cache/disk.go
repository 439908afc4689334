package cache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// diskPause is the time between two tries of a write that waits for the disk.
const diskPause = time.Second

// DiskOptions configure a Disk. The zero value works.
type DiskOptions struct {
	// Logger receives one line when an outage begins and one when it ends. nil: silent.
	Logger *slog.Logger
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// After is the timer between two tries. Defaults to time.After.
	After func(time.Duration) <-chan time.Time
}

// Disk is what Files share that lie in one folder: it knows whether there is an outage, in which a write failed with ErrUnwritable, and
// repeats what waits for its end. Make one with NewDisk; it needs no closing. Safe for concurrent use. A nil Disk never waits.
type Disk struct {
	o DiskOptions

	mu      sync.Mutex
	err     error // of the outage; nil: there is none
	since   time.Time
	waiting int           // writes that are being repeated
	refused int           // entries that no queue had room for
	eased   chan struct{} // closed when one of them has succeeded
}

// NewDisk returns a Disk without an outage.
func NewDisk(o DiskOptions) *Disk {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	return &Disk{o: o, eased: make(chan struct{})}
}

// Err is the error of the present outage, ErrUnwritable; nil where there is none. An outage ends when all that waits for it is written:
// a small write may find room where a larger one doesn't.
func (d *Disk) Err() error {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Write calls write and returns its error. Where that is ErrUnwritable it waits and calls write again: each second, and when another
// write that waited has succeeded. When ctx ends write gets a last try.
func (d *Disk) Write(ctx context.Context, write func() error) error {
	err := write()
	if d == nil {
		return err
	}
	if !errors.Is(err, ErrUnwritable) {
		d.settle(0, err)
		return err
	}
	d.begin(err)
	for errors.Is(err, ErrUnwritable) && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-d.nextEase():
		case <-d.o.After(diskPause):
		}
		err = write()
	}
	d.settle(1, err)
	return err
}

// refuse counts an entry that was not queued.
func (d *Disk) refuse() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refused++
}

func (d *Disk) nextEase() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.eased
}

// begin counts a write that waits. The first begins the outage.
func (d *Disk) begin(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting++
	if d.err == nil {
		d.err, d.since, d.refused = err, d.o.Now(), 0
		d.o.Logger.Error("cache: a file can't be written; what is to be stored waits", "error", err)
	}
}

// settle takes note of what a write has come to that waited (1) or did not (0). One that succeeded ends the outage unless others wait.
func (d *Disk) settle(waited int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting -= waited
	if d.err == nil || err != nil {
		return
	}
	if waited > 0 {
		close(d.eased)
		d.eased = make(chan struct{})
	}
	if d.waiting == 0 {
		d.err = nil
		d.o.Logger.Info("cache: files can be written again", "after", d.o.Now().Sub(d.since).Round(time.Millisecond), "refused", d.refused)
	}
}

// unwritten says what could not be written, and adds ErrUnwritable to errors that may pass.
func unwritten(what, path string, err error) error {
	if mayPass(err) {
		return fmt.Errorf("cache: %s %s: %w (%w)", what, path, ErrUnwritable, err)
	}
	return fmt.Errorf("cache: %s %s: %w", what, path, err)
}

// mayPass reports whether the system refuses to write for one of passing. bbolt turns the error of enlarging a file into text.
func mayPass(err error) bool {
	for _, cause := range passing {
		if errors.Is(err, cause) || strings.Contains(err.Error(), cause.Error()) {
			return true
		}
	}
	return false
}
