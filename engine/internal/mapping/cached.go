package mapping

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Bounds of a look through the cache.
const (
	keysPerLook = 100
	maxLooks    = 20_000           // each goes over a host at least
	cacheTime   = 10 * time.Second // the cache is on this machine
	lateTime    = 2 * time.Second  // when the map's own time has run out
)

// cached lists the pages of the site that the cache has, and takes their titles. There is
// time for that also when the map's own has run out.
func (m *mapping) cached(ctx context.Context) error {
	if !m.request.Cached {
		return nil
	}
	m.found.closed = m.request.Sitemap == Only // there titles are all that is wanted
	ctx, cancel := m.cacheContext(ctx)
	defer cancel()
	read := 0
	for page, err := range pagesOf(ctx, m.cache, m.found.base, m.request.Scope.AllowSubdomains, m.found.isOwn) {
		if err != nil {
			m.log.Warn("the cache can't be read", "error", err)
			return nil
		}
		m.found.add(page)
		if read++; read == MaxLinks {
			return nil
		}
	}
	if ctx.Err() != nil {
		m.warn("Not all pages of the cache were looked at, for which there was no more time")
	}
	return nil
}

// cacheContext is the time for the cache.
func (m *mapping) cacheContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if timedOut(ctx) {
		return context.WithTimeout(context.WithoutCancel(ctx), lateTime)
	}
	return context.WithTimeout(ctx, cacheTime)
}

// pagesOf streams the cached pages of a site: of base's host, then of all others that own accepts. It ends without an error when ctx
// does.
func pagesOf(ctx context.Context, c Cache, base string, subdomains bool, own func(href string) bool) iter.Seq2[Link, error] {
	return func(yield func(Link, error) bool) {
		for key, err := range siteKeys(ctx, c, base, subdomains, own) {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				yield(Link{}, err)
				return
			}
			if page, ok := c.Page(ctx, key); ok && !yield(page, nil) {
				return
			}
		}
	}
}

// siteKeys streams the keys of a site's pages, base's host first.
func siteKeys(ctx context.Context, c Cache, base string, subdomains bool, own func(href string) bool) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		home := pageHost(weburl.Key(base))
		look := func(prefix string, wanted func(host string) bool) bool {
			for key, err := range pageKeys(ctx, c, prefix, wanted) {
				if !yield(key, err) {
					return false
				}
			}
			return true
		}
		if look("https://"+home, func(host string) bool { return host == home }) && subdomains {
			look("https://", func(host string) bool { return host != home && own("https://"+host+"/") })
		}
	}
}

// pageKeys streams the keys of the hosts that are wanted. Keys are in order, so that
// those of all others are gone over without being read.
func pageKeys(ctx context.Context, c Cache, prefix string, wanted func(host string) bool) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s := scan{wanted: wanted}
		for range maxLooks {
			keys, err := c.Keys(ctx, prefix, s.after, keysPerLook)
			if err != nil && ctx.Err() == nil {
				yield("", err)
			}
			if err != nil || len(keys) == 0 {
				return
			}
			for _, key := range keys {
				if s.take(key) && !yield(key, nil) {
					return
				}
			}
		}
	}
}

// scan is where a look through the cache is.
type scan struct {
	wanted func(host string) bool
	after  string // keys up to this are done
	host   string // of the last key
	good   bool   // that is wanted
}

// take reports whether the next key is of a host that is wanted.
func (s *scan) take(key string) bool {
	if key <= s.after {
		return false
	}
	if host := pageHost(key); host != s.host {
		s.host, s.good = host, s.wanted(host)
	}
	s.after = key
	if !s.good {
		s.after = key[:min(len("https://")+len(s.host)+1, len(key))] + "\xff" // beyond every URL that begins so
	}
	return s.good
}

// pageHost is the host, with its port, of a page's key.
func pageHost(key string) string {
	host := strings.TrimPrefix(key, "https://")
	if i := strings.IndexAny(host, "/?#"+weburl.KeyEnd); i >= 0 {
		host = host[:i]
	}
	return host
}
