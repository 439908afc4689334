package crawl

import "sync"

// signal wakes all waiters for a change. The zero value works.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

// changed is closed at the next send. Call it before looking at what may change.
func (s *signal) changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *signal) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}
