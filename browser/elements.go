package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// elementsJS finds what prevents an action on an element; see the file.
//
//go:embed elements.js
var elementsJS string

// The questions to elementsJS, beside an element to be clicked.
const (
	askSee   = "see"   // is anything that matches visible?
	askFind  = "find"  // does anything match?
	askClick = "click" // could the first match be clicked?
)

// elements are those of a page's main document, by selectors.
type elements struct{ tab *tab.Tab }

// await checks a selector until nothing prevents the action, then continues in the next document where this one goes away.
func (e elements) await(ctx context.Context, selector string, timeout time.Duration, ask string) error {
	end := time.Now().Add(timeout)
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		err := e.hindrance(ctx, selector, ask)
		reason := actions.ReasonOf(err)
		if err == nil || reason == "" || reason == actions.BadSelector {
			return err
		}
		left := time.Until(end)
		if left <= 0 {
			if ask == askFind {
				return err
			}
			return &actions.Failure{Reason: actions.TimedOut, Detail: fmt.Sprintf("after %s: %s", timeout, reason)}
		}
		if err := e.tab.Wait(ctx, min(pause, left)); err != nil {
			return err
		}
	}
}

// hindrance returns what prevents the action as an *actions.Failure, nil if nothing does. A document that is going away has no match.
func (e elements) hindrance(ctx context.Context, selector string, act any) error {
	value, err := tab.Do(ctx, e.tab, "look for "+selector, func() (any, error) { return e.tab.Page.Evaluate(elementsJS, []any{selector, act}) })
	if err != nil {
		if tab.Replaced(err) {
			return &actions.Failure{Reason: actions.NoMatch, Err: err}
		}
		return err
	}
	pair, _ := value.([]any)
	if len(pair) != 2 {
		return nil
	}
	reason, _ := pair[0].(string)
	detail, _ := pair[1].(string)
	if reason == "" {
		return nil
	}
	return &actions.Failure{Reason: actions.Reason(reason), Detail: detail}
}

// click clicks the first match, or all matches there are.
func (e elements) click(ctx context.Context, selector string, o actions.ClickOptions) error {
	if err := e.hindrance(ctx, selector, askFind); err != nil {
		reason := actions.ReasonOf(err)
		if o.All && reason == actions.NoMatch {
			return nil
		}
		if reason != actions.NoMatch {
			return err
		}
	}
	if o.All {
		return e.clickAll(ctx, selector, o.Timeout)
	}
	err := tab.Run(ctx, e.tab, "click "+selector, func() error {
		return e.tab.Page.Locator("css=" + selector).First().Click(playwright.LocatorClickOptions{Timeout: milliseconds(o.Timeout)})
	})
	return e.whyNot(ctx, selector, askClick, err)
}

// clickAll clicks each match that is visible when its turn comes.
func (e elements) clickAll(ctx context.Context, selector string, timeout time.Duration) error {
	matches, err := tab.Do(ctx, e.tab, "find "+selector, func() ([]playwright.ElementHandle, error) {
		//lint:ignore SA1019 a locator would search again for each click, and skip what moves up in the list
		return e.tab.Page.QuerySelectorAll("css=" + selector)
	})
	if err != nil {
		if tab.Replaced(err) {
			return nil
		}
		return err
	}
	for _, match := range matches {
		//lint:ignore SA1019 as above
		visible, err := tab.Do(ctx, e.tab, "look at "+selector, match.IsVisible)
		if err != nil && (e.tab.Gone(err) || ctx.Err() != nil) {
			return err
		}
		if err != nil || !visible {
			continue // gone meanwhile
		}
		err = tab.Run(ctx, e.tab, "click "+selector, func() error {
			//lint:ignore SA1019 as above
			return match.Click(playwright.ElementHandleClickOptions{Timeout: milliseconds(timeout)})
		})
		switch err := e.whyNot(ctx, selector, match, err); actions.ReasonOf(err) {
		case actions.Detached, actions.NotVisible, actions.NoMatch: // since its turn came
		default:
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// whyNot converts the error of a click to the page's reason.
func (e elements) whyNot(ctx context.Context, selector string, act any, err error) error {
	if err == nil || ctx.Err() != nil || e.tab.Gone(err) {
		return err
	}
	if strings.Contains(err.Error(), "click action done") {
		return nil // what it led to takes longer
	}
	failure := &actions.Failure{Reason: actions.Detached, Err: err}
	if errors.Is(err, playwright.ErrTimeout) {
		failure.Reason, failure.Detail = actions.TimedOut, "waiting until it could be clicked"
	}
	if !isDetached(err) {
		found := e.hindrance(ctx, selector, act)
		var f *actions.Failure
		if errors.As(found, &f) {
			failure.Reason, failure.Detail = f.Reason, f.Detail
		} else if found != nil && ctx.Err() != nil {
			return found
		}
	}
	return failure
}

func isDetached(err error) bool {
	return strings.Contains(err.Error(), "Element is not attached")
}

func milliseconds(d time.Duration) *float64 { return new(float64(d) / float64(time.Millisecond)) }

// scrollJS moves the window, or the first match of a selector, by its own height, and waits until the page has noticed.
const scrollJS = `([selector, sign]) => new Promise((done) => {
	const e = selector && document.querySelector(selector);
	if (e) {
		e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
		e.scrollBy({top: sign * e.clientHeight, behavior: "instant"});
	} else if (!selector) {
		window.scrollBy({top: sign * window.innerHeight, behavior: "instant"});
	}
	requestAnimationFrame(() => setTimeout(() => done(!selector || !!e)));
	setTimeout(() => done(!selector || !!e), 500);
})`

// scroll moves the window, or the first match of a selector.
func (e elements) scroll(ctx context.Context, o actions.ScrollOptions) error {
	if o.Selector != "" {
		if err := e.await(ctx, o.Selector, o.Timeout, askFind); err != nil {
			return err
		}
	}
	sign := 1
	if o.Up {
		sign = -1
	}
	moved, err := tab.Do(ctx, e.tab, "scroll", func() (any, error) { return e.tab.Page.Evaluate(scrollJS, []any{o.Selector, sign}) })
	switch {
	case err != nil && tab.Replaced(err):
		return nil
	case err == nil && moved == false:
		return &actions.Failure{Reason: actions.Detached}
	}
	return err
}
