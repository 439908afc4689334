package sessions

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/code"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/guard"
)

// Request says how a session begins.
type Request struct {
	// URL that it begins at, normalized; empty: an empty page.
	URL string
	// Page says how its pages are shown and which way they go. It is not changed.
	Page page.Request
	// Tier is what documents call the proxy of Page.
	Tier string
	// Scrape that the session goes on with; empty for none.
	Scrape string
	// TTL is how long it lasts at most, Idle how long without being used.
	TTL, Idle time.Duration
	// Unseen keeps it from the live view.
	Unseen bool
	// Record is the file that it records to; empty for none.
	Record string
}

// Session is a browser of its own. Its methods may be called from any goroutine; they are carried out one after the other. On an ended
// session they give an [EndedError]. When the ctx of a call ends while the browser owes an answer, the page is given up, and the next
// call finds a blank one.
type Session struct {
	set     *Set
	id      string
	request Request
	machine

	turn   chan struct{}                // holds one token: whose it is has the page
	tab    atomic.Pointer[browser.Page] // of the last call; nil before
	ctx    context.Context
	cancel context.CancelCauseFunc
	gone   chan struct{} // closed when nothing of it is left

	mu     sync.Mutex
	record Record
	stored Record // as it was written last
	busy   int    // calls that are being carried out
	placed bool   // its first URL is known
	urls   viewURLs
	void   bool  // it never came to be: nothing is kept or charged of it
	err    error // of its end: what could not be kept
}

// machine is what a session has to give back.
type machine struct {
	browser  *browser.Session
	lease    *guard.Lease
	hold     *profile.Hold // nil without a profile
	runner   *code.Runner  // nil until code was run; by the call whose turn it is
	blocking page.Blocking
	folder   string              // of the lease's socket
	tape     *recording.Recorder // nil: it records nothing
}

func newSession(l *Set, r Request) *Session {
	s := &Session{set: l, id: uuid.Must(uuid.NewV7()).String(), request: r, turn: make(chan struct{}, 1), gone: make(chan struct{})}
	s.record = Record{ID: s.id, Owner: r.Page.Owner, Scrape: r.Scrape, TTL: r.TTL, Idle: r.Idle}
	s.turn <- struct{}{}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// ID is a UUIDv7.
func (s *Session) ID() string { return s.id }

// Request is what the session began with.
func (s *Session) Request() Request { return s.request }

// Info says how the session stands.
func (s *Session) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	info := s.record.info(s.set.o.Now())
	why := s.ending()
	switch {
	case info.Status != StatusActive:
	case why != nil:
		info.Status, info.EndedAt, info.Reason = StatusDestroyed, s.set.o.Now().UTC(), why.Error()
	default:
		info.LiveViewURL, info.InteractiveLiveViewURL = s.urls.view, s.urls.control
	}
	return info
}

// ending is why the session takes no more calls, though it may still be clearing up; nil while it does.
func (s *Session) ending() error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if s.browser == nil {
		return nil
	}
	if err := s.browser.Err(); err != nil {
		return fmt.Errorf("its browser ended: %w", err)
	}
	return nil
}

// Busy reports whether a call is being carried out.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy > 0
}

// Ended is an [EndedError] once the session has ended, or is about to; nil before.
func (s *Session) Ended() error {
	if s.ctx.Err() == nil {
		return nil
	}
	return &EndedError{Reason: context.Cause(s.ctx).Error()}
}

// Done is closed when nothing of the session is left.
func (s *Session) Done() <-chan struct{} { return s.gone }

// Close ends the session, keeps its profile where that was asked for, and waits until nothing of it is left. It may
// be called again, and always gives the same: duration and credits in the info, and what could not be kept.
func (s *Session) Close() (Info, error) {
	s.cancel(ErrClosed)
	<-s.gone
	return s.Info(), s.err
}

// abandon ends a session that no caller was given.
func (s *Session) abandon() {
	s.mu.Lock()
	s.void = true
	s.mu.Unlock()
	_, _ = s.Close()
}
