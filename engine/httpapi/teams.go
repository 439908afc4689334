package httpapi

import (
	"context"
	"sync"
)

// teams counts what each team has at work here. A team without any is forgotten.
type teams struct {
	mu   sync.Mutex
	byID map[string]*atWork
}

type atWork struct {
	pages    int
	sessions int           // that are being started
	streams  int           // that follow a job
	freed    chan struct{} // closed, and made anew, when a page is done
}

func newTeams() *teams { return &teams{byID: map[string]*atWork{}} }

// of gives a team's counts. The caller holds mu.
func (t *teams) of(team string) *atWork {
	w := t.byID[team]
	if w == nil {
		w = &atWork{freed: make(chan struct{})}
		t.byID[team] = w
	}
	return w
}

// page waits until fewer than most of the team's pages are at work (0: never), counts one, and tells whether it had to wait. The caller
// calls done.
func (t *teams) page(ctx context.Context, team string, most int) (done func(), waited bool, err error) {
	for ; ; waited = true {
		t.mu.Lock()
		w := t.of(team)
		if most == 0 || w.pages < most {
			w.pages++
			t.mu.Unlock()
			return func() { t.pageDone(team) }, waited, nil
		}
		freed := w.freed
		t.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, true, ctx.Err()
		}
	}
}

func (t *teams) pageDone(team string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.of(team)
	w.pages--
	close(w.freed)
	w.freed = make(chan struct{})
	t.forget(team)
}

func (t *teams) forget(team string) {
	if w := t.byID[team]; w.pages == 0 && w.sessions == 0 && w.streams == 0 {
		delete(t.byID, team)
	}
}

// pages that are at work.
func (t *teams) pages(team string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.byID[team]; w != nil {
		return w.pages
	}
	return 0
}

// session counts one that is about to be started, unless that makes more than most with those that are active.
// active is asked while no other of the team begins. The caller calls done when it has started, or not.
func (t *teams) session(team string, most int, active func() (int, error)) (done func(), ok bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := active()
	if err != nil {
		return nil, false, err
	}
	if w := t.byID[team]; w != nil {
		n += w.sessions
	}
	if n >= most {
		return nil, false, nil
	}
	t.of(team).sessions++
	return func() { t.sessionDone(team) }, true, nil
}

func (t *teams) sessionDone(team string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(team).sessions--
	t.forget(team)
}

// stream counts one that is about to begin, unless that makes more than most. The caller calls done when it has ended.
func (t *teams) stream(team string, most int) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.byID[team]; w != nil && w.streams >= most {
		return nil, false
	}
	t.of(team).streams++
	return func() { t.streamDone(team) }, true
}

func (t *teams) streamDone(team string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(team).streams--
	t.forget(team)
}
