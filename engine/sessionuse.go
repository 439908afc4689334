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

// Goto loads an address and waits until the page has come to rest.
func (s *Session) Goto(ctx context.Context, url string) error {
	href, err := parseTarget(url)
	if err != nil {
		return failure(ctx, "session", url, err)
	}
	return s.use(ctx, "session", func(ctx context.Context, page *browser.Page) error { return s.visit(ctx, page, href) })
}

// visit goes to an address. The first one says whether virtual hosts can be reached.
func (s *Session) visit(ctx context.Context, page *browser.Page, href string) error {
	if err := s.depart(href); err != nil {
		return err
	}
	to := *s.plan
	to.source, to.url = href, href
	b := s.browsing(&scrape{engine: s.engine, plan: &to}, page)
	nav, err := b.navigate(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.status = nav.Status
	s.mu.Unlock()
	_, err = page.WaitReady(ctx)
	return err
}

// browsing is a visit of the session's page.
func (s *Session) browsing(one *scrape, page *browser.Page) *browsing {
	return &browsing{scrape: one, cancel: func(error) {}, page: page, lease: s.lease, blocking: s.blocking}
}

func (s *Session) depart(href string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.placed {
		return nil
	}
	s.placed = true
	return s.lease.Assign(s.leaseOptions(s.engine.client.Virtual().Has(hostname(href))))
}

// Do performs actions on the page, in order, under the rules of [ScrapeOptions.Actions], and gives what they yield. What was got
// before a failure is given beside the error.
func (s *Session) Do(ctx context.Context, list ...actions.Action) (*actions.Output, error) {
	if err := checkActions(ScrapeOptions{Actions: list}); err != nil {
		return nil, failure(ctx, "session", "", err)
	}
	var out *actions.Output
	err := s.use(ctx, "session", func(ctx context.Context, page *browser.Page) (err error) {
		kept := 0
		like := &scrape{engine: s.engine, plan: s.plan}
		out, err = actions.Run(ctx, page, list, actions.Options{
			Keep: func(_ context.Context, data []byte, mediaType string) (string, error) {
				kept++
				return like.asset(fmt.Sprintf("%s-%d-%d", s.id, s.engine.now().UnixNano(), kept), image{mediaType: mediaType, bytes: data})
			},
		})
		return err
	})
	return out, err
}

// saveProfile keeps the browser's state, where that was asked for.
func (s *Session) saveProfile() error {
	if s.hold == nil || !isTrue(s.plan.profile.SaveChanges, true) || s.browser == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var state []byte
	page, err := s.browser.Page(ctx)
	if err == nil {
		state, err = page.State(ctx)
	}
	if err != nil {
		return fmt.Errorf("the profile %q is kept as it was: %w", s.plan.profile.Name, err)
	}
	return profileError(s.hold.Save(state))
}
