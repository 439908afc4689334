package elements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// place is a frame, and a selector for its document.
type place struct {
	frame    playwright.Frame
	within   []string // selectors of elements in the frame, each in the open shadow tree of the one before; the selector is for the last one's
	selector string
	inner    bool // it isn't the main frame
	deep     bool // the first match is in a shadow tree
	silent   int  // how many other frames did not say in time whether they have a match too
}

// path is what findJS takes.
func (p place) path() []string { return append(slices.Clone(p.within), p.selector) }

// errNoElement stands for what the driver says of an element that it has lost.
var errNoElement = errors.New("element is not attached")

// first is the first match.
func (p place) first() (playwright.ElementHandle, error) {
	found, err := p.frame.EvaluateHandle(inPage("(path) => matches(path)[0]"), p.path())
	if err != nil {
		return nil, err
	}
	if match := found.AsElement(); match != nil {
		return match, nil
	}
	return nil, errNoElement
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
		return e.lookAt(ctx, at, ask)
	}
	at, err := e.lookAt(ctx, e.main(selector), ask)
	if actions.ReasonOf(err) != actions.NoMatch || !framesToo {
		return at, err
	}
	return e.only(ctx, selector, ask, err)
}

// enter goes down a path of frames, and of elements that have open shadow trees.
func (e In) enter(ctx context.Context, path []string) (place, error) {
	last := len(path) - 1
	at := e.main("")
	for _, selector := range path[:last] {
		at.selector = selector
		inner, err := e.inside(ctx, at)
		if err != nil {
			return place{}, err
		}
		at = inner
	}
	at.selector = path[last]
	return at, nil
}

// inside is the document of the frame that the first match of a selector is, or its shadow tree.
func (e In) inside(ctx context.Context, at place) (place, error) {
	if err := e.hindrance(ctx, at, askFind); err != nil {
		if f, ok := errors.AsType[*actions.Failure](err); ok && f.Reason == actions.NoMatch && f.Detail == "" {
			f.Detail = "the path ends before " + at.selector
		}
		return place{}, err
	}
	var frame playwright.Frame
	hosts, err := tab.Do(ctx, e.Tab, "enter "+at.selector, func() (any, error) {
		element, err := at.first()
		if err != nil {
			return nil, err
		}
		if frame, err = element.ContentFrame(); err != nil || frame != nil {
			return nil, err
		}
		return element.Evaluate(`(e) => !!e.shadowRoot`)
	})
	switch {
	case err != nil && !tab.Replaced(err) && !isDetached(err):
		return place{}, err
	case err == nil && frame != nil:
		return place{frame: frame, inner: true}, nil
	case err == nil && hosts == true:
		return place{frame: at.frame, within: at.path(), inner: at.inner, deep: true}, nil
	}
	return place{}, &actions.Failure{Reason: actions.NoMatch, Detail: at.selector + " is no frame and has no open shadow tree", Err: err}
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
		return e.lookAt(ctx, at, ask)
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
			return frame.Evaluate(inPage(`(path) => matches(path).length`), []string{selector})
		})
	}
	over, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	for i, frame := range frames {
		count, answered := e.count(over, counts[i])
		if !answered {
			silent++
		} else if count > 0 {
			found = append(found, matching{place: place{frame: frame, selector: selector, inner: true}, count: count})
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
