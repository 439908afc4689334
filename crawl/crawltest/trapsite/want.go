package trapsite

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Want is a crawl, in the words of its options. The zero value is a crawl of Site.Seed by HTTP with every option at its default.
type Want struct {
	Seed                       string // "": Site.Seed. A host that isn't the site's is where Handler serves
	IncludePaths, ExcludePaths []string
	RegexOnFullURL             bool
	MaxDepth                   *int // path segments below the seed's path; nil: no bound
	MaxDiscoveryDepth          *int // links from the seed or a sitemap page; nil: no bound
	// Limit is how many pages are delivered; 0: no bound. The list is then that of a crawl that takes one page after the other: the seed, the
	// sitemaps' in their order, and links as they are found. Where pages are fetched side by side only its length is sure.
	Limit                  int
	CrawlEntireDomain      bool
	AllowSubdomains        bool
	AllowExternalLinks     bool
	IgnoreQueryParameters  bool
	DeduplicateSimilarURLs *bool  // nil: true
	Sitemap                string // "include", "skip", "only"; "": include
	IgnoreRobotsTxt        bool
	RobotsUserAgent        string // "": one that robots.txt doesn't name
	Rendered               bool   // by a browser: scripts run, frames are parts of their page, and a meta refresh is a redirect
}

// Bounds of a list: a crawl of more, or of longer addresses, has met an endless trap.
const (
	maxWanted      = 20_000 // and Options.Pages
	maxWantedBytes = 8 << 10
)

// Want lists the pages that a crawl of the site must deliver, no more and no less, sorted. A page that a redirect leads to counts,
// under the address where the redirect ended (metadata.url), and not the redirect. Pages with a status such as 404 count; what gave
// no answer doesn't. Where several addresses are one page by the options, one of them is listed: compare with Diff, or by
// Want.Canon.
//
// It panics when the list has no end (the traps of Endless, without an option that bounds them) and when an option makes no sense.
func (s *Site) Want(w Want) []string {
	if w.Seed == "" {
		w.Seed = s.Seed()
	}
	list := newWalk(s, w).run()
	slices.Sort(list)
	return list
}

// Canon is an address such that two are one page by the options when theirs is the same: with nothing percent-encoded that needn't be,
// without fragment unless that is a route, without query where queries are ignored, and where similar URLs are one with https, no "www.",
// and nothing after the last name of the path. What is no URL is given back.
func (w Want) Canon(href string) string {
	u, err := parse(href)
	if err != nil {
		return href
	}
	if !isRoute(u) {
		u.Fragment, u.RawFragment = "", ""
	}
	if w.IgnoreQueryParameters {
		u.RawQuery, u.ForceQuery = "", false
	}
	setPath(u, encodedAlike(u.EscapedPath()))
	u.RawQuery = encodedAlike(u.RawQuery)
	if w.similarAreOne() {
		fold(u)
	}
	return u.String()
}

var (
	escape     = regexp.MustCompile("%[0-9A-Fa-f]{2}")
	unreserved = regexp.MustCompile("^[A-Za-z0-9._~-]$")
)

// encodedAlike leaves encoded only what means something else without: RFC 3986, section 6.2.2.
func encodedAlike(text string) string {
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		if plain, err := url.PathUnescape(e); err == nil && unreserved.MatchString(plain) {
			return plain
		}
		return strings.ToUpper(e)
	})
}

func (w Want) similarAreOne() bool {
	return w.DeduplicateSimilarURLs == nil || *w.DeduplicateSimilarURLs
}

// isRoute: the fragment is the address of a page that scripts make.
func isRoute(u *url.URL) bool {
	return strings.HasPrefix(u.Fragment, "/") || strings.HasPrefix(u.Fragment, "!/")
}

// fold makes similar URLs the same.
func fold(u *url.URL) {
	u.Scheme, u.Host = "https", strings.TrimPrefix(u.Host, "www.")
	path := strings.TrimRight(u.EscapedPath(), "/")
	for _, index := range []string{"/index.html", "/index.php"} {
		path = strings.TrimSuffix(path, index)
	}
	setPath(u, strings.TrimRight(path, "/")+"/")
}

// parse reads a URL and gives it the root as its path where it has none.
func parse(href string) (*url.URL, error) {
	u, err := url.Parse(href)
	if err == nil && u.Host != "" && u.Path == "" {
		u.Path = "/"
	}
	return u, err
}

func setPath(u *url.URL, escaped string) {
	plain, err := url.PathUnescape(escaped)
	if err != nil {
		plain = escaped
	}
	u.Path, u.RawPath = plain, escaped
}

// Same reports whether two addresses are one page by the options.
func (w Want) Same(a, b string) bool { return w.Canon(a) == w.Canon(b) }

// Diff compares what a crawl delivered with Want: "" if they are the same, else a line for each page that is missing,
// unexpected or delivered twice.
func (s *Site) Diff(w Want, got []string) string {
	var b strings.Builder
	list := s.Want(w)
	want, have := map[string]bool{}, map[string]string{}
	for _, href := range list {
		want[w.Canon(href)] = true
	}
	for _, href := range got {
		canon := w.Canon(href)
		first, twice := have[canon]
		have[canon] = href
		switch {
		case twice:
			fmt.Fprintf(&b, "twice: %s, and as %s\n", first, href)
		case !want[canon]:
			fmt.Fprintf(&b, "too much: %s\n", href)
		}
	}
	for _, href := range list {
		if _, ok := have[w.Canon(href)]; !ok {
			fmt.Fprintf(&b, "missing: %s\n", href)
		}
	}
	return b.String()
}
