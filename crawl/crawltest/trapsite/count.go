package trapsite

import (
	"maps"
	"net/url"
	"slices"
	"sync"
)

// maxCounted bounds the distinct URLs that are counted; more count as one, the empty one.
const maxCounted = 1 << 20

// counter counts requests by URL.
type counter struct {
	mu   sync.Mutex
	urls map[string]int
}

func newCounter() *counter { return &counter{urls: map[string]int{}} }

// add returns the count before.
func (c *counter) add(url string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.urls[url]
	if n == 0 && len(c.urls) >= maxCounted {
		url = ""
	}
	c.urls[url]++
	return n
}

func (c *counter) counts() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.urls)
}

func (c *counter) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.urls)
}

// Hits counts the requests of pages by URL, whatever the answer was. HEAD requests don't count.
func (s *Site) Hits() map[string]int { return s.hits.counts() }

// Files counts the requests of robots.txt and of sitemaps by URL, those of sitemaps that aren't there included.
func (s *Site) Files() map[string]int { return s.files.counts() }

// Twice lists, sorted, the URLs that were requested more than once without a reason. Reasons are: the first answer was 429 or an error
// of the server, the connection broke, a redirect leads there as well, or another page differs in its route ("#/a") only. It means
// nothing where a browser looks at pages again after HTTP did.
func (s *Site) Twice() (list []string) {
	for href, n := range s.hits.counts() {
		u, err := url.Parse(href)
		if n > 1 && err == nil && !s.find(s.servedPlace(u)).mayRepeat() {
			list = append(list, href)
		}
	}
	slices.Sort(list)
	return list
}

func (n *node) mayRepeat() bool { return n.often || n.fails || n.refuses != 0 || n.status >= 500 }

// servedPlace takes a host that isn't the site's for the main one, as Handler does.
func (s *Site) servedPlace(u *url.URL) place {
	host := u.Hostname()
	if alias, ok := s.aliases[host]; ok {
		host = alias
	}
	if _, ok := s.robots[host]; !ok {
		host = Main
	}
	return place{host: host, path: u.EscapedPath(), query: u.RawQuery}
}

// Reset forgets all counts and violations; a page that answers 429 once does so again.
func (s *Site) Reset() {
	s.hits.reset()
	s.files.reset()
	s.manners.reset()
}
