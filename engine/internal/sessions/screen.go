package sessions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/liveview"
)

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

// makingTime is how long a new tab may take.
const makingTime = 30 * time.Second

// operate does what a person wants with the page, which counts as use of the session. The end of ctx doesn't break off the
// making of a tab: that would close it.
func (v screen) operate(ctx context.Context, do func(*browser.Remote) error) error {
	v.session.touch(0)
	making, cancel := context.WithTimeout(context.WithoutCancel(ctx), makingTime)
	defer cancel()
	page, err := v.session.browser.Page(making)
	if err == nil {
		err = do(page.Remote())
	}
	return err
}

func (v screen) Input(ctx context.Context, in liveview.Input) error {
	return v.operate(ctx, func(r *browser.Remote) error {
		return r.Input(ctx, browser.Input{
			Kind: browser.InputKind(in.Kind), X: in.X, Y: in.Y, DeltaX: in.DeltaX, DeltaY: in.DeltaY,
			Button: in.Button, Buttons: in.Buttons, Clicks: in.Clicks,
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
	title, err := page.Remote().Title(ctx)
	return liveview.State{URL: page.URL(), Title: title}, err
}

// Goto loads what a person has written into the address field; the guard says where the browser may go.
func (v screen) Goto(ctx context.Context, address string) error {
	href, err := v.session.set.o.Target(address)
	if err != nil {
		return errors.New("this is no web address")
	}
	if err := v.session.depart(href); err != nil {
		return err
	}
	return v.operate(ctx, func(r *browser.Remote) error { return r.Steer(ctx, href) })
}

func (v screen) Travel(ctx context.Context, steps int) error {
	return v.operate(ctx, func(r *browser.Remote) error { return r.Travel(ctx, steps) })
}
