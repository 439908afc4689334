// Package stores opens, looks after and closes all that an engine keeps, in the files of a folder or in memory: pages in a
// file of their own, so that a damaged cache never costs a job, a record or a history.
//
//	stores.go  Stores, Options: opening and closing
//	outage.go  what fails while the disk can't be written
//	upkeep.go  counting, flushing, compacting, forgetting pages, and whether the files can be written
package stores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/ledger"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/records"
	"github.com/winnow-go/winnow/engine/internal/steady"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Bounds of what is kept in memory when there is no folder.
const (
	memoryPages   = 128 << 20
	memoryRecords = 32 << 20
	memoryHistory = 32 << 20
	memoryState   = 256 << 20
)

// Schemas of the two files; each content change that older code can't read raises its own.
const (
	pageSchema  = 2 // 2: pages are compressed with dictionaries
	stateSchema = 2 // 2: texts of a crawl that comes again may be in its documents
)

// The two files.
const (
	pageFile  = "cache.db"
	stateFile = "state.db"
)

// Options of stores.
type Options struct {
	Dir string // that the files are in; "": memory

	Versions int           // of a page; 0: the cache's default
	MaxAge   time.Duration // of pages; 0: none
	MaxBytes int64         // of pages, compressed; 0: unlimited in a folder, 128 MiB in memory
	// JobMemory is how many bytes of State are in memory where there is no folder; 0: 256 MiB. The rest is in a temporary file.
	JobMemory int64
	Changed   func(keys []string) // is called with the keys of pages that have changed; nil: no callback is made

	Log *slog.Logger     // must be set
	Now func() time.Time // must be set
	// Ages is the clock by which what is kept expires; nil: the system's, as package steady takes it.
	Ages func() time.Time
}

// Check refuses bounds that no store can have. The error is an [*option.Error].
func (o Options) Check() error {
	switch {
	case o.Versions < 0:
		return &option.Error{Field: "Cache.Versions", Value: o.Versions, Want: "0 (the default) or more"}
	case o.MaxAge < 0:
		return &option.Error{Field: "Cache.MaxAge", Value: o.MaxAge, Want: "0 (the default) or more"}
	case o.MaxBytes < 0:
		return &option.Error{Field: "Cache.MaxBytes", Value: o.MaxBytes, Want: "0 (the default) or more"}
	}
	return nil
}

// Stores are all that an engine keeps. Safe for concurrent use.
type Stores struct {
	Pages    cache.Store
	PageFile cache.DB // of Pages; nil in memory
	State    cache.DB

	Records *records.Store
	History cache.Store // of change tracking
	Layouts cache.Store // selectors that were learned
	Learnt  cache.Store // what was learnt of templates
	Ledger  *ledger.Ledger

	Disk *cache.Disk      // of both files; nil in memory
	Ages func() time.Time // the clock by which what is kept expires
}

// Open opens both files, or their like in memory; Close frees them. The error is an [*option.Error] of the folder.
func Open(o Options) (*Stores, error) {
	var clock *steady.Clock
	if o.Ages == nil {
		clock = steady.System(o.Log)
		o.Ages = clock.Now
	}
	s := &Stores{Ages: o.Ages}
	if o.Dir != "" {
		s.Disk = cache.NewDisk(cache.DiskOptions{Logger: o.Log, Now: o.Now})
	}
	for _, file := range []struct {
		name string
		open func(Options) error
	}{{pageFile, s.openPages}, {stateFile, s.openState}, {stateFile, s.openParts}} {
		if err := file.open(o); err != nil {
			want := fmt.Sprintf("a folder whose %s is whole, writable and not open elsewhere", file.name)
			return nil, &option.Error{Field: "Dir", Value: o.Dir, Want: want, Err: errors.Join(err, s.Close())}
		}
	}
	if clock != nil {
		clock.Resume(s.lastUse())
	}
	s.Ledger = ledger.Open(ledger.Options{DB: s.State, Disk: s.Disk, KeepFor: records.MaxAge, Log: o.Log, Ages: o.Ages})
	return s, nil
}

// lastUse is when something was last stored, as far as that is known.
func (s *Stores) lastUse() (last time.Time) {
	for _, store := range append(s.parts(), s.Pages) {
		if st, err := store.Stats(context.Background()); err == nil && st.Newest.After(last) {
			last = st.Newest
		}
	}
	return last
}

func (s *Stores) openPages(o Options) error {
	c := o.store(memoryPages, cache.Options{Changed: o.Changed, Versions: o.Versions, MaxAge: o.MaxAge, MaxBytes: o.MaxBytes, Group: hostOf})
	if o.Dir == "" {
		s.Pages = cache.NewMemory(c)
		return nil
	}
	file := cache.FileOptions{Kind: "winnow pages", Schema: pageSchema, Disk: s.Disk, Logger: o.Log}
	bolt, err := cache.OpenBolt(filepath.Join(o.Dir, pageFile), file, c)
	if err == nil {
		s.Pages, s.PageFile = bolt, bolt.DB()
	}
	return err
}

// hostOf is the host of a page's key, whose pages have a template in common.
func hostOf(key string) string {
	name, _, _ := strings.Cut(key, weburl.KeyEnd)
	return strings.TrimSuffix(weburl.HostPrefix(name), "/"+weburl.KeyEnd)
}

func (s *Stores) openState(o Options) error {
	if o.Dir == "" {
		s.State = cache.NewOverflowing(cmp.Or(o.JobMemory, memoryState), "")
		return nil
	}
	options := cache.FileOptions{Kind: "winnow state", Schema: stateSchema, Disk: s.Disk, Logger: o.Log}
	file, err := cache.OpenFile(filepath.Join(o.Dir, stateFile), options)
	if err == nil {
		s.State = file
	}
	return err
}

// openParts opens the stores that share the file of the state.
func (s *Stores) openParts(o Options) (err error) {
	open := func(name string, inMemory int64, maxAge time.Duration) cache.Store {
		if err != nil {
			return nil
		}
		part, failed := cache.New(s.State, name, o.store(inMemory, cache.Options{Versions: 1, MaxAge: maxAge}))
		if failed != nil {
			err = failed
			return nil
		}
		return part
	}
	s.Records = &records.Store{Records: open("records", memoryRecords, records.MaxAge), Ages: o.Ages}
	s.History = open("history", memoryHistory, 0)
	s.Layouts = open("layouts", enrich.MemoryLayouts, enrich.LayoutAge)
	s.Learnt = open("learnt", learnt.InMemory, learnt.MaxAge)
	return err
}

// store adds what all stores have in common.
func (o Options) store(inMemory int64, c cache.Options) cache.Options {
	c.Now, c.Ages, c.Logger = o.Now, o.Ages, o.Log
	if o.Dir == "" {
		c.MaxBytes = cmp.Or(c.MaxBytes, inMemory)
	}
	return c
}

// Close writes what is queued and frees the files; the error says what could not be written, and that there is an outage of the disk. It
// does what it can on stores that were opened in part.
func (s *Stores) Close() error {
	var errs []error
	if s.Ledger != nil {
		errs = append(errs, s.Ledger.Close())
	}
	for _, store := range append(s.parts(), s.Pages) {
		if store != nil {
			errs = append(errs, store.Close())
		}
	}
	if s.State != nil {
		errs = append(errs, s.State.Close())
	}
	if err := s.Disk.Err(); err != nil {
		errs = append(errs, fmt.Errorf("closed while the disk can't be written; jobs go on when the folder is opened again: %w", err))
	}
	return errors.Join(errs...)
}

// parts are the stores in the file of the state; those that were not opened are nil.
func (s *Stores) parts() []cache.Store {
	if s.Records == nil {
		return nil
	}
	return []cache.Store{s.Records.Records, s.History, s.Layouts, s.Learnt}
}

// Room is the bound of what jobs keep in State: most where it is in memory, and 0, which is no bound, where it is a file.
func (s *Stores) Room(most int64) int64 {
	if _, inMemory := s.State.(*cache.Map); inMemory {
		return most
	}
	return 0
}
