package trapsite

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Main is the host that a Site is about.
const Main = "trap.example"

const (
	blogHost  = "blog." + Main
	otherHost = "other.example"

	slowHostDelay = 100 * time.Millisecond
)

// Options of a Site. The zero value has every trap.
type Options struct {
	// Seed chooses texts, names of pages and cross links. The same seed makes the same site.
	Seed uint64
	// Pages is how many ordinary pages there are below /docs/ (trap "docs"), /docs/ included. Defaults to 40.
	Pages int
	// Only names the traps to be set, none: all. Without names those to be left out. Names has the names.
	Only, Without []string
	// SlowDelay is how long slow pages take. Defaults to 200 ms. Slow ends when the client hangs up.
	SlowDelay time.Duration
	// HugeBytes is the size of the huge page. Defaults to 3 MiB.
	HugeBytes int
	// CrawlDelay is the delay that robots.txt of the main host requires. Defaults to none. The slow hosts require 100 ms.
	CrawlDelay time.Duration
	// Now is the clock that Rude reads. Defaults to time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Pages <= 0 {
		o.Pages = 40
	}
	if o.SlowDelay <= 0 {
		o.SlowDelay = 200 * time.Millisecond
	}
	if o.HugeBytes <= 0 {
		o.HugeBytes = 3 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Site is a small web of hosts, with a trap for crawlers on each path, and knows what a crawl of it must deliver. It is safe for
// concurrent use. It starts no goroutine and needs no closing. Its memory grows with the number of different URLs that were requested, up
// to a million.
type Site struct {
	o        Options
	pages    map[string]*node        // by host, path and, where it has one, query
	endless  map[string]generator    // by host and the beginning of a path
	maps     map[string]*siteMap     // by host and path
	robots   map[string]*robotsRules // by host
	aliases  map[string]string       // other names of hosts
	entrance []anchor                // on the root page
	hits     *counter
	files    *counter
	manners  *manners
}

// generator makes the pages below a path on request.
type generator func(at place) *node

// New makes a site. It panics when Only or Without has an unknown name.
func New(o Options) *Site {
	o = o.withDefaults()
	s := &Site{
		o:       o,
		pages:   map[string]*node{},
		endless: map[string]generator{},
		maps:    map[string]*siteMap{},
		robots:  map[string]*robotsRules{},
		aliases: map[string]string{"www." + Main: Main},
		hits:    newCounter(),
		files:   newCounter(),
		manners: newManners(o.Now),
	}
	for _, name := range slices.Concat(o.Only, o.Without) {
		if !slices.Contains(Names(), name) {
			panic(fmt.Sprintf("trapsite: no trap is called %q", name))
		}
	}
	for _, host := range hostNames {
		s.robots[host] = &robotsRules{}
	}
	s.robots[Main].delay = s.o.CrawlDelay
	for _, t := range traps() {
		if (len(o.Only) == 0 || slices.Contains(o.Only, t.name)) && !slices.Contains(o.Without, t.name) {
			t.set(builder{site: s, host: Main})
		}
	}
	s.pages[Main+"/"] = &node{title: "Everything here is a trap", links: s.entrance}
	return s
}

// hostNames are the hosts of every site, whatever traps it has.
var hostNames = []string{Main, blogHost, otherHost, "slow." + Main, "slow.example", "failing." + Main, "failing.example",
	"noentry." + Main, "old.example"}

// Seed is where a crawl of the site begins.
func (s *Site) Seed() string { return "https://" + Main + "/" }

// Hosts has a handler for each host of the site, for http and https alike.
func (s *Site) Hosts() map[string]http.Handler {
	hosts := map[string]http.Handler{}
	for _, host := range hostNames {
		hosts[host] = s.handler(host)
	}
	for name, host := range s.aliases {
		hosts[name] = s.handler(host)
	}
	return hosts
}

// Handler serves the main host alone, under any host name. Links to the other hosts are there, the hosts aren't.
func (s *Site) Handler() http.Handler { return s.handler(Main) }

// Paths lists the static pages of the site, as host and path, sorted: all but endless ones.
func (s *Site) Paths() []string { return slices.Sorted(maps.Keys(s.pages)) }

// find is the page at a place: there is one everywhere, be it a 404. The query counts where the site has a page for it.
func (s *Site) find(at place) *node {
	at.path, at.query = encodedAlike(at.path), encodedAlike(at.query)
	if n := s.pages[at.host+at.path+"?"+at.query]; n != nil && at.query != "" {
		return n
	}
	if n := s.pages[at.host+at.path]; n != nil {
		return n
	}
	longest := ""
	for prefix := range s.endless {
		if strings.HasPrefix(at.host+at.path, prefix) && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	if longest != "" {
		if n := s.endless[longest](at); n != nil {
			return n
		}
	}
	return &node{status: http.StatusNotFound, title: "Not found"}
}
