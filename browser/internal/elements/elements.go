// Package elements finds elements of a page by selectors, in its frames too, and waits for them, clicks and scrolls them.
//
//	elements.go   In: waiting for an element, and what prevents an action on it
//	frames.go     the frame that a selector means
//	click.go      clicks
//	scroll.go     scrolling
//	keyboard.go   Keyboard: typing and single keys
//	find.js       the matches of a selector, in shadow trees too; the other scripts stand behind it
//	hindrance.js  what prevents an action, as the page sees it
package elements

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

// findJS and hindranceJS are the files of these names.
var (
	//go:embed find.js
	findJS string
	//go:embed hindrance.js
	hindranceJS string
)

// inPage is a script of a function that may use what findJS defines.
func inPage(function string) string {
	return "(given) => {\n" + findJS + "\nreturn (" + function + "\n)(given);\n}"
}

// The questions to hindranceJS, beside an element to be clicked.
const (
	askSee   = "see"   // is anything that matches visible?
	askFind  = "find"  // does anything match?
	askClick = "click" // could the first match be clicked?
)

// In are the elements of a page, by selectors: see [actions.Page].
type In struct {
	Tab *tab.Tab
	// Frames are all frames beside the main one. Nil: there are none.
	Frames func() []playwright.Frame
	// Moved reports that another tab has become the page: what waits for an element gives up with [ErrMoved]. Nil: none does.
	Moved func() bool
	// Aim is called with what the link does that is about to be clicked. May be nil.
	Aim func(Link)
	// Closed reports that the page has closed its tab. Nil: it never does.
	Closed func() bool
	// InBanner reports whether a selector means a part of a cookie banner that was rejected or hidden. Nil: it never does.
	InBanner func(ctx context.Context, selector string) bool
}

// Link is what a click on an element does. The zero value is no link, or one within its tab.
type Link struct {
	Tab   string // the address that it opens in another tab
	Saves bool   // its target is a file to be saved
}

// ErrMoved means that another tab has become the page before the element was there.
var ErrMoved = errors.New("another tab is the page")

// Await waits until an element that matches is visible. One of a cookie banner that has been dealt with isn't waited for, which the
// notes say.
func (e In) Await(ctx context.Context, selector string, timeout time.Duration) (notes []string, err error) {
	if e.gone(ctx, selector) {
		return []string{"Nothing was waited for: " + ofBanner}, nil
	}
	_, err = e.await(ctx, selector, timeout, askSee)
	if reason := actions.ReasonOf(err); reason != "" && reason != actions.BadSelector {
		return nil, &actions.Failure{Reason: actions.TimedOut, Detail: fmt.Sprintf("after %s: %s", timeout.Round(time.Millisecond), err)}
	}
	return nil, err
}

// headStart is how long the main document may take to have a match before frames are looked into: what is in them is often not the
// page's own.
const headStart = time.Second

// Pauses between two looks; frames are looked into one by one, so less often.
const (
	firstPause    = 10 * time.Millisecond
	maxPause      = 100 * time.Millisecond
	pauseOfFrames = 500 * time.Millisecond
)

// await looks for a selector until nothing prevents the action, then goes on in the next document where this one goes away. It
// returns where the element is. After the timeout the error says what prevented it last; a page so busy that its first look took all
// of the time is looked at once more, with its frames.
func (e In) await(ctx context.Context, selector string, timeout time.Duration, ask string) (place, error) {
	begun := time.Now()
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		framesToo := time.Since(begun) >= min(headStart, timeout/2)
		found, err := e.look(ctx, selector, ask, framesToo)
		if reason := actions.ReasonOf(err); reason == "" || reason == actions.BadSelector {
			return found, err
		}
		if e.Moved != nil && e.Moved() {
			return place{}, ErrMoved
		}
		left := timeout - time.Since(begun)
		if left <= 0 && framesToo {
			return place{}, err
		}
		if framesToo && len(e.frames()) > 0 {
			pause = pauseOfFrames
		}
		if err := e.Tab.Wait(ctx, min(pause, left)); err != nil {
			return place{}, err
		}
	}
}

// hindrance returns what prevents the action as an *actions.Failure, nil if nothing does. A document that is going away has no match.
func (e In) hindrance(ctx context.Context, at place, act any) error {
	answer, err := e.query(ctx, at, act)
	if err != nil {
		return err
	}
	return failureOf(answer)
}

// lookAt is hindrance that notes where the match is.
func (e In) lookAt(ctx context.Context, at place, ask string) (place, error) {
	answer, err := e.query(ctx, at, ask)
	if err != nil {
		return at, err
	}
	at.deep = at.deep || len(answer) > 2 && answer[2] == true
	return at, failureOf(answer)
}

// query is the answer of hindranceJS.
func (e In) query(ctx context.Context, at place, act any) ([]any, error) {
	value, err := tab.Do(ctx, e.Tab, "look for "+at.selector, func() (any, error) {
		return at.frame.Evaluate(inPage(hindranceJS), []any{at.path(), act})
	})
	if err != nil && (tab.Replaced(err) || strings.Contains(err.Error(), "detached")) {
		return nil, &actions.Failure{Reason: actions.NoMatch, Err: err}
	}
	answer, _ := value.([]any)
	return answer, err
}

// failureOf is an answer of hindranceJS as an error.
func failureOf(answer []any) error {
	if len(answer) < 2 {
		return nil
	}
	reason, _ := answer[0].(string)
	detail, _ := answer[1].(string)
	if reason == "" {
		return nil
	}
	return &actions.Failure{Reason: actions.Reason(reason), Detail: detail}
}

// main is the main document as a place.
func (e In) main(selector string) place {
	return place{frame: e.Tab.Page.MainFrame(), selector: selector}
}

func (e In) frames() []playwright.Frame {
	if e.Frames == nil {
		return nil
	}
	return e.Frames()
}

// ofBanner is the end of a note of an action that wasn't needed.
const ofBanner = "the element belongs to a cookie banner that had been rejected or hidden."

// gone reports whether no match of a selector is visible, and the first belongs to a cookie banner that was rejected or hidden.
func (e In) gone(ctx context.Context, selector string) bool {
	if e.InBanner == nil {
		return false
	}
	_, err := e.look(ctx, selector, askSee, false)
	return e.dealtWith(ctx, selector, err)
}

// dealtWith reports whether the element of an action that failed belongs to a cookie banner that was rejected or hidden.
func (e In) dealtWith(ctx context.Context, selector string, err error) bool {
	switch actions.ReasonOf(err) {
	case actions.NoMatch, actions.NotVisible, actions.Detached:
		return e.InBanner != nil && ctx.Err() == nil && e.InBanner(ctx, selector)
	}
	return false
}

func milliseconds(d time.Duration) *float64 { return new(float64(d) / float64(time.Millisecond)) }
