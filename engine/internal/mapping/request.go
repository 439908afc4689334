package mapping

import (
	"context"
	"log/slog"
	"time"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/sitemap"
)

// Mode says what a site's sitemaps are for.
type Mode string

// The modes. Include takes URLs from sitemaps and links, Only from sitemaps alone.
const (
	Include Mode = "include"
	Skip    Mode = "skip"
	Only    Mode = "only"
)

// Request is one map. Its fields are valid as they are: there are no defaults.
type Request struct {
	URL     string // of the page, normalised
	Search  string // what is put in front; "" for nothing
	Sitemap Mode
	Cached  bool // list cached pages too
	Limit   int  // of URLs, at most MaxLinks
	Timeout time.Duration

	ByPath     bool          // list only what is at or below the page's path
	StripQuery bool          // list URLs without their query
	Scope      scope.Options // which URLs are of the map; Seed is where redirects of URL end

	Offline     bool   // nothing may be fetched: pages and sitemaps come from the cache
	RobotsAgent string // the robot that robots.txt is obeyed as; "" obeys none
}

// MaxLinks is the most that one map lists.
const MaxLinks = 100_000

// maxFound is how many URLs are kept until they are ranked and cut: what is most relevant may come last.
func (r Request) maxFound() int {
	if r.Search != "" {
		return MaxLinks
	}
	return r.Limit
}

// Result is what a map has found.
type Result struct {
	URL      string // where the page's redirects ended
	Links    []Link
	Warnings []string // sentences
}

// Link is one URL and what is known of its page.
type Link struct {
	URL, Title, Description string
	Listed                  *Listed // nil: nothing
}

// Listed is what a site's sitemaps say of a page beside that.
type Listed struct {
	LastModified, Published time.Time // zero: unknown
	Images                  []string
}

// Page is what a map wants to know of a page.
type Page struct {
	URL                string // where redirects ended
	Status             int
	Wall               string // the name of what is shown instead of the page; "" for none
	Title, Description string
	Links              []string
}

// Site is the site's pages and files. Its methods are safe for concurrent use.
type Site interface {
	// Page returns a page within timeout. While a browser is installed for it, the map's own clock stands still.
	Page(ctx context.Context, href string, timeout time.Duration) (*Page, *PageError)
	// Robots returns the robots.txt of a URL's origin. An error is a file that is unavailable.
	Robots(ctx context.Context, href string) (*robots.File, error)
	// Fetcher returns sitemaps.
	sitemap.Fetcher
	// Strange reports whether a page at one address must not lead to another: it is served by the engine itself, or gets its credentials.
	Strange(from, to string) bool
}

// PageError says why a page is unavailable, and what that means for the map.
type PageError struct {
	Reason  string // for a warning, in one word
	Refused bool   // the policy forbids the page: the map ends
	Silent  bool   // the whole site doesn't answer: it is not asked for more
	Err     error
}

func (e *PageError) Error() string { return e.Err.Error() }

func (e *PageError) Unwrap() error { return e.Err }

// Cache is the cached pages of all sites, by the keys of package weburl.
type Cache interface {
	// Keys returns up to limit keys that begin with prefix and are > after, ascending.
	Keys(ctx context.Context, prefix, after string, limit int) ([]string, error)
	// Page returns what the newest version of a key says of itself; false where that is no page to list.
	Page(ctx context.Context, key string) (Link, bool)
}

// Deps is what a map needs from outside. No field may be nil.
type Deps struct {
	Site  Site
	Cache Cache
	Log   *slog.Logger
}
