package browser

import (
	"context"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// A ctx that ends gives a tab up in the background, while the driver still makes it.
func TestSession_tabGivenUpWhileItIsMadeIsClosed(t *testing.T) {
	t.Parallel()
	s := newSession(t, SessionOptions{Egress: egressTo(t, newProxy(t).Listener.Addr().String())})
	page := s.newPage()
	page.tab.Enter(s.current().tab.Context())
	ctx, cancel := context.WithCancel(t.Context())
	made := make(chan playwright.Page, 1)
	err := s.attach(ctx, page, func() (playwright.Page, error) {
		p, err := page.tab.Context().NewPage()
		made <- p
		cancel()
		<-page.tab.Quit()
		return p, err
	})
	if err == nil {
		t.Fatal("a tab that was given up is the session's")
	}
	<-page.tab.Freed()
	left := 1
	if s.Err() != nil { // a machine too busy to close it in time: its browser was ended, with all of its tabs
		left = 0
	}
	if p := <-made; p == nil || !p.IsClosed() || len(s.Tabs()) != left {
		t.Errorf("the tab stays open: %+v, %v", s.Tabs(), s.Err())
	}
}
