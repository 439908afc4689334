package crawl

import "sync"

const (
	recentKeys = 2048 // in each of two generations
	recentSize = 512  // bytes of a key that is remembered
)

// recent remembers keys that are surely in the store, so that links which are on every page cost no look-up in it. It forgets the older
// half when it is full. It is safe for concurrent use.
type recent struct {
	mu       sync.RWMutex
	now, old map[known]struct{}
}

// known is a key that is claimed or, with a reason, a URL that is listed as denied.
type known struct{ reason, key string }

func (r *recent) has(key known) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if _, ok := r.now[key]; ok {
		return true
	}
	_, ok := r.old[key]
	return ok
}

func (r *recent) add(keys []known) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range keys {
		if len(key.key) > recentSize {
			continue
		}
		if len(r.now) >= recentKeys || r.now == nil {
			r.now, r.old = map[known]struct{}{}, r.now
		}
		r.now[key] = struct{}{}
	}
}
