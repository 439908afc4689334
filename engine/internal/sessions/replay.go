package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/deadline"
)

// Replay is what leads to where a scrape left its page.
type Replay struct {
	URL     string // normalized
	WaitFor time.Duration
	Actions []actions.Action
}

const maxReplayTime = 300 * time.Second

// time by facts §11.2: the waits and 45 s, 30 s to 300 s.
func (r Replay) time() time.Duration {
	return min(r.WaitFor+waits(r.Actions)+45*time.Second, maxReplayTime)
}

// Continue is the session that goes on with a scrape. Where there was none, begin makes it; calls at the same time share one. Error:
// [EndedError], for good.
func (l *Set) Continue(ctx context.Context, scrape string, begin func(context.Context) (*Session, error)) (*Session, error) {
	s, _, err := l.beginning.Do(ctx, scrape, func(ctx context.Context) (*Session, error) {
		id, err := l.of(scrape)
		if err != nil {
			return nil, err
		}
		if id != "" {
			return l.Session(id)
		}
		return begin(ctx)
	})
	return s, err
}

// Stop ends the session that goes on with a scrape. Error: [ErrNoSession].
func (l *Set) Stop(scrape string) (Info, error) {
	id, err := l.of(scrape)
	if err != nil {
		return Info{}, err
	}
	if id == "" {
		return Info{}, ErrNoSession
	}
	if s := l.get(id); s != nil {
		return s.Close()
	}
	return l.Info(id)
}

// Replay begins a session and leads it to where a scrape left its page. Errors are those of Start, an [EndedError] where the session
// was closed meanwhile, and a [ReplayError]; then nothing is charged.
func (l *Set) Replay(ctx context.Context, q Request, r Replay) (*Session, error) {
	s, err := l.Start(ctx, q)
	if err != nil {
		return nil, err
	}
	within, clock := deadline.With(ctx, r.time())
	defer clock.Stop()
	if err := s.retrace(within, r); err != nil {
		if within.Err() != nil {
			err = &LateError{Cause: context.Cause(within), Err: err}
		}
		return nil, s.lost(ctx, err)
	}
	return s, nil
}

// lost is the error of a session whose page can't be led to where it is to begin. One that was closed meanwhile has ended for good.
func (s *Session) lost(ctx context.Context, err error) error {
	if errors.Is(context.Cause(s.ctx), ErrClosed) {
		return s.Ended()
	}
	s.abandon()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &ReplayError{Err: err}
}

// retrace goes the scrape's way again. What it opens beside the page takes its place.
func (s *Session) retrace(ctx context.Context, r Replay) error {
	if err := s.Goto(ctx, r.URL); err != nil {
		return err
	}
	return s.use(ctx, func(ctx context.Context, tab *browser.Page) error {
		if err := tab.Wait(ctx, r.WaitFor); err != nil {
			return err
		}
		if len(r.Actions) > 0 {
			if err := repeat(ctx, tab, r.Actions); err != nil {
				return err
			}
		}
		_, err := s.browser.Fold(ctx)
		return err
	})
}

// repeat performs actions again, for where they lead.
func repeat(ctx context.Context, tab *browser.Page, list []actions.Action) error {
	acting, err := tab.Follow(ctx)
	if err != nil {
		return err
	}
	defer acting.End()
	if _, err := actions.Run(ctx, acting, list, actions.Options{Replay: true}); err != nil {
		return err
	}
	_, err = acting.WaitReady(ctx)
	return err
}
