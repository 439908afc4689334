package searchindex

import (
	"context"
	"log/slog"
	"time"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
)

// Store is the stored pages. Its methods are safe for concurrent use.
type Store interface {
	// Keys returns up to limit keys that begin with prefix and are > after, ascending.
	Keys(ctx context.Context, prefix, after string, limit int) ([]string, error)
	// Flush returns when all that was put before is stored, and changes of it were reported.
	Flush(ctx context.Context) error
	// Newest returns the newest version of a key; nil where that may not be found: an error, a wall, a sitemap, a feed.
	Newest(ctx context.Context, key string) (*Version, error)
}

// Version is one version of a stored page.
type Version struct {
	// Page is what is known without reading it. Its Version changes with content and time.
	Page search.Page
	// Tree reads the page. A nil tree is a page without text.
	Tree func(context.Context) (*formats.DOM, error)
}

// pages are the pages of a store as an index reads them: of each way of fetching a page the newest version.
type pages struct {
	store Store
	log   *slog.Logger
}

// NewPages gives an index the pages of a store.
func NewPages(store Store, log *slog.Logger) search.Pages { return &pages{store: store, log: log} }

// Keys implements search.Pages.
func (p *pages) Keys(ctx context.Context, after string, limit int) ([]string, error) {
	return p.store.Keys(ctx, "", after, limit)
}

// Settle implements search.Pages. What the store couldn't write is the store's to report.
func (p *pages) Settle(ctx context.Context) error {
	if err := p.store.Flush(ctx); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// Version implements search.Pages.
func (p *pages) Version(ctx context.Context, key string) (string, error) {
	v, err := p.store.Newest(ctx, key)
	if err != nil || v == nil {
		return "", err
	}
	return v.Page.Version, nil
}

// maxTime bounds the reading of one page.
const maxTime = 20 * time.Second

// Page implements search.Pages. Of a page whose text can't be read there are address and title.
func (p *pages) Page(ctx context.Context, key string) (*search.Page, error) {
	v, err := p.store.Newest(ctx, key)
	if err != nil || v == nil {
		return nil, err
	}
	page := v.Page
	reading, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	if err := describe(reading, v.Tree, &page); err != nil {
		p.log.Debug("a page is found by its title only", "error", err)
	}
	return &page, ctx.Err()
}
