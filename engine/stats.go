package engine

import "sync/atomic"

// Stats are what an engine has at work, and what it has done since it was made. They name no owner and no page.
type Stats struct {
	// Pages that are being made: fetched or rendered, or read from the cache. Those of jobs are among them.
	Pages int64
	// Queued are pages that wait for a place among them. The pages that a job has still in line are not.
	Queued int64
	// Jobs at work, of all kinds.
	Jobs int
	// Sessions of a browser that are active.
	Sessions int
	// Credits that were used, by all owners.
	Credits int64
	// CacheHits and CacheMisses are documents that were made from a stored page, and those for which the cache was
	// asked in vain.
	CacheHits, CacheMisses int64
}

// Stats tells how things stand right now. It is cheap: it reads counters alone. Of a closed engine the counts stay and
// nothing is at work. Safe for concurrent use.
func (e *Engine) Stats() Stats {
	return Stats{
		Pages:       e.queue.atWork.Load() + e.readers.atWork.Load(),
		Queued:      e.queue.waiting() + e.readers.waiting(),
		Jobs:        e.lasting.count() + e.hushed.count(),
		Sessions:    e.sessions.count(),
		Credits:     e.stores.ledger.used.Load(),
		CacheHits:   e.counts.hits.Load(),
		CacheMisses: e.counts.misses.Load(),
	}
}

// counts of an engine's life.
type counts struct{ hits, misses atomic.Int64 }

// document counts a document by its cache state.
func (c *counts) document(state string) {
	switch state {
	case cacheHit:
		c.hits.Add(1)
	case cacheMiss:
		c.misses.Add(1)
	}
}

// count is how many jobs are at work.
func (s *jobStore) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.working)
}

// count is how many are active.
func (l *sessions) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.active)
}
