package sessions

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/deadline"
)

// useFor is use that takes at most limit, unless ctx has its own deadline: no page may hold the session for ever.
func (s *Session) useFor(ctx context.Context, limit time.Duration, f func(context.Context, *browser.Page) error) error {
	return s.use(ctx, func(ctx context.Context, tab *browser.Page) error {
		if _, ok := ctx.Deadline(); ok {
			return f(ctx, tab)
		}
		timed, clock := deadline.With(ctx, limit)
		defer clock.Stop()
		err := f(timed, tab)
		if err != nil && timed.Err() != nil {
			return &LateError{Cause: context.Cause(timed), Err: err}
		}
		return err
	})
}

// use carries out one thing with the session's page: it waits for its turn, counts as activity, and ends with the session.
func (s *Session) use(ctx context.Context, f func(context.Context, *browser.Page) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })()
	select {
	case <-ctx.Done():
		return s.orEnded(ctx.Err())
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	}
	s.touch(1)
	defer s.touch(-1)
	tab, err := s.browser.Page(ctx)
	if err == nil {
		s.tab.Store(tab)
		err = f(ctx, tab)
	}
	if err != nil {
		s.endWithBrowser()
		return s.orEnded(err)
	}
	return nil
}

// orEnded prefers the session's end to what it made of a call.
func (s *Session) orEnded(err error) error {
	if ended := s.Ended(); ended != nil {
		return ended
	}
	return err
}

// touch counts as activity; the idle time stands still while something is done.
func (s *Session) touch(busy int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy += busy
	s.record.Used = s.set.o.Now()
}
