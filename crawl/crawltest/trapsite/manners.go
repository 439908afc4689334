package trapsite

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	maxRude    = 1000
	maxRefused = 1000
)

// manners watch whether a crawler waits as required.
type manners struct {
	now func() time.Time

	mu    sync.Mutex
	last  map[string]time.Time // by host
	until map[string]time.Time // by URL
	rude  []string
}

func newManners(now func() time.Time) *manners {
	return &manners{now: now, last: map[string]time.Time{}, until: map[string]time.Time{}}
}

// request notes a request to a host with a delay. A pause is short when it is less than half of that: how long a
// request was under way is not the crawler's fault.
func (m *manners) request(host string, delay time.Duration, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, href := m.now(), requestURL(r)
	if until, ok := m.until[href]; ok && now.Before(until) {
		m.blame("%s: requested %v too early after a 429", href, until.Sub(now))
	}
	if delay == 0 {
		return
	}
	if last, ok := m.last[host]; ok && now.Sub(last) < delay/2 {
		m.blame("%s: requested %v after the request before, robots.txt requires %v", href, now.Sub(last), delay)
	}
	m.last[host] = now
}

// later notes that a URL may not be requested until Retry-After has passed.
func (m *manners) later(r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.until) < maxRefused {
		m.until[requestURL(r)] = m.now().Add(retryAfter)
	}
}

func (m *manners) blame(format string, args ...any) {
	if len(m.rude) < maxRude {
		m.rude = append(m.rude, fmt.Sprintf(format, args...))
	}
}

func (m *manners) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.last)
	clear(m.until)
	m.rude = nil
}

// Rude lists, in words and the first 1000, what a crawler requested too early: what had been refused with Retry-After, or the next page
// of a host whose robots.txt has a Crawl-delay, in less than half of that. It goes by Options.Now.
func (s *Site) Rude() []string {
	s.manners.mu.Lock()
	defer s.manners.mu.Unlock()
	return append([]string(nil), s.manners.rude...)
}
