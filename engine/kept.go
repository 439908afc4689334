package engine

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/searchindex"
	"github.com/winnow-go/winnow/engine/internal/stores"
	"github.com/winnow-go/winnow/fetch/weburl"
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

// storeOptions are what the engine's stores need. What is kept expires by ages, nil for the system's clock.
func storeOptions(o Options, ages func() time.Time) stores.Options {
	return stores.Options{
		Dir: o.Dir, Versions: o.Cache.Versions, MaxAge: cmp.Or(o.Cache.MaxAge, pagestore.LockdownMaxAge), MaxBytes: o.Cache.MaxBytes,
		JobMemory: o.JobMemory, Changed: searchindex.Changed(o.Search), Log: o.Logger, Now: o.Now, Ages: ages,
	}
}

// PageVersion is one stored version of a page.
type PageVersion struct {
	// URL is where the page was in the end, Requested what was asked for, normalised.
	URL, Requested string
	// StoredAt is when it was acquired, or last vouched for by its site.
	StoredAt time.Time
	// StatusCode is the page's HTTP status.
	StatusCode int
	// ContentType is the page's own.
	ContentType string
	// RenderedBy is "http" or "browser".
	RenderedBy string
	// Screenshot is "full", "viewport" or empty.
	Screenshot string
	// Variant is how it was fetched: country, languages, "mobile", "ads" (not
	// blocked), "enhanced", "proxy", "login", parted by semicolons.
	Variant string
	// Size in bytes, uncompressed, screenshot included.
	Size int64
}

// Versions lists what the cache holds of a URL, newest first within each way of
// fetching it; of a URL that ends in "*", of all that begin so. None is no error.
func (e *Engine) Versions(ctx context.Context, url string) ([]PageVersion, error) {
	var list []PageVersion
	err := e.manage(ctx, "versions", url, func(ctx context.Context) error {
		prefixes, err := keyPrefixes(url)
		if err != nil {
			return err
		}
		for _, prefix := range prefixes {
			if err := e.pageStore.EachVersion(ctx, prefix, func(c pagestore.Version) { list = append(list, pageVersion(c)) }); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// pageVersion of a version whose description can't be read says what is known.
func pageVersion(c pagestore.Version) PageVersion {
	_, variant, _ := strings.Cut(c.Key, weburl.KeyEnd)
	p := PageVersion{StoredAt: c.Version.Stored, Variant: variant, Size: c.Size}
	if m := c.Facts; m != nil {
		p.URL, p.Requested, p.StatusCode, p.ContentType = m.URL, m.Source, m.Status, m.ContentType
		p.RenderedBy, p.Screenshot = string(m.By), string(m.Shot)
	}
	return p
}

// Forget drops all that is kept of a URL, or of all that begin with it when it ends
// in "*": cached pages and what the search index has of them, records of scrapes and the
// history of change tracking of every owner. It is durable on return, and returns the number of cached versions that were dropped.
// Selectors that deterministicJson has learned go for the whole host, for they may name what
// stands on a page: the next page of each layout asks the model again.
// What the ledger counts stays: it names no URL. What jobs and the list of activity
// hold stays for its day, the seeds of crawls while those are remembered.
func (e *Engine) Forget(ctx context.Context, url string) (versions int, err error) {
	err = e.manage(ctx, "forget", url, func(ctx context.Context) error {
		prefixes, err := keyPrefixes(url)
		if err != nil {
			return err
		}
		if versions, err = e.stores.Forget(ctx, prefixes); err != nil {
			return err
		}
		e.rendered.Forget()
		e.robots.Forget()
		if err := e.index.Purge(ctx); err != nil {
			return err
		}
		return e.stores.Records.Forget(ctx, prefixes)
	})
	return versions, err
}

// CacheStats counts what an engine keeps.
type CacheStats struct {
	// Pages are URLs, each way of fetching one counted; Versions of them.
	Pages, Versions int64
	// Bytes of all versions, compressed.
	Bytes int64
	// FileBytes is the size of cache.db, FreeBytes how much of it Compact would give
	// back. In memory they are Bytes and 0.
	FileBytes, FreeBytes int64
	// StateBytes and StateFreeBytes are those of state.db.
	StateBytes, StateFreeBytes int64
	// Oldest and Newest version; zero without any.
	Oldest, Newest time.Time
	// RenderedBytes of outputs are kept, in memory and in a file without a name.
	RenderedBytes int64
}

// CacheStats counts what is kept; what is queued is written first.
func (e *Engine) CacheStats(ctx context.Context) (CacheStats, error) {
	var out CacheStats
	err := e.manage(ctx, "cache stats", "", func(ctx context.Context) error {
		st, err := e.stores.Stats(ctx)
		out = CacheStats{
			Pages: st.Keys, Versions: st.Versions, Bytes: st.Bytes, Oldest: st.Oldest, Newest: st.Newest,
			FileBytes: st.PageFile, FreeBytes: st.PageFree, StateBytes: st.StateFile, StateFreeBytes: st.StateFree,
			RenderedBytes: e.rendered.Bytes(),
		}
		return err
	})
	return out, err
}

// Compact rewrites both files without what has been dropped from them; they never
// shrink by themselves. It drops what is due first. Scrapes wait meanwhile where
// they need the cache. An interruption at any moment leaves the files whole.
func (e *Engine) Compact(ctx context.Context) error {
	return e.manage(ctx, "compact", "", func(ctx context.Context) error {
		if err := e.stores.Compact(ctx); err != nil {
			return err
		}
		return e.index.Compact(ctx)
	})
}

// Flush returns when all that was kept so far is on disk: pages, records, history
// and credits are written behind the answer, some milliseconds later. Close does the same.
func (e *Engine) Flush(ctx context.Context) error {
	return e.manage(ctx, "flush", "", func(ctx context.Context) error {
		return errors.Join(e.stores.Flush(ctx), e.index.Flush(ctx))
	})
}

// manage runs a piece of housekeeping.
func (e *Engine) manage(ctx context.Context, op, url string, f func(context.Context) error) error {
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return failure(context.Background(), op, url, err)
	}
	defer done()
	if err := f(ctx); err != nil {
		return failure(ctx, op, url, err)
	}
	return nil
}
