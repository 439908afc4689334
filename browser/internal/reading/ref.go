package reading

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Element describes the element of a reference.
type Element struct {
	Ref              string
	Role, Name, Type string
	Origin           string // of the document that it is in
	URL              string // that a link leads to
	Selector         string // finds this element alone; "" in frames and shadow trees
	ClickSelector    string // of the element that is clicked in its stead; "": Selector
	Secret, Filled   bool
	OpensTab         bool
}

// refWait is how long a question about an element may take.
const refWait = 5 * time.Second

// Element describes the element of a reference of the last snapshot. As with all methods by reference, an element that is gone is a
// *[actions.Failure]: actions.Detached, or actions.NoMatch where the last snapshot had no such reference.
func (p *Reader) Element(ctx context.Context, ref string) (Element, error) {
	var found *struct {
		Role, Name, Type, Origin, Selector, Click, URL string
		Secret, Filled, OpensTab                       bool
	}
	if err := p.atRef(ctx, ref, func(h *held) error { return h.ask(ctx, &found, "about", h.number) }); err != nil {
		return Element{}, err
	}
	if found == nil {
		return Element{}, goneRef(ref)
	}
	e := Element{
		Ref: ref, Role: found.Role, Name: found.Name, Type: found.Type, Origin: found.Origin, Secret: found.Secret, Filled: found.Filled,
		OpensTab: found.OpensTab, URL: found.URL,
	}
	if len(p.shown.places[numberOf(ref)]) == 0 {
		e.Selector, e.ClickSelector = found.Selector, found.Click
	}
	return e, nil
}

// ClickRef clicks as a click by selector does: the element is brought into view, and must become visible, enabled, at rest and uncovered
// within timeout.
func (p *Reader) ClickRef(ctx context.Context, ref string, timeout time.Duration) error {
	end := time.Now().Add(timeout)
	var before, now point
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		err := p.atRef(ctx, ref, func(h *held) (err error) {
			now, err = h.point(ctx)
			return err
		})
		if err == nil && now == before {
			return tab.Run(ctx, p.tab, "click "+ref, func() error { return p.tab.Page.Mouse().Click(now.x, now.y) })
		}
		reason := actions.ReasonOf(err)
		if err != nil && (reason == "" || reason == actions.NoMatch || reason == actions.Detached) {
			return err
		}
		if before = now; err != nil {
			before = point{}
		}
		left := time.Until(end)
		if left <= 0 {
			if err == nil {
				err = &actions.Failure{Reason: actions.TimedOut, Detail: "waiting until it is at rest"}
			}
			return err
		}
		if err := p.tab.Wait(ctx, min(pause, left)); err != nil {
			return err
		}
	}
}

// StayRef makes a click on the element open its target in this tab, and reports whether it would have opened another.
func (p *Reader) StayRef(ctx context.Context, ref string) (changed bool, err error) {
	err = p.atRef(ctx, ref, func(h *held) error { return h.ask(ctx, &changed, "stay", h.number) })
	return changed, err
}

// FocusRef gives the element the keyboard focus without a click. One that takes none is actions.NotFocused.
func (p *Reader) FocusRef(ctx context.Context, ref string) error {
	var has bool
	err := p.atRef(ctx, ref, func(h *held) error { return h.ask(ctx, &has, "focus", h.number) })
	if err == nil && !has {
		return &actions.Failure{Reason: actions.NotFocused}
	}
	return err
}

// SelectRef chooses the option of a list by its label or its value. An element that isn't a list, or has no such option, is
// actions.NoMatch; a disabled list actions.Disabled.
func (p *Reader) SelectRef(ctx context.Context, ref, option string) error {
	var reason string
	if err := p.atRef(ctx, ref, func(h *held) error { return h.ask(ctx, &reason, "choose", h.number, option) }); err != nil {
		return err
	}
	switch reason {
	case "":
		return nil
	case "detached":
		return goneRef(ref)
	case "disabled":
		return &actions.Failure{Reason: actions.Disabled}
	case "no option":
		return &actions.Failure{Reason: actions.NoMatch, Detail: "the list has no such option"}
	}
	return &actions.Failure{Reason: actions.NoMatch, Detail: "it is not a list of options: click it"}
}

// ScrollRef brings the element into view and moves its content by its own visible height, upwards or downwards.
func (p *Reader) ScrollRef(ctx context.Context, ref string, up bool) error {
	sign, has := 1, false
	if up {
		sign = -1
	}
	err := p.atRef(ctx, ref, func(h *held) error { return h.ask(ctx, &has, "scroll", h.number, sign) })
	if err == nil && !has {
		return goneRef(ref)
	}
	return err
}

// watchPopups notes the targets of tabs that the page opens: the address is not available from the tab yet.
func (p *Reader) watchPopups(ctx context.Context) error {
	return p.tab.WatchWindows(ctx, func(w tab.Window) { p.popup.Store(&w.URL) })
}

// Popup returns the address of the last tab that the main document has opened since the last call of Popup, or since the first
// Snapshot; "" where it opened none. Such tabs are closed at once.
func (p *Reader) Popup() string {
	if address := p.popup.Swap(nil); address != nil {
		return *address
	}
	return ""
}

func goneRef(ref string) error {
	return &actions.Failure{Reason: actions.Detached, Detail: ref + " is no longer on the page; take a new snapshot"}
}

// numberOf a reference; 0: it is none.
func numberOf(ref string) int {
	digits, _ := strings.CutPrefix(ref, "e")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || len(digits) > 9 || digits[0] < '1' || digits[0] > '9' || digits == ref {
		return 0
	}
	return n
}

// held is an element whose document has been found again, with the documents on the way to it.
type held struct {
	*reading
	number int
	path   []int
	worlds []world // the main document's first, the element's last
}

// atRef finds the document of a reference and calls f.
func (p *Reader) atRef(ctx context.Context, ref string, f func(*held) error) error {
	path, known := p.shown.places[numberOf(ref)]
	if !known {
		return &actions.Failure{Reason: actions.NoMatch, Detail: fmt.Sprintf("the last snapshot has no element %.20q", ref)}
	}
	h := &held{reading: &reading{reader: p, end: time.Now().Add(refWait)}, number: numberOf(ref), path: path}
	defer h.leave(ctx)
	err := h.open(ctx)
	if err == nil {
		err = f(h)
	}
	if err != nil && ctx.Err() == nil && !p.tab.Gone(err) && (contextGone(err) || errors.Is(err, errNoFrame)) {
		return goneRef(ref)
	}
	return err
}

// open finds the documents from the main one to the element's.
func (h *held) open(ctx context.Context) error {
	w, err := tab.Do(ctx, h.reader.tab, "find an element", func() (world, error) { return h.reader.snapshotWorld(&h.homes) })
	if err != nil {
		return err
	}
	h.worlds = []world{w}
	for _, frame := range h.path {
		if w, err = h.into(ctx, w, h.reader.shown.key, frame); err != nil {
			return err
		}
		h.worlds = append(h.worlds, w)
	}
	return nil
}

// ask queries the element's document.
func (h *held) ask(ctx context.Context, into any, op string, args ...any) error {
	return h.askAt(ctx, len(h.worlds)-1, into, op, args...)
}

// askAt queries the i-th document on the way.
func (h *held) askAt(ctx context.Context, i int, into any, op string, args ...any) error {
	all := append([]any{h.reader.shown.key, op}, args...)
	answer, err, answered := tab.Try(ctx, h.reader.tab, refWait+inspectGrace, func() (json.RawMessage, error) {
		return h.worlds[i].ask(refWait, all...)
	})
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("query an element: %w", context.Cause(ctx))
	case !answered:
		return fmt.Errorf("query an element: %w", ErrUnread)
	case err != nil && !contextGone(err) && !h.reader.tab.Gone(err):
		return fmt.Errorf("query an element: %w: %w", ErrUnread, err)
	case err != nil:
		return h.reader.tab.Explain("query an element", err)
	}
	return json.Unmarshal(answer, into)
}

// point is a place in a viewport.
type point struct{ x, y float64 }

// spot is [reason, detail, x, y].
type spot struct {
	reason, detail string
	point
}

func (s *spot) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.reason, &s.detail, &s.x, &s.y})
}

// point returns where in the main viewport the element can be clicked now, or what is in the way.
func (h *held) point(ctx context.Context) (point, error) {
	var s spot
	err := h.ask(ctx, &s, "fit", h.number)
	for i := len(h.path) - 1; err == nil && s.reason == "" && i >= 0; i-- {
		err = h.askAt(ctx, i, &s, "place", h.path[i], s.x, s.y)
	}
	switch {
	case err != nil:
		return point{}, err
	case s.reason == string(actions.Detached):
		return point{}, goneRef("e" + strconv.Itoa(h.number))
	case s.reason != "":
		return point{}, &actions.Failure{Reason: actions.Reason(s.reason), Detail: s.detail}
	}
	return s.point, nil
}
