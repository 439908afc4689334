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
}

// note says where an element is that is not in the main document, "" for one that is.
func (p place) note() string {
	if !p.inner {
		return ""
	}
	return "The element is in the frame " + clipped(p.frame.URL()) + "."
}

// frameTime is how long one frame may take to answer: one that doesn't is left out.
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
		at = place{frame, path[i+1], true}
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
	matches := e.matches(ctx, selector)
	switch {
	case ctx.Err() != nil:
		return place{}, fmt.Errorf("look for %s: %w", selector, context.Cause(ctx))
	case len(matches) == 0:
		return place{}, none
	case len(matches) == 1 && matches[0].count == 1 || ask == askSee && len(matches) == 1:
		return matches[0].place, e.hindrance(ctx, matches[0].place, ask)
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
		parts = append(parts, fmt.Sprintf("%d in %s", m.count, clipped(m.frame.URL())))
	}
	return fmt.Sprintf("%d elements in frames: %s", sum, strings.Join(parts, ", "))
}

// matches counts the matches in all frames but the main one. A frame that doesn't answer in time is left out.
func (e In) matches(ctx context.Context, selector string) (found []matching) {
	for _, frame := range e.frames() {
		value, err, answered := tab.Try(ctx, e.Tab, frameTime, func() (any, error) {
			return frame.Evaluate(`(selector) => document.querySelectorAll(selector).length`, selector)
		})
		if count := int(tab.Number(value)); err == nil && answered && count > 0 {
			found = append(found, matching{place{frame, selector, true}, count})
		}
	}
	return found
}

// clipped is an address for a message of one line.
func clipped(address string) string {
	const most = 100
	if len(address) <= most {
		return address
	}
	return strings.ToValidUTF8(address[:most], "") + "…"
}
