package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Bounds of a screencast: the largest side of a picture in pixels, how long the browser may take to begin or end one, how long a
// session's screencast waits for its next page, how long a page stands still before another picture is requested, and the default quality.
const (
	maxCastSide    = 4096
	castWait       = 10 * time.Second
	castEnd        = 2 * time.Second
	castPause      = 500 * time.Millisecond
	castSettle     = time.Second
	defaultQuality = 70
)

// ScreencastOptions of one screencast. The zero value shows the viewport in its own size.
type ScreencastOptions struct {
	// MaxWidth and MaxHeight bound the pictures in pixels; they are scaled down to fit. Default and maximum: 4096.
	MaxWidth, MaxHeight int
	// Quality of the JPEGs, 1 to 100. Defaults to 70.
	Quality int
	// EveryNth leaves out all but every n-th change. With more than 1 the last change before the page settles may not be shown. Defaults
	// to 1.
	EveryNth int
}

// Frame is one picture of a page.
type Frame struct {
	Data          []byte // a JPEG
	Width, Height int    // of the viewport, in CSS pixels, the unit of Input
}

// Screencast calls show with a picture of the page's viewport at once and whenever it has changed, until ctx ends, which is no error
// and leaves the page as it is. show is called from this goroutine; while it is busy, pictures are skipped: the next is always the
// newest. Errors: *OptionError, and ErrClosed or ErrCrashed when the page is gone, also when its tab was closed by others.
func (r *Remote) Screencast(ctx context.Context, o ScreencastOptions, show func(Frame)) error {
	params, err := o.params()
	if err != nil {
		return err
	}
	c := newCast(r.tab, params)
	defer c.close()
	_, err, answered := tab.Try(ctx, r.tab, castWait, func() (struct{}, error) { return struct{}{}, c.open() })
	switch {
	case ctx.Err() != nil:
		return nil
	case !answered:
		return fmt.Errorf("show the page: no answer in %s: %w", castWait, ErrBusy)
	case err != nil:
		return r.tab.Explain("show the page", err)
	}
	return c.run(ctx, show)
}

func (o ScreencastOptions) params() (map[string]any, error) {
	for _, v := range []struct {
		name  string
		value *int
		zero  int
		most  int
	}{
		{"MaxWidth", &o.MaxWidth, maxCastSide, maxCastSide}, {"MaxHeight", &o.MaxHeight, maxCastSide, maxCastSide},
		{"Quality", &o.Quality, defaultQuality, 100}, {"EveryNth", &o.EveryNth, 1, 1000},
	} {
		if *v.value == 0 {
			*v.value = v.zero
		}
		if *v.value < 1 || *v.value > v.most {
			return nil, &OptionError{v.name, fmt.Sprint(*v.value), fmt.Sprintf("0 (the default) to %d", v.most)}
		}
	}
	return map[string]any{
		"format": "jpeg", "quality": o.Quality, "maxWidth": o.MaxWidth, "maxHeight": o.MaxHeight, "everyNthFrame": o.EveryNth,
	}, nil
}

// cast is one screencast. It has a debugging session of its own, whose end ends it in the browser too.
type cast struct {
	tab      *tab.Tab
	params   map[string]any
	fresh    chan struct{} // one token when there is a new frame
	gone     chan struct{} // closed when the tab is
	goneOnce sync.Once
	crashed  func(playwright.Page)

	mu      sync.Mutex
	session playwright.CDPSession
	over    bool
	newest  map[string]any // as the browser sent it; nil when it was shown
}

func newCast(t *tab.Tab, params map[string]any) *cast {
	c := &cast{tab: t, params: params, fresh: make(chan struct{}, 1), gone: make(chan struct{})}
	c.crashed = func(playwright.Page) { c.lose() } // one value: by it the listener is found again
	return c
}

// open begins the screencast. It may come to its end after close.
func (c *cast) open() error {
	session, err := c.tab.Page.Context().NewCDPSession(c.tab.Page)
	if err != nil {
		return err
	}
	if !c.adopt(session) {
		return session.Detach()
	}
	session.On("Page.screencastFrame", c.receive)
	session.OnClose(func(playwright.CDPSession) { c.lose() })
	c.tab.Page.OnCrash(c.crashed)
	if _, err := session.Send("Page.enable", map[string]any{}); err != nil {
		return err
	}
	_, err = session.Send("Page.startScreencast", c.params)
	return err
}

// adopt keeps the session; false when the screencast is over already.
func (c *cast) adopt(session playwright.CDPSession) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return false
	}
	c.session = session
	return true
}

func (c *cast) lose() { c.goneOnce.Do(func() { close(c.gone) }) }

// receive keeps a frame and has the browser send the next. It runs on the goroutine that all pages' replies go through. Frames are
// acknowledged whether they are shown or not: what changes while the browser waits is lost, and that may be the last change for
// long.
func (c *cast) receive(frame map[string]any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.newest = frame
	session, id := c.session, frame["sessionId"]
	tab.Start(c.tab, func() (any, error) { return session.Send("Page.screencastFrameAck", map[string]any{"sessionId": id}) })
	select {
	case c.fresh <- struct{}{}:
	default:
	}
}

// run shows frames until ctx, the page or the browser ends. On a busy machine the browser may send no first frame of a page that stands
// still, or one from before it was painted: so another is requested, once, when a page has come to rest, and until there is a frame at all.
func (c *cast) run(ctx context.Context, show func(Frame)) error {
	rest := time.NewTimer(castSettle)
	defer rest.Stop()
	seen, asked := false, false
	for {
		select {
		case <-rest.C:
			c.again()
			if asked = true; !seen {
				rest.Reset(castSettle)
			}
		case <-ctx.Done():
			return nil
		case <-c.tab.Quit():
			return fmt.Errorf("show the page: %w", ErrClosed)
		case <-c.tab.Browser.Dead():
			return fmt.Errorf("show the page: %w", ErrCrashed)
		case <-c.gone:
			return c.tab.Explain("show the page", tab.ErrGone)
		case <-c.fresh:
			if frame, ok := c.take(); ok {
				seen = true
				show(frame)
			}
			if !asked { // else it is the answer
				rest.Reset(castSettle)
			}
			asked = false
		}
	}
}

// again begins the screencast a second time, which gives a picture of the page as it is. One that the browser has not begun yet will give
// it anyway.
func (c *cast) again() {
	c.mu.Lock()
	session := c.session
	c.mu.Unlock()
	if session == nil {
		return
	}
	tab.Start(c.tab, func() (any, error) {
		if _, err := session.Send("Page.stopScreencast", map[string]any{}); err != nil {
			return nil, err
		}
		return session.Send("Page.startScreencast", c.params)
	})
}

// take decodes the newest frame.
func (c *cast) take() (Frame, bool) {
	c.mu.Lock()
	raw := c.newest
	c.newest = nil
	c.mu.Unlock()
	text, _ := raw["data"].(string)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 {
		return Frame{}, false
	}
	return Frame{
		Data:   data,
		Width:  int(tab.Number(tab.Field(raw, "metadata", "deviceWidth"))),
		Height: int(tab.Number(tab.Field(raw, "metadata", "deviceHeight"))),
	}, true
}

// close ends the screencast, also in a browser that is still about to begin it.
func (c *cast) close() {
	c.mu.Lock()
	session := c.session
	c.over, c.session = true, nil
	c.mu.Unlock()
	if session == nil {
		return
	}
	c.tab.Page.RemoveListener("crash", c.crashed)
	_, _, _ = tab.Try(context.Background(), c.tab, castEnd, func() (struct{}, error) { return struct{}{}, session.Detach() })
}

// Screencast is [Remote.Screencast] of the session's current page, until ctx ends or the session: then it returns nil or Err. When the page
// is closed or replaced it goes on with the next, after a moment in which the session's own user may have chosen one.
func (s *Session) Screencast(ctx context.Context, o ScreencastOptions, show func(Frame)) error {
	for {
		page, err := s.shownPage(ctx)
		if err == nil {
			err = page.Remote().Screencast(ctx, o, show)
		}
		var bad *OptionError
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &bad):
			return err
		case s.Err() != nil:
			return s.Err()
		}
		s.log.Debug("a session's screencast goes on with the next page", "error", err)
		s.pause(ctx, page)
	}
}

// Shown returns the session's page as it is, for viewers: nil where Page would have to make or choose another.
func (s *Session) Shown() *Page {
	if page := s.current(); page != nil && isOpen(page.tab) && s.Err() == nil {
		return page
	}
	return nil
}

// shownPage is Page for watchers, whose going must not break off the making of a tab.
func (s *Session) shownPage(ctx context.Context) (*Page, error) {
	if page := s.Shown(); page != nil {
		return page, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), castWait)
	defer cancel()
	return s.Page(ctx)
}

// pause waits a moment, unless there is another page than the one that is gone.
func (s *Session) pause(ctx context.Context, gone *Page) {
	if now := s.Shown(); now != nil && now != gone {
		return
	}
	t := time.NewTimer(castPause)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	case <-s.gen.Dead():
	}
}
