package engine

import (
	"strings"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
)

// MapLink is one URL of a site.
type MapLink struct {
	// URL is absolute and normalised, without a trailing slash.
	URL string `json:"url"`
	// Title and Description are what the page says of itself, where that is known.
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
}

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
	most   int
	robots *robots.File // that forbids URLs of base's origin; nil: asked of nothing
	agent  string

	list   []MapLink
	at     map[string]int // by scope's key
	bytes  int
	closed bool // nothing new is taken
	denied int  // by robots.txt
}

// newFound begins a list for a page that was asked for at one URL and found at base.
func newFound(p *mapPlan, base string) (*found, error) {
	o := p.scope
	o.Seed = base
	f := &found{base: base, strip: p.stripQuery, most: p.most, at: map[string]int{}}
	var err error
	if f.scope, err = scope.New(o); err != nil {
		return nil, err
	}
	f.own, err = scope.New(scope.Options{Seed: base, CrawlEntireDomain: true, AllowSubdomains: o.AllowSubdomains})
	if p.byPath {
		f.below = pathFilter(p.url, base)
	}
	return f, err
}

// add takes a URL, or what is now known of one, and tells whether the map's options
// admit it.
func (f *found) add(l MapLink) bool {
	v := f.scope.Judge(scope.Link{URL: f.tidy(l.URL), From: f.base})
	if !v.Accepted() || !f.isBelow(v.URL) {
		return false
	}
	if i, known := f.at[v.Key]; known {
		f.tell(i, l)
	} else if !f.full() {
		f.append(v, l)
	}
	return true
}

func (f *found) append(v scope.Verdict, l MapLink) {
	l.URL = bareSlash(v.URL)
	f.bytes += len(l.URL) + len(v.Key) + len(l.Title) + len(l.Description) + foundCost
	if f.forbids(v.URL) {
		f.at[v.Key] = forbidden
		f.denied++
		return
	}
	f.at[v.Key] = len(f.list)
	f.list = append(f.list, l)
}

// tell completes what is known of a URL.
func (f *found) tell(i int, l MapLink) {
	if i == forbidden || f.bytes > foundBytes {
		return
	}
	if known := &f.list[i]; known.Title == "" && known.Description == "" {
		known.Title, known.Description = l.Title, l.Description
		f.bytes += len(l.Title) + len(l.Description)
	}
}

// full tells whether no new URL is taken.
func (f *found) full() bool { return f.closed || len(f.list) >= f.most || f.bytes > foundBytes }

func (f *found) forbids(href string) bool {
	return f.robots != nil && originOf(href) == originOf(f.base) && !f.robots.Allowed(f.agent, href)
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
	place, _, _ := splitURL(href)
	path := place[strings.IndexByte(place, '/'):]
	return under(f.below, path) || !f.isOwn(href)
}

// isOwn tells whether a URL is of the site itself.
func (f *found) isOwn(href string) bool {
	return f.own.Judge(scope.Link{URL: href, From: f.base}).Accepted()
}

// under tells whether a path is, or is below, another that has no trailing slash.
func under(top, path string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || rest[0] == '/')
}

// pathFilter is the path below which a map stays: of the URL that was asked for, or, where
// the page has left that, of the page. "" is the whole site.
func pathFilter(asked, base string) string {
	top := folderOf(asked)
	if top == "" {
		return ""
	}
	if end := folderOf(base); bareHost(hostname(asked)) != bareHost(hostname(base)) || !under(top, end) {
		return end
	}
	return top
}

// folderOf is the path of a URL without a slash at its end, without the file where it
// names one.
func folderOf(href string) string {
	place, _, _ := splitURL(href)
	path := place[strings.IndexByte(place, '/'):]
	slash := strings.LastIndexByte(path, '/')
	if namesFile(path[slash+1:]) {
		path = path[:slash]
	}
	return strings.TrimRight(path, "/")
}

// namesFile takes "index.html" and neither "v1.2" nor ".well-known".
func namesFile(name string) bool {
	const longest = 5
	dot := strings.LastIndexByte(name, '.')
	ending := strings.ToLower(name[dot+1:])
	return dot > 0 && ending != "" && len(ending) <= longest && 'a' <= ending[0] && ending[0] <= 'z'
}

// bareSlash drops a slash at the end of a path; that of the root stays.
func bareSlash(href string) string {
	place, query, fragment := splitURL(href)
	if query != "" || fragment != "" || !strings.HasSuffix(href, "/") {
		return href
	}
	if host, path, _ := strings.Cut(place, "/"); strings.Trim(path, "/") == "" {
		return href[:strings.Index(href, "://")+len("://")+len(host)+1]
	}
	return strings.TrimRight(href, "/")
}

// isBase tells whether a URL is the home page of a registrable domain, or of a host that has none.
func isBase(href string) bool {
	place, query, _ := splitURL(href)
	host := bareHost(hostname(href))
	return query == "" && strings.HasSuffix(place, "/") && strings.Count(place, "/") == 1 && (registrable(host) == "" || registrable(host) == host)
}

// withoutUser drops the user and password of a web URL.
func withoutUser(href string) string {
	scheme, rest, _ := strings.Cut(href, "://")
	authority := rest[:strings.IndexByte(rest, '/')]
	return scheme + "://" + rest[strings.LastIndexByte(authority, '@')+1:]
}
