package engine

import (
	"sync/atomic"
)

// Stats are what an engine is doing, and what it has done since it was made. They name no owner and no page.
type Stats struct {
	// Pages that are being made: fetched or rendered, or read from the cache. Those of jobs are among them.
	Pages int64
	// Queued are pages that wait for a slot. The pages that a job has still queued are not.
	Queued int64
	// Jobs that run, of all kinds.
	Jobs int
	// Sessions of a browser that are active.
	Sessions int
	// Credits that were used, by all owners.
	Credits int64
	// CacheHits and CacheMisses are documents that were made from a stored page, and those for which it had none
	// that served.
	CacheHits, CacheMisses int64
}

// Stats returns the counts of this moment. It is cheap: it reads counters alone. Of a closed engine the counts stay and
// nothing runs. Safe for concurrent use.
func (e *Engine) Stats() Stats {
	return Stats{
		Pages:       e.queue.Active() + e.readers.Active(),
		Queued:      e.queue.Waiting() + e.readers.Waiting(),
		Jobs:        e.durable.Working() + e.ephemeral.Working(),
		Sessions:    e.sessions.Count(),
		Credits:     e.stores.Ledger.Used(),
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
