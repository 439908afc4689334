package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/ledger"
	"github.com/winnow-go/winnow/engine/internal/searchindex"
)

// CacheOptions bounds what an engine keeps of pages.
type CacheOptions struct {
	// Versions of a page that are kept, the newest, for each way of fetching it
	// (location, mobile, ads, proxy). Defaults to 5.
	Versions int
	// MaxAge after which a version is dropped. Defaults to two years, what lockdown reads.
	MaxAge time.Duration
	// MaxBytes of all versions, compressed; the oldest are dropped first. 0: unlimited in
	// a folder, 128 MiB in memory.
	MaxBytes int64
}

// Bounds of what is kept in memory when there is no folder, and of records anywhere.
const (
	memoryPages   = 128 << 20
	memoryRecords = 32 << 20
	memoryHistory = 32 << 20
	recordAge     = 24 * time.Hour
)

// Schemas of the two files; each content change that older code can't read raises its own.
const (
	pageSchema  = 1
	stateSchema = 1
)

// stores are all that an engine keeps: pages in a file of their own, so that a
// damaged cache never costs a job, a record or a history.
type stores struct {
	pages    cache.Store
	pageFile cache.DB // of pages; nil in memory
	state    cache.DB

	records cache.Store // of scrapes, by id
	history cache.Store // of change tracking
	layouts cache.Store // selectors that were learned
	ledger  *ledger.Ledger
}

func checkCache(o CacheOptions) error {
	switch {
	case o.Versions < 0:
		return &OptionError{Field: "Cache.Versions", Value: o.Versions, Want: "0 (the default) or more"}
	case o.MaxAge < 0:
		return &OptionError{Field: "Cache.MaxAge", Value: o.MaxAge, Want: "0 (the default) or more"}
	case o.MaxBytes < 0:
		return &OptionError{Field: "Cache.MaxBytes", Value: o.MaxBytes, Want: "0 (the default) or more"}
	}
	return nil
}

// openStores opens both files, or their like in memory.
func openStores(o Options) (_ *stores, err error) {
	s := &stores{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err = s.openPages(o); err != nil {
		return s, fileError(o, "cache.db", err)
	}
	if err = s.openState(o); err != nil {
		return s, fileError(o, "state.db", err)
	}
	for _, part := range []struct {
		store    *cache.Store
		name     string
		inMemory int64
		maxAge   time.Duration
	}{
		{&s.records, "records", memoryRecords, recordAge},
		{&s.history, "history", memoryHistory, 0},
		{&s.layouts, "layouts", enrich.MemoryLayouts, enrich.LayoutAge},
	} {
		c := storeOptions(o, part.inMemory, cache.Options{Versions: 1, MaxAge: part.maxAge})
		if *part.store, err = cache.New(s.state, part.name, c); err != nil {
			return s, fileError(o, "state.db", err)
		}
	}
	s.ledger = ledger.Open(ledger.Options{DB: s.state, KeepFor: recordAge, Log: o.Logger, Now: o.Now})
	return s, nil
}

func (s *stores) openPages(o Options) error {
	c := storeOptions(o, memoryPages, cache.Options{
		Changed: searchindex.Changed(o.Search), Versions: o.Cache.Versions,
		MaxAge: cmp.Or(o.Cache.MaxAge, lockdownMaxAge), MaxBytes: o.Cache.MaxBytes,
	})
	if o.Dir == "" {
		s.pages = cache.NewMemory(c)
		return nil
	}
	file := cache.FileOptions{Kind: "winnow pages", Schema: pageSchema, Logger: o.Logger}
	bolt, err := cache.OpenBolt(filepath.Join(o.Dir, "cache.db"), file, c)
	if err == nil {
		s.pages, s.pageFile = bolt, bolt.DB()
	}
	return err
}

func (s *stores) openState(o Options) error {
	if o.Dir == "" {
		s.state = cache.NewMap()
		return nil
	}
	options := cache.FileOptions{Kind: "winnow state", Schema: stateSchema, Logger: o.Logger}
	file, err := cache.OpenFile(filepath.Join(o.Dir, "state.db"), options)
	if err == nil {
		s.state = file
	}
	return err
}

// storeOptions adds what all stores of an engine have in common.
func storeOptions(o Options, inMemory int64, c cache.Options) cache.Options {
	c.Now, c.Logger = o.Now, o.Logger
	if o.Dir == "" {
		c.MaxBytes = cmp.Or(c.MaxBytes, inMemory)
	}
	return c
}

// fileError says which option led to a file that can't be used.
func fileError(o Options, name string, err error) error {
	want := fmt.Sprintf("a folder whose %s is whole, writable and not open elsewhere", name)
	return &OptionError{Field: "Dir", Value: o.Dir, Want: want, Err: err}
}

// flush waits until all that was put is durable.
func (s *stores) flush(ctx context.Context) error {
	s.ledger.Flush()
	return errors.Join(s.pages.Flush(ctx), s.records.Flush(ctx), s.history.Flush(ctx), s.layouts.Flush(ctx))
}

// close writes what is queued and frees the files. It does what it can on stores
// that were opened in part.
func (s *stores) close() error {
	var errs []error
	if s.ledger != nil {
		s.ledger.Close()
	}
	for _, store := range []cache.Store{s.records, s.history, s.layouts} {
		if store != nil {
			errs = append(errs, store.Close())
		}
	}
	if s.pages != nil {
		errs = append(errs, s.pages.Close())
	}
	if s.state != nil {
		errs = append(errs, s.state.Close())
	}
	return errors.Join(errs...)
}
