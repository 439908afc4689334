package sessions

import (
	"context"
	"slices"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/page"
)

const blankPage = "about:blank"

// Address is that of the page at this moment.
func (s *Session) Address() string {
	for _, tab := range s.browser.Tabs() {
		if tab.Page {
			return tab.URL
		}
	}
	return blankPage
}

// Reading says what is read of the live page.
type Reading struct {
	Request *page.Request
	ID      string // begins the names of assets
	Clock   *deadline.Clock
}

// Read takes from the live page what a visit takes from a fresh one, after the waits and actions of the request. The result is valid
// beside an error: it may have the page so far.
func (s *Session) Read(ctx context.Context, r Reading) (got page.Result, err error) {
	err = s.use(ctx, func(ctx context.Context, tab *browser.Page) error {
		src, err := s.shown(ctx, tab)
		if err != nil {
			return err
		}
		a := s.acquisition(r.Request)
		a.ID, a.Clock = r.ID, r.Clock
		b := s.browsing(a, tab)
		err = s.take(ctx, b, src)
		got = b.Result
		return err
	})
	return got, err
}

func (s *Session) take(ctx context.Context, b *page.Visit, src *page.Page) error {
	parts := []page.VisitPart{b.Settle, b.WaitFor, b.Perform, b.Content, b.Look}
	if len(b.Request.Actions) > 0 {
		parts = slices.Insert(parts, 1, b.Content) // for the document so far, should an action fail
		if err := s.depart(""); err != nil {
			return err
		}
	}
	if err := page.TakeAll(ctx, src, parts...); err != nil {
		if src.Body != nil {
			b.Page = src
		}
		return err
	}
	b.Banners(src)
	b.Page = src
	return nil
}
