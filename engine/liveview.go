package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/liveview"
)

// LiveViewOptions say where people look at sessions. Each session has two addresses that can't be guessed: whoever
// knows the one can watch, whoever knows the other can operate the browser too. They die with the session.
type LiveViewOptions struct {
	// Addr to listen on, "host:port", from the first session on. Empty: a free port of the loopback. Elsewhere put
	// TLS before it: whoever is on the way could read the addresses.
	Addr string
	// BaseURL is where [Engine.LiveView] is mounted, with the path, such as "https://api.example/live/": then nothing is
	// listened on. Empty: the engine listens on Addr.
	BaseURL string
	// FrameAncestors are the origins whose pages may show the view in a frame. Nil: none.
	FrameAncestors []string
}

// liveView is the live view of an engine; nil where it is off.
type liveView struct {
	server *liveview.Server
	addr   string
	base   string // of the addresses; found out by the first session where the engine listens
}

func newLiveView(o Options) (*liveView, error) {
	if o.LiveView == nil {
		return nil, nil
	}
	l := &liveView{addr: o.LiveView.Addr, base: o.LiveView.BaseURL}
	options := liveview.Options{FrameAncestors: o.LiveView.FrameAncestors, Logger: o.Logger}
	if l.base != "" {
		u, err := url.Parse(l.base)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || o.LiveView.Addr != "" {
			return nil, &OptionError{Field: "LiveView.BaseURL", Value: l.base, Want: "an http or https URL, and no Addr beside it", Err: err}
		}
		options.Path = "/" + strings.Trim(u.Path, "/") + "/"
		options.Path = strings.Replace(options.Path, "//", "/", 1)
		l.base = u.Scheme + "://" + u.Host
		options.Origins = []string{l.base} // of its own page, also where a proxy changes the Host
	}
	l.server = liveview.New(options)
	return l, nil
}

// LiveView serves the addresses of [SessionInfo] for whoever mounts it; all else is not found. It answers 404 to everything
// without [Options.LiveView].
func (e *Engine) LiveView() http.Handler {
	if e.live == nil {
		return http.NotFoundHandler()
	}
	return e.live.server
}

// show makes a session visible. Sessions are shown one after the other.
func (l *liveView) show(s *Session) (look, control string, err error) {
	if l == nil || s.unseen {
		return "", "", nil
	}
	if l.base == "" {
		at, err := l.server.Listen(l.addr)
		if err != nil {
			return "", "", &OptionError{Field: "LiveView.Addr", Value: l.addr, Want: "an address that can be listened on", Err: err}
		}
		l.base = "http://" + at.String()
	}
	urls, err := l.server.Add(s.id, screen{s})
	return l.base + urls.View, l.base + urls.Control, err
}

func (l *liveView) hide(id, reason string) {
	if l != nil {
		l.server.Remove(id, "The session has ended: "+reason+".")
	}
}

func (l *liveView) close() error {
	if l == nil {
		return nil
	}
	return l.server.Close()
}

// screen is a session as people see and operate it, beside whatever else is done with it.
type screen struct{ session *Session }

var (
	_ liveview.Screen  = screen{}
	_ liveview.Steerer = screen{}
)

// Watch follows the session from tab to tab.
func (v screen) Watch(ctx context.Context, show func(liveview.Frame)) error {
	err := v.session.browser.Screencast(ctx, browser.ScreencastOptions{}, func(f browser.Frame) { show(liveview.Frame(f)) })
	if v.session.browser.Err() != nil {
		return fmt.Errorf("%w: %w", liveview.ErrEnded, err)
	}
	return err
}

// operate does what a person wants with the page, which counts as use of the session. The end of ctx doesn't break off the
// making of a tab: that would close it.
func (v screen) operate(ctx context.Context, do func(*browser.Page) error) error {
	v.session.touch(0)
	making, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	page, err := v.session.browser.Page(making)
	if err == nil {
		err = do(page)
	}
	return err
}

func (v screen) Input(ctx context.Context, in liveview.Input) error {
	return v.operate(ctx, func(p *browser.Page) error {
		return p.Input(ctx, browser.Input{
			Kind: browser.InputKind(in.Kind), X: in.X, Y: in.Y, DeltaX: in.DeltaX, DeltaY: in.DeltaY, Button: in.Button, Buttons: in.Buttons, Clicks: in.Clicks,
			Key: in.Key, Code: in.Code, Text: in.Text, Repeat: in.Repeat, Modifiers: in.Modifiers,
		})
	})
}

// State only looks: where there is no tab it makes none.
func (v screen) State(ctx context.Context) (liveview.State, error) {
	page := v.session.browser.Shown()
	if page == nil {
		return liveview.State{}, nil
	}
	title, err := page.Title(ctx)
	return liveview.State{URL: page.URL(), Title: title}, err
}

// Goto loads what a person has written into the address field; the guard says where the browser may go.
func (v screen) Goto(ctx context.Context, address string) error {
	href, err := parseTarget(address)
	if err != nil {
		return errors.New("this is no web address")
	}
	if err := v.session.depart(href); err != nil {
		return err
	}
	return v.operate(ctx, func(p *browser.Page) error { return p.Steer(ctx, href) })
}

func (v screen) Travel(ctx context.Context, steps int) error {
	return v.operate(ctx, func(p *browser.Page) error { return p.Travel(ctx, steps) })
}
