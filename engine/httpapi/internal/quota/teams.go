package quota

import (
	"context"
	"sync"
)

// Teams counts the pages, sessions and streams that each team has here. A team without any is forgotten. It is safe for
// concurrent use.
type Teams struct {
	mu   sync.Mutex
	byID map[string]*running
}

type running struct {
	pages    int
	sessions int           // that are being started
	streams  int           // that follow a job
	freed    chan struct{} // closed and replaced when a page is done
}

// NewTeams returns one that has counted nothing.
func NewTeams() *Teams { return &Teams{byID: map[string]*running{}} }

// of returns a team's counts. The caller holds mu.
func (t *Teams) of(team string) *running {
	w := t.byID[team]
	if w == nil {
		w = &running{freed: make(chan struct{})}
		t.byID[team] = w
	}
	return w
}

// Page waits until fewer than limit of the team's pages are running (0: no limit), counts one, and reports whether it had to wait.
// The caller calls done.
func (t *Teams) Page(ctx context.Context, team string, limit int) (done func(), waited bool, err error) {
	for ; ; waited = true {
		t.mu.Lock()
		w := t.of(team)
		if limit == 0 || w.pages < limit {
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

func (t *Teams) pageDone(team string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.of(team)
	w.pages--
	close(w.freed)
	w.freed = make(chan struct{})
	t.forget(team)
}

func (t *Teams) forget(team string) {
	if w := t.byID[team]; w.pages == 0 && w.sessions == 0 && w.streams == 0 {
		delete(t.byID, team)
	}
}

// Pages returns how many are running.
func (t *Teams) Pages(team string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.byID[team]; w != nil {
		return w.pages
	}
	return 0
}

// Session counts one that is about to be started, unless that makes more than limit with those that are active.
// active is called while no other session is counted. The caller calls done when it has started, or not.
func (t *Teams) Session(team string, limit int, active func() (int, error)) (done func(), ok bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := active()
	if err != nil {
		return nil, false, err
	}
	if w := t.byID[team]; w != nil {
		n += w.sessions
	}
	if n >= limit {
		return nil, false, nil
	}
	t.of(team).sessions++
	return func() { t.sessionDone(team) }, true, nil
}

func (t *Teams) sessionDone(team string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(team).sessions--
	t.forget(team)
}

// Stream counts one that is about to begin, unless that makes more than limit. The caller calls done when it has ended.
func (t *Teams) Stream(team string, limit int) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.byID[team]; w != nil && w.streams >= limit {
		return nil, false
	}
	t.of(team).streams++
	return func() { t.streamDone(team) }, true
}

func (t *Teams) streamDone(team string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(team).streams--
	t.forget(team)
}
