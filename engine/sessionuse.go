package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
)

// Info tells how the session stands.
func (s *Session) Info() SessionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	info := s.record.info(s.engine.now())
	if info.Status == SessionActive {
		info.LiveViewURL, info.InteractiveLiveViewURL = s.look, s.control
	}
	return info
}

// Close ends the session, keeps its profile where that was asked for, and waits until nothing of it is left. It may
// be called again, and always gives the same: duration and credits in the info, and what could not be kept.
func (s *Session) Close() (SessionInfo, error) {
	s.end(errSessionClosed)
	<-s.gone
	return s.Info(), s.err
}

// useTime is how long a call may take whose ctx has no deadline, its turn not counted.
const useTime = time.Minute

// useFor is use that takes at most limit, unless ctx has its own deadline: no page may hold the session for ever.
func (s *Session) useFor(ctx context.Context, limit time.Duration, op string, f func(context.Context, *browser.Page) error) error {
	return s.use(ctx, op, func(ctx context.Context, page *browser.Page) error {
		if _, ok := ctx.Deadline(); ok {
			return f(ctx, page)
		}
		timed, clock := withDeadline(ctx, limit)
		defer clock.stop()
		err := f(timed, page)
		if err != nil && timed.Err() != nil {
			return failure(timed, op, "", err)
		}
		return err
	})
}

// use carries out one thing with the session's page: it waits for its turn, counts as activity, and ends with the session.
func (s *Session) use(ctx context.Context, op string, f func(context.Context, *browser.Page) error) error {
	ctx, done, err := s.engine.begin(ctx)
	if err != nil {
		return failure(context.Background(), op, "", err)
	}
	defer done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })()
	select {
	case <-ctx.Done():
		return s.failed(ctx, op, ctx.Err())
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	}
	s.touch(1)
	defer s.touch(-1)
	page, err := s.browser.Page(ctx)
	if err == nil {
		err = f(ctx, page)
	}
	if err != nil {
		s.ofBrowser()
		return s.failed(ctx, op, err)
	}
	return nil
}

// failed prefers the session's end to what it made of the call.
func (s *Session) failed(ctx context.Context, op string, err error) error {
	if s.life.Err() != nil {
		err = destroyed(context.Cause(s.life).Error())
		return failure(context.WithoutCancel(ctx), op, "", err)
	}
	return failure(ctx, op, "", err)
}

// touch counts as activity; the idle time stands still while something is done.
func (s *Session) touch(busy int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy += busy
	s.record.Used = s.engine.now()
}

// Goto loads an address and waits until the page has come to rest, for a minute at most where ctx has no deadline. A page
// that answers 404 is no error. Errors are those of [Engine.Scrape], such as [CodeBlocked], [CodeDNS] and [CodeTimeout].
func (s *Session) Goto(ctx context.Context, url string) error {
	href, err := parseTarget(url)
	if err != nil {
		return failure(ctx, "session", url, err)
	}
	return s.useFor(ctx, useTime, "session", func(ctx context.Context, page *browser.Page) error { return s.visit(ctx, page, href) })
}

// visit goes to an address. The first one says whether virtual hosts can be reached.
func (s *Session) visit(ctx context.Context, page *browser.Page, href string) error {
	if err := s.depart(href); err != nil {
		return err
	}
	to := *s.plan
	to.source, to.url = href, href
	b := s.browsing(&scrape{engine: s.engine, plan: &to}, page)
	if _, err := b.navigate(ctx); err != nil {
		return err
	}
	if _, err := page.WaitReady(ctx); err != nil {
		return err
	}
	_, err := s.shown(ctx, page) // of an address loaded again the driver may not have told the answer before
	return err
}

// browsing is a visit of the session's page.
func (s *Session) browsing(one *scrape, page *browser.Page) *browsing {
	return &browsing{scrape: one, cancel: func(error) {}, page: page, lease: s.lease, blocking: s.blocking}
}

// depart fixes by the first address whether virtual hosts can be reached. Code and actions may go anywhere: when they come
// first, the first host that they contact says it.
func (s *Session) depart(href string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.placed {
		return nil
	}
	s.placed = true
	return s.lease.Assign(s.leaseOptions(href))
}

// Do performs actions on the page, in order, under the rules of [ScrapeOptions.Actions], waits until the page has come to rest, and
// gives what they yield. What was got before a failure is given beside the error. Where ctx has no deadline it takes
// a minute at most, beside the waits among the actions.
func (s *Session) Do(ctx context.Context, list ...actions.Action) (*actions.Output, error) {
	if err := checkActions(ScrapeOptions{Actions: list}); err != nil {
		return nil, failure(ctx, "session", "", err)
	}
	var out *actions.Output
	err := s.useFor(ctx, useTime+waits(list), "session", func(ctx context.Context, page *browser.Page) (err error) {
		if err := s.depart(""); err != nil {
			return err
		}
		kept := 0
		like := &scrape{engine: s.engine, plan: s.plan}
		out, err = s.browsing(like, page).act(ctx, list, func(_ context.Context, data []byte, mediaType string) (string, error) {
			kept++
			return like.asset(fmt.Sprintf("%s-%d-%d", s.id, s.engine.now().UnixNano(), kept), image{mediaType: mediaType, bytes: data})
		})
		if err == nil {
			_, err = page.WaitReady(ctx)
		}
		return err
	})
	return out, err
}

// waits is how long actions wait in all, at most.
func waits(list []actions.Action) (sum time.Duration) {
	for _, a := range list {
		sum += time.Duration(a.Milliseconds) * time.Millisecond
		if a.Type == actions.Wait && a.Selector != "" {
			sum += selectorTime
		}
	}
	return sum
}

// selectorTime is what actions give a wait for an element.
const selectorTime = 30 * time.Second

// saveProfile keeps the browser's state, where that was asked for.
func (s *Session) saveProfile() error {
	if s.hold == nil || !isTrue(s.plan.profile.SaveChanges, true) || s.browser == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	state, err := s.browser.State(ctx)
	if err != nil {
		return fmt.Errorf("the profile %q is kept as it was: %w", s.plan.profile.Name, err)
	}
	return profileError(s.hold.Save(state))
}
