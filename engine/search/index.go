package search

import (
	"context"
	"log/slog"
	"time"
)

// Index is a provider that searches what an engine keeps. The engine that it is given to feeds
// and closes it. It costs nothing until it is first searched: then it is made, or caught up with
// what the pages are now. All methods are safe for concurrent use.
//
// What it finds is what the cache holds, regardless of the owner whose request fetched it: the cache is common to all owners.
type Index interface {
	Provider
	// Attach tells once, before anything else is called, where the pages are. It neither reads nor
	// writes. [ErrAttached] the second time.
	Attach(p Pages, s Setup) error
	// Changed tells that pages were put, renewed or removed. It is quick, calls nothing and may
	// come at any time.
	Changed(keys []string)
	// Flush returns when all changes told before are in the index and durable. It does nothing for
	// an index that isn't in use.
	Flush(ctx context.Context) error
	// Purge returns when nothing is found any more that the pages don't have, also by a later
	// program: an index that isn't in use, but has left something in its folder, is taken into use.
	Purge(ctx context.Context) error
	// Compact is Purge that also gives back what removed pages have taken, and their texts with it.
	Compact(ctx context.Context) error
	// Close waits for what is being written. What isn't in the index yet will be when it is next used.
	// Later calls return [ErrClosed]; a second Close returns nil.
	Close() error
}

// Setup says where and how an index is kept.
type Setup struct {
	// Folder that is the index's alone; it is made when first needed. Empty: in memory.
	Folder string
	// Now is the clock of dates. Nil is time.Now.
	Now func() time.Time
	// Logger is told of damage and rebuilding, never with URLs. Nil is silent.
	Logger *slog.Logger
}

// Pages are what an index is made of. Keys name pages; several of them may be one page, fetched in
// different ways: such keys are alike up to their first zero byte.
type Pages interface {
	// Keys gives up to limit keys greater than after, ascending; none: that was the end. Pages that
	// aren't to be found are among them.
	Keys(ctx context.Context, after string, limit int) ([]string, error)
	// Version names what is now kept under a key: another content or time has another name. Empty:
	// nothing that may be found.
	Version(ctx context.Context, key string) (string, error)
	// Page reads what is kept under a key; nil: nothing that may be found.
	Page(ctx context.Context, key string) (*Page, error)
	// Settle returns when Changed has been told of all that was put before.
	Settle(ctx context.Context) error
}

// Page is what of a stored page can be searched.
type Page struct {
	// Version as Pages.Version names it.
	Version string
	// URL of the page; Title, Description and Headings as it spells them; Text of its main content.
	URL                string
	Title, Description string
	Headings           []string
	Text               string
	// Language is a BCP 47 tag; empty: unknown. MediaType is without parameters.
	Language  string
	MediaType string
	// Image is the URL of the picture that stands for the page; empty: none.
	Image string
	// Stored is when it was fetched, or last vouched for by its site. Published is when the page
	// says it was published, or last changed; zero: unknown.
	Stored, Published time.Time
}
