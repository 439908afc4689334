package liveview

import "sync"

// maxQueue is how many inputs of one viewer wait at most.
const maxQueue = 256

// queue holds a viewer's input until the screen has taken what came before. Of moves of the mouse only the last counts, and turns of
// the wheel add up.
type queue struct {
	ready chan struct{} // one token when there is something to take

	mu   sync.Mutex
	list []message
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// add puts a message at the end; false when the queue is full and the message lost.
func (q *queue) add(m message) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.list); n > 0 && merge(&q.list[n-1], m) {
		return true
	}
	if len(q.list) >= maxQueue {
		return false
	}
	q.list = append(q.list, m)
	select {
	case q.ready <- struct{}{}:
	default:
	}
	return true
}

// merge makes one of two inputs that follow each other, where nothing is lost by it.
func merge(last *message, m message) bool {
	same := last.Type == inputType && m.Type == inputType && last.Input.Kind == m.Input.Kind && last.Input.Modifiers == m.Input.Modifiers
	switch {
	case same && m.Input.Kind == Move && last.Input.Buttons == m.Input.Buttons:
		*last = m
		return true
	case same && m.Input.Kind == Wheel:
		m.Input.DeltaX = bound(m.Input.DeltaX + last.Input.DeltaX)
		m.Input.DeltaY = bound(m.Input.DeltaY + last.Input.DeltaY)
		*last = m
		return true
	}
	return false
}

// take gives the first message.
func (q *queue) take() (message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return message{}, false
	}
	m := q.list[0]
	q.list = q.list[1:]
	return m, true
}

// clear forgets all that waits.
func (q *queue) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = nil
}
