// Package pagestore keeps acquired pages in a cache, several versions of each, and finds the one that serves a request.
//
//	plan.go    Wish: what the options of a scrape say of the cache
//	request.go what the cache may do for a request, and which versions serve
//	ages.go    how old a stored page may be
//	store.go   Store: finding, keeping and renewing
//	facts.go   what is kept beside a page's bytes, and their form
package pagestore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/page"
)

// Store keeps pages. Safe for concurrent use.
type Store struct {
	Pages cache.Store
	Log   *slog.Logger
	Now   func() time.Time
}

// Version is a stored version of a page.
type Version struct {
	cache.Version
	*Facts
}

// Found is what the store has for a request.
type Found struct {
	Page    *page.Page // nil for none
	Version *Version   // that the page is from
	Stale   *Version   // that its site may vouch for; nil for none
}

// Find takes the best version that fits and can be read. ready reports that a page needs
// no body, since its output is at hand.
func (s *Store) Find(ctx context.Context, r *Request, ready func(*page.Page) bool) (Found, error) {
	fitting, err := s.candidates(ctx, r)
	if err != nil {
		return Found{}, err
	}
	for _, c := range r.Choose(fitting, s.Now()) {
		src := c.restore()
		if ready(src) || s.Load(ctx, c, src) {
			return Found{Page: src, Version: &c}, nil
		}
	}
	return Found{Stale: r.Expired(fitting, s.Now())}, nil
}

// candidates are the versions that are what the request would fetch, of any age,
// newest first. A cache that can't be read is as good as an empty one.
func (s *Store) candidates(ctx context.Context, r *Request) ([]Version, error) {
	versions, err := s.Pages.Versions(ctx, r.Key)
	if err != nil {
		s.Log.Warn("the cache can't be read", "error", err)
		return nil, ctx.Err()
	}
	var fitting []Version
	for _, v := range versions {
		m, err := decodeStored(v.Meta)
		if err != nil {
			s.Log.Warn("a stored page can't be read", "error", err)
			continue
		}
		if r.Fits(m) {
			fitting = append(fitting, Version{v, m})
		}
	}
	return fitting, nil
}

// Load reads a stored version's bytes. It returns false where that fails, which is logged.
func (s *Store) Load(ctx context.Context, c Version, src *page.Page) bool {
	data, err := s.Pages.Get(ctx, c.Version)
	if err == nil {
		err = decodeBody(data, src)
	}
	switch {
	case err == nil:
		return true
	case errors.Is(err, cache.ErrNotFound): // pruned meanwhile
	default:
		s.Log.Warn("a stored page can't be read", "version", c.ID, "error", err)
	}
	return false
}

// Revalidated is a version that its site has just vouched for under an address; false where it is none of that, or cannot be
// read.
func (s *Store) Revalidated(ctx context.Context, c Version, at string) (*page.Page, bool) {
	src := c.restore()
	return src, at == c.URL && s.Load(ctx, c, src)
}

// Put keeps a page, described by m.
func (s *Store) Put(ctx context.Context, key string, m *Facts, src *page.Page) error {
	return Put(ctx, s.Pages, cache.Entry{Key: key, Stored: s.Now()}, m, src)
}

// Put keeps a page, described by m, in any store of pages.
func Put(ctx context.Context, pages cache.Store, e cache.Entry, m *Facts, src *page.Page) error {
	var err error
	if e.Meta, err = m.encode(); err != nil {
		return fmt.Errorf("describe: %w", err)
	}
	e.Value = encodeBody(src)
	return pages.Put(ctx, e, nil)
}

// Renew notes that a site has vouched for a version at a time.
func (s *Store) Renew(ctx context.Context, c *Version, at time.Time) error {
	return s.Pages.Renew(ctx, c.Version, at, c.Meta)
}

// RenewBy notes that a page has come with the bytes of a version, now with these validators.
func (s *Store) RenewBy(ctx context.Context, c *Version, src *page.Page) error {
	m := *c.Facts
	m.ETag, m.LastModified = src.ETag, src.LastModified
	meta, err := m.encode()
	if err != nil {
		return err
	}
	return s.Pages.Renew(ctx, c.Version, s.Now(), meta)
}

// Newest returns the newest version of a key, nil where that is no page to find: an error, a wall, a sitemap or a feed, or got with
// credentials, which are not those of every reader.
func (s *Store) Newest(ctx context.Context, key string) (*Version, error) {
	if withLogin(key) {
		return nil, nil
	}
	versions, err := s.Pages.Versions(ctx, key)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	m, err := decodeStored(versions[0].Meta)
	if err != nil || !m.good() || !m.listable() {
		return nil, nil
	}
	return &Version{versions[0], m}, nil
}

// Describe returns a version of any store of pages with what is kept of it beside its bytes.
func Describe(v cache.Version) (*Version, error) {
	m, err := decodeStored(v.Meta)
	return &Version{v, m}, err
}

// Read returns the page of a version, from any store of pages.
func Read(ctx context.Context, pages cache.Store, v cache.Version) (*page.Page, error) {
	m, err := decodeStored(v.Meta)
	if err != nil {
		return nil, err
	}
	data, err := pages.Get(ctx, v)
	if err != nil {
		return nil, err
	}
	src := m.restore()
	return src, decodeBody(data, src)
}

// keysAtOnce bounds how many keys are read in one go.
const keysAtOnce = 1000

// EachVersion visits the versions of all keys with a prefix. One whose description cannot be read has none.
func (s *Store) EachVersion(ctx context.Context, prefix string, visit func(Version)) error {
	for after := ""; ; {
		keys, err := s.Pages.Keys(ctx, prefix, after, keysAtOnce)
		if err != nil || len(keys) == 0 {
			return err
		}
		for _, key := range keys {
			versions, err := s.Pages.Versions(ctx, key)
			if err != nil {
				return err
			}
			for _, v := range versions {
				m, _ := decodeStored(v.Meta)
				visit(Version{v, m})
			}
		}
		after = keys[len(keys)-1]
	}
}
