package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/page"
)

// Goto loads a normalized address and waits until the page has come to rest, for [Options.CallTime] at most where ctx has no
// deadline. A page that answers 404 is no error.
func (s *Session) Goto(ctx context.Context, href string) error {
	return s.useFor(ctx, s.set.o.CallTime, func(ctx context.Context, tab *browser.Page) error { return s.visit(ctx, tab, href) })
}

// visit goes to an address. The first one says whether virtual hosts can be reached.
func (s *Session) visit(ctx context.Context, tab *browser.Page, href string) error {
	if err := s.depart(href); err != nil {
		return err
	}
	to := s.request.Page
	to.URL = href
	b := s.browsing(s.acquisition(&to), tab)
	if _, err := b.Navigate(ctx); err != nil {
		return err
	}
	if _, err := tab.WaitReady(ctx); err != nil {
		return err
	}
	_, err := s.shown(ctx, tab) // the driver may not have reported the answer of an address that is loaded again before
	return err
}

// acquisition is what gets pages by a request.
func (s *Session) acquisition(r *page.Request) *page.Acquisition {
	return &page.Acquisition{Getter: s.set.o.Pages, Request: r, OfSession: true}
}

// browsing is a visit of the session's page.
func (s *Session) browsing(a *page.Acquisition, tab *browser.Page) *page.Visit {
	return &page.Visit{Acquisition: a, Cancel: func(error) {}, Tab: tab, Lease: s.lease, Blocking: s.blocking}
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

// shown is the page's document.
func (s *Session) shown(ctx context.Context, tab *browser.Page) (*page.Page, error) {
	nav, err := s.browsing(s.acquisition(&s.request.Page), tab).Shown(ctx)
	if err != nil {
		return nil, err
	}
	src := page.FromNavigation(nav)
	src.Reason = "the page of a session"
	return src, nil
}

// Do performs actions on the page, in order, waits until the page has come to rest, and returns what they yield, also beside an
// error. Where ctx has no deadline it takes [Options.CallTime] at most, beside the waits among the actions.
func (s *Session) Do(ctx context.Context, list []actions.Action) (*actions.Output, error) {
	var out *actions.Output
	err := s.useFor(ctx, s.set.o.CallTime+waits(list), func(ctx context.Context, tab *browser.Page) (err error) {
		if err := s.depart(""); err != nil {
			return err
		}
		out, err = s.browsing(s.acquisition(&s.request.Page), tab).Act(ctx, list, s.assets())
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return err
	})
	return out, err
}

// assets keeps the pictures of a call.
func (s *Session) assets() func(context.Context, []byte, string) (string, error) {
	kept := 0
	return func(_ context.Context, data []byte, mediaType string) (string, error) {
		kept++
		name := fmt.Sprintf("%s-%d-%d", s.id, s.set.o.Now().UnixNano(), kept)
		return s.set.o.Pages.Asset(s.request.Page.Private, name, page.Image{MediaType: mediaType, Bytes: data})
	}
}

// selectorTime is what actions give a wait for an element.
const selectorTime = 30 * time.Second

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
