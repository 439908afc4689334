package mapping

import (
	"strings"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/fetch/weburl"
)

const (
	foundBytes = 128 << 20 // bounds the memory for the URLs and titles of one map
	foundCost  = 128       // bytes of a URL beside its texts
	forbidden  = -1        // stands for a place in the list
)

// found collects the URLs of one map: each once, in the order in which they came.
type found struct {
	base   string // the page, where redirects ended
	scope  *scope.Scope
	own    *scope.Scope // the site, without patterns and links to others
	below  string       // path that is listed, "" for all; see pathFilter
	strip  bool         // queries
	max    int
	robots *robots.File // that forbids URLs of base's origin; nil: asked of nothing
	agent  string

	list   []Link
	at     map[string]int // by scope's key
	bytes  int
	closed bool // nothing new is taken
	denied int  // by robots.txt
}

// newFound begins a list for a page that was asked for at one URL and found at base.
func newFound(r Request, base string) (*found, error) {
	o := r.Scope
	o.Seed = base
	f := &found{base: base, strip: r.StripQuery, max: r.maxFound(), at: map[string]int{}}
	var err error
	if f.scope, err = scope.New(o); err != nil {
		return nil, err
	}
	f.own, err = scope.New(scope.Options{Seed: base, CrawlEntireDomain: true, AllowSubdomains: o.AllowSubdomains})
	if r.ByPath {
		f.below = pathFilter(r.URL, base)
	}
	return f, err
}

// add takes a URL, or what is now known of one, and reports whether the map's options
// admit it.
func (f *found) add(l Link) bool {
	v := f.scope.Judge(scope.Link{URL: f.tidy(l.URL), From: f.base})
	if !v.Accepted() || !f.isBelow(v.URL) {
		return false
	}
	if i, known := f.at[v.Key]; known {
		f.complete(i, l)
	} else if !f.full() {
		f.append(v, l)
	}
	return true
}

func (f *found) append(v scope.Verdict, l Link) {
	l.URL = bareSlash(v.URL)
	f.bytes += len(l.URL) + len(v.Key) + foundCost + l.size()
	if f.forbids(v.URL) {
		f.at[v.Key] = forbidden
		f.denied++
		return
	}
	f.at[v.Key] = len(f.list)
	f.list = append(f.list, l)
}

// complete adds to what is known of a URL.
func (f *found) complete(i int, l Link) {
	if i == forbidden || f.bytes > foundBytes {
		return
	}
	known := &f.list[i]
	f.bytes -= known.size()
	if known.Title == "" && known.Description == "" {
		known.Title, known.Description = l.Title, l.Description
	}
	if known.Listed == nil {
		known.Listed = l.Listed
	}
	f.bytes += known.size()
}

// size is what a link takes beside its URL, in bytes.
func (l Link) size() int {
	n := len(l.Title) + len(l.Description)
	if l.Listed != nil {
		n += foundCost
		for _, href := range l.Listed.Images {
			n += len(href)
		}
	}
	return n
}

// full reports whether no new URL is taken.
func (f *found) full() bool { return f.closed || len(f.list) >= f.max || f.bytes > foundBytes }

func (f *found) forbids(href string) bool {
	return f.robots != nil && weburl.Origin(href) == weburl.Origin(f.base) && !f.robots.Allowed(f.agent, href)
}

// tidy drops a fragment that no script routes by, and the query where it is ignored.
func (f *found) tidy(href string) string {
	page, fragment, _ := strings.Cut(href, "#")
	if f.strip {
		page, _, _ = strings.Cut(page, "?")
	}
	if strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!/") {
		return page + "#" + fragment
	}
	return page
}

// isBelow keeps to the path; on other sites, where links may lead, it doesn't count.
func (f *found) isBelow(href string) bool {
	if f.below == "" {
		return true
	}
	place, _, _ := weburl.Split(href)
	path := place[strings.IndexByte(place, '/'):]
	return under(f.below, path) || !f.isOwn(href)
}

// isOwn reports whether a URL is of the site itself.
func (f *found) isOwn(href string) bool {
	return f.own.Judge(scope.Link{URL: href, From: f.base}).Accepted()
}
