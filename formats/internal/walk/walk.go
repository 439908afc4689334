// Package walk counts the nodes that walks of a tree visit, and ends them when their context does.
// The counter is the check. Every walk of a tree calls Visit or Add for the nodes that it looks at; every interval
// of them the context is checked. When it has ended, the walk is left by a panic that Catch, deferred by the
// function that made the Steps, turns into the context's error. So no walk can forget to look, and none goes on
// with half an answer.
package walk

import "context"

// interval is how many nodes are visited between two looks at the context.
const interval = 128

// Steps counts the nodes that are visited under one context. As a context it hands the count on to functions that make
// their own Steps of it. A nil one counts nothing and never ends. It is for one goroutine.
type Steps struct {
	context.Context
	counted int64 // visits up to the last look at the context
	given   int   // how many there may be up to the next
	left    int   // of these
}

// New makes Steps for a context; one that is Steps itself is returned.
func New(ctx context.Context) *Steps {
	if s, ok := ctx.(*Steps); ok {
		return s
	}
	return &Steps{Context: ctx}
}

// Visit counts one node, as Add does.
func (s *Steps) Visit() {
	if s == nil {
		return
	}
	if s.left--; s.left < 0 {
		s.due()
	}
}

// Add counts n nodes. When the context is due for a check and has ended, it panics for Catch.
func (s *Steps) Add(n int) {
	if s == nil {
		return
	}
	if s.left -= n; s.left < 0 {
		s.due()
	}
}

func (s *Steps) due() {
	s.counted = s.Visited()
	s.given, s.left = interval, interval
	s.Look()
}

// Look checks the context at once, and panics for Catch when it has ended.
func (s *Steps) Look() {
	if err := s.Err(); err != nil {
		panic(ended{err})
	}
}

// Visited is the number of nodes that were visited so far.
func (s *Steps) Visited() int64 { return s.counted + int64(s.given-s.left) }

// ended is what Add panics with.
type ended struct{ err error }

// Catch, deferred, sets err to the context's error when the walk was left because of it.
func (s *Steps) Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case ended:
		*err = r.err
	default:
		panic(r)
	}
}
