package elements

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// place is a frame, and a selector for its document.
type place struct {
	frame    playwright.Frame
	selector string
	inner    bool // it isn't the main frame
	silent   int  // how many other frames did not say in time whether they have a match too
}

// note says where an element is that is not in the main document, "" for one that is.
func (p place) note() string {
	if !p.inner {
		return ""
	}
	return "The element is in " + nameOf(p.frame) + "." + unasked(p.silent)
}

// unasked says that frames did not answer, "" for none.
func unasked(silent int) string {
	if silent == 0 {
		return ""
	}
	return fmt.Sprintf(" Of the other frames %d did not answer.", silent)
}

// frameTime is how long all frames together may take to answer: those that don't are left out, which is said.
const frameTime = time.Second

// look looks once for the element that a selector means: in the frame that its path names, else in the main document and then, if
// wanted, in all frames, where it has to be the only one.
func (e In) look(ctx context.Context, selector, ask string, framesToo bool) (place, error) {
	if path := actions.FramePath(selector); len(path) > 1 {
		at, err := e.enter(ctx, path)
		if err != nil {
			return place{}, err
		}
		return at, e.hindrance(ctx, at, ask)
	}
	at := e.main(selector)
	err := e.hindrance(ctx, at, ask)
	if actions.ReasonOf(err) != actions.NoMatch || !framesToo {
		return at, err
	}
	return e.only(ctx, selector, ask, err)
}

// enter goes down a path of frames.
func (e In) enter(ctx context.Context, path []string) (place, error) {
	last := len(path) - 1
	at := e.main(path[0])
	for i, selector := range path[:last] {
		frame, err := e.inside(ctx, place{frame: at.frame, selector: selector})
		if err != nil {
			return place{}, err
		}
		at = place{frame: frame, selector: path[i+1], inner: true}
	}
	return at, nil
}

// inside is the frame that the first match of a selector holds.
func (e In) inside(ctx context.Context, at place) (playwright.Frame, error) {
	if err := e.hindrance(ctx, at, askFind); err != nil {
		return nil, err
	}
	frame, err := tab.Do(ctx, e.Tab, "enter the frame "+at.selector, func() (playwright.Frame, error) {
		//lint:ignore SA1019 a frame locator gives no frame
		element, err := at.frame.QuerySelector("css=" + at.selector)
		if err != nil || element == nil {
			return nil, err
		}
		return element.ContentFrame()
	})
	switch {
	case err != nil && !tab.Replaced(err):
		return nil, err
	case err != nil || frame == nil:
		return nil, &actions.Failure{Reason: actions.NoMatch, Detail: at.selector + " is no frame", Err: err}
	}
	return frame, nil
}

// only is the one match in all frames. None is what was found before; several are ambiguous.
func (e In) only(ctx context.Context, selector, ask string, none error) (place, error) {
	matches, silent := e.matches(ctx, selector)
	switch {
	case ctx.Err() != nil:
		return place{}, fmt.Errorf("look for %s: %w", selector, context.Cause(ctx))
	case len(matches) == 0 && silent == 0:
		return place{}, none
	case len(matches) == 0:
		return place{}, &actions.Failure{Reason: actions.NoMatch, Detail: strings.TrimSpace(unasked(silent))}
	case len(matches) == 1 && (matches[0].count == 1 || ask == askSee):
		at := matches[0].place
		at.silent = silent
		return at, e.hindrance(ctx, at, ask)
	}
	return place{}, &actions.Failure{Reason: actions.Ambiguous, Detail: countsOf(matches)}
}

// matching is a frame that has matches.
type matching struct {
	place
	count int
}

// countsOf says how many matches there are where.
func countsOf(matches []matching) string {
	sum, parts := 0, []string(nil)
	for _, m := range matches {
		sum += m.count
		parts = append(parts, fmt.Sprintf("%d in %s", m.count, nameOf(m.frame)))
	}
	return fmt.Sprintf("%d elements in frames: %s", sum, strings.Join(parts, ", "))
}

// matches counts the matches in all frames but the main one, and the frames that did not answer in time. They look side by side.
func (e In) matches(ctx context.Context, selector string) (found []matching, silent int) {
	frames := e.frames()
	counts := make([]<-chan tab.Outcome[any], len(frames))
	for i, frame := range frames {
		counts[i] = tab.Start(e.Tab, func() (any, error) {
			return frame.Evaluate(`(selector) => document.querySelectorAll(selector).length`, selector)
		})
	}
	over, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	for i, frame := range frames {
		count, answered := e.count(over, counts[i])
		if !answered {
			silent++
		} else if count > 0 {
			found = append(found, matching{place{frame: frame, selector: selector, inner: true}, count})
		}
	}
	return found, silent
}

// count is a frame's answer, none for a frame that has gone; false: it doesn't come before ctx ends.
func (e In) count(ctx context.Context, answer <-chan tab.Outcome[any]) (count int, answered bool) {
	select {
	case a := <-answer: // also one that is there when the time is over
		return int(tab.Number(a.Value)), true
	default:
	}
	select {
	case a := <-answer:
		return int(tab.Number(a.Value)), true
	case <-ctx.Done():
	case <-e.Tab.Dead():
	case <-e.Tab.Browser.Dead():
	}
	return 0, false
}

// nameOf is a frame for a message of one line. The library knows no address of a srcdoc frame that has a process of its own.
func nameOf(frame playwright.Frame) string {
	const limit = 100
	address := frame.URL()
	if address == "" {
		return "a frame without an address"
	}
	if len(address) > limit {
		address = strings.ToValidUTF8(address[:limit], "") + "…"
	}
	return "the frame " + address
}
