package jobs

import "sync"

// notifier wakes those who wait for something new about a job. It holds only jobs that are waited for. Safe for
// concurrent use.
type notifier struct {
	mu     sync.Mutex
	topics map[string]*topic // by id
}

type topic struct {
	changed chan struct{} // closed at the next wake
	users   int
}

// watch begins to follow a job. The caller calls next before it looks at the job, and
// stop when it has seen enough.
func (h *notifier) watch(id string) (next func() <-chan struct{}, stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[id]
	if t == nil {
		t = &topic{changed: make(chan struct{})}
		h.topics[id] = t
	}
	t.users++
	next = func() <-chan struct{} {
		h.mu.Lock()
		defer h.mu.Unlock()
		return t.changed
	}
	return next, func() { h.leave(id, t) }
}

func (h *notifier) leave(id string, t *topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.users--; t.users == 0 {
		delete(h.topics, id)
	}
}

func (h *notifier) wake(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[id]; t != nil {
		close(t.changed)
		t.changed = make(chan struct{})
	}
}
