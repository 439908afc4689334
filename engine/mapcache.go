package engine

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats"
)

// Bounds of a look through the cache.
const (
	keysPerLook     = 100
	mostLooks       = 20_000           // each goes over a host at least
	mapCacheTime    = 10 * time.Second // the cache is on this machine
	lateMapTime     = 2 * time.Second  // when the map's own time has run out
	mostTitle       = 300              // bytes
	mostDescription = 1000
)

// cached lists the pages of the site that the cache has, and takes their titles. There is
// time for that also when the map's own has run out.
func (m *mapping) cached(ctx context.Context) error {
	if !m.plan.index {
		return nil
	}
	m.found.closed = m.plan.sitemap == SitemapOnly // there titles are all that is wanted
	ctx, cancel := m.cacheTime(ctx)
	defer cancel()
	read := 0
	for page, err := range m.engine.storedPages(ctx, m.found.base, m.plan.scope.AllowSubdomains, m.found.isOwn) {
		if err != nil {
			m.engine.log.Warn("the cache can't be read", "error", err)
			return nil
		}
		m.found.add(MapLink{page.URL, page.Title, page.Description})
		if read++; read == mostMapLimit {
			break
		}
	}
	return nil
}

func (m *mapping) cacheTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if m.timedOut(ctx) {
		return context.WithTimeout(context.WithoutCancel(ctx), lateMapTime)
	}
	return context.WithTimeout(ctx, mapCacheTime)
}

// storedPages streams the newest versions of the pages of a site: of base's host, then of
// all others that own accepts. Pages whose newest version is an error or a wall are left
// out, and so are sitemaps. It ends without an error when ctx does.
func (e *Engine) storedPages(ctx context.Context, base string, subdomains bool, own func(href string) bool) iter.Seq2[*stored, error] {
	return func(yield func(*stored, error) bool) {
		home := pageHost(pageKey(base))
		hosts := []func(string) bool{func(host string) bool { return host == home }}
		prefixes := []string{"https://" + home}
		if subdomains {
			hosts = append(hosts, func(host string) bool { return host != home && own("https://"+host+"/") })
			prefixes = append(prefixes, "https://")
		}
		for i, wanted := range hosts {
			for key, err := range e.pageKeys(ctx, prefixes[i], wanted) {
				if ctx.Err() != nil {
					return
				}
				page, ok := e.newestPage(ctx, key)
				if (ok || err != nil) && !yield(page, err) {
					return
				}
			}
		}
	}
}

// pageKeys streams the keys of the hosts that are wanted. Keys are in order, so that
// those of all others are gone over without being read.
func (e *Engine) pageKeys(ctx context.Context, prefix string, wanted func(host string) bool) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		after, last, good := "", "", false
		for range mostLooks {
			keys, err := e.stores.pages.Keys(ctx, prefix, after, keysPerLook)
			if err != nil || len(keys) == 0 {
				if err != nil && ctx.Err() == nil {
					yield("", err)
				}
				return
			}
			for _, key := range keys {
				if key <= after {
					continue
				}
				host := pageHost(key)
				if host != last {
					last, good = host, wanted(host)
				}
				after = key
				if !good {
					after = key[:min(len("https://")+len(host)+1, len(key))] + "\xff" // beyond every URL that begins so
				} else if !yield(key, nil) {
					return
				}
			}
		}
	}
}

// pageHost is the host, with its port, of a page's key.
func pageHost(key string) string {
	host := strings.TrimPrefix(key, "https://")
	if i := strings.IndexAny(host, "/?#"+keyEnd); i >= 0 {
		host = host[:i]
	}
	return host
}

// newestPage is what the newest version of a key says, where that is a page.
func (e *Engine) newestPage(ctx context.Context, key string) (*stored, bool) {
	versions, err := e.stores.pages.Versions(ctx, key)
	if err != nil || len(versions) == 0 {
		return nil, false
	}
	page, err := decodeStored(versions[0].Meta)
	if err != nil || !page.good() || !page.listable() {
		return nil, false
	}
	return page, true
}

// listable leaves out sitemaps and feeds, packed ones too, and robots.txt.
func (m *stored) listable() bool {
	if m.File || isHTML(m.MediaType) {
		return !m.File
	}
	return !strings.Contains(m.MediaType, "xml") && m.MediaType != "application/gzip" && !strings.HasSuffix(m.URL, "/robots.txt")
}

// headline is the title and the description of a page that has been parsed, shortened.
func (s *source) headline() (title, description string) {
	if s.dom == nil || !s.isHTML() {
		return "", ""
	}
	out, err := s.dom.Render(context.Background(), formats.Options{})
	if err != nil {
		return "", ""
	}
	meta := out.Metadata
	return shorten(orDefault(meta.Title, meta.OGTitle), mostTitle), shorten(orDefault(meta.Description, meta.OGDescription), mostDescription)
}

// shorten cuts a text at a character.
func shorten(text string, most int) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
