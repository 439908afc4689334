package mixedsite

import (
	"maps"
	"net/http"
	"sync"
)

// counter counts requests by path.
type counter struct {
	mu    sync.Mutex
	paths map[string]int
}

func newCounter() *counter { return &counter{paths: map[string]int{}} }

// add returns the count before. HEAD requests don't count.
func (c *counter) add(r *http.Request) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.paths[r.URL.Path]
	if r.Method != http.MethodHead {
		c.paths[r.URL.Path]++
	}
	return n
}

func (c *counter) counts() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.paths)
}

func (c *counter) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.paths)
}

// Hits counts the requests of each requested page, by path, whatever the answer was. HEAD requests don't count.
func (s *Site) Hits() map[string]int { return s.hits.counts() }

// Files counts the requests of what else the site has, by path: scripts, style sheets, pictures, robots.txt, and what scripts and frames
// load for a page, below /api, /part and /frame.
func (s *Site) Files() map[string]int { return s.files.counts() }

// Reset forgets all counts; a page that is busy once is so again.
func (s *Site) Reset() {
	s.hits.reset()
	s.files.reset()
}
