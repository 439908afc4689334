package stores

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Stats count what is kept. Sizes are in bytes.
type Stats struct {
	cache.Stats                // of the pages
	PageFile, PageFree   int64 // the file's size and how much of it is free; in memory Bytes and 0
	StateFile, StateFree int64
}

// Stats counts what is kept; pages that are queued are written first, unless the disk can't be.
func (s *Stores) Stats(ctx context.Context) (out Stats, err error) {
	if err := s.Pages.Flush(ctx); err != nil && !errors.Is(err, cache.ErrUnwritable) {
		return out, err
	}
	if out.Stats, err = s.Pages.Stats(ctx); err != nil {
		return out, err
	}
	out.PageFile = out.Bytes
	if s.PageFile != nil {
		if out.PageFile, out.PageFree, err = s.PageFile.Size(); err != nil {
			return out, err
		}
	}
	out.StateFile, out.StateFree, err = s.State.Size()
	return out, err
}

// Flush waits until all that was put is durable.
func (s *Stores) Flush(ctx context.Context) error {
	errs := []error{s.Ledger.Flush()}
	for _, store := range append([]cache.Store{s.Pages}, s.parts()...) {
		errs = append(errs, store.Flush(ctx))
	}
	return errors.Join(errs...)
}

// prune drops what is due and makes durable what was put.
func (s *Stores) prune(ctx context.Context) error {
	for _, store := range append([]cache.Store{s.Pages}, s.parts()...) {
		if _, err := store.Prune(ctx); err != nil {
			return err
		}
	}
	return s.Flush(ctx)
}

// Compact drops what is due, and rewrites both files without what has been dropped from them. An interruption at any moment
// leaves the files whole.
func (s *Stores) Compact(ctx context.Context) error {
	if err := s.prune(ctx); err != nil {
		return err
	}
	if s.PageFile != nil {
		if err := s.PageFile.Compact(ctx); err != nil {
			return err
		}
	}
	return s.State.Compact(ctx)
}

// Forget drops the pages whose key begins with one of the prefixes (see [weburl.KeyPrefixes]), their history, the selectors
// of their hosts, and where crawls were led to them. It is durable on return, and returns the number of versions of pages
// that were dropped. Records are forgotten by themselves: see [records.Store.Forget].
func (s *Stores) Forget(ctx context.Context, prefixes []string) (versions int, err error) {
	for _, prefix := range prefixes {
		n, err := s.Pages.Forget(ctx, prefix)
		versions += n
		if err != nil {
			return versions, err
		}
		if _, err := s.History.Forget(ctx, prefix); err != nil {
			return versions, err
		}
		for _, ofHost := range []cache.Store{s.Layouts, s.Learnt} {
			if _, err := ofHost.Forget(ctx, weburl.HostPrefix(prefix)); err != nil {
				return versions, err
			}
		}
	}
	return versions, crawling.Forget(s.State, prefixes)
}

// probeBucket has the time of the last Probe.
const probeBucket = "ready"

// Why files can't be written, in words that anyone may read.
const (
	ReasonState = "the state can't be written"
	ReasonPages = "the cache can't be written"
	ReasonDisk  = "the disk is full or can't be written; jobs are paused"
)

// Probe writes the time where no one reads it, and returns the reasons for which that fails, or for which something larger waits to be
// written, with their cause. There are none where the files can be written, and for pages in memory.
func (s *Stores) Probe(at time.Time) (reasons []string, cause error) {
	once, cancel := context.WithCancel(context.Background())
	cancel()
	note := func(reason string, err error) {
		if err != nil {
			reasons, cause = append(reasons, reason), errors.Join(cause, err)
		}
	}
	write := func(db cache.DB) error {
		return s.Disk.Write(once, func() error {
			return db.Update(func(tx cache.Tx) error {
				return tx.Put(probeBucket, []byte("at"), at.UTC().AppendFormat(nil, time.RFC3339))
			})
		})
	}
	note(ReasonState, write(s.State))
	if s.PageFile != nil {
		note(ReasonPages, write(s.PageFile))
	}
	note(ReasonDisk, s.Disk.Err())
	return reasons, cause
}
