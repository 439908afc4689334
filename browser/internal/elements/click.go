package elements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Click clicks the first match, or all matches there are.
func (e In) Click(ctx context.Context, selector string, o actions.ClickOptions) (done actions.Clicked, err error) {
	if o.All {
		return e.clickAll(ctx, selector, o.Timeout)
	}
	gone := e.gone(ctx, selector)
	if !gone {
		done, err = e.clickFirst(ctx, selector, o.Timeout)
		gone = e.dealtWith(ctx, selector, err) // meanwhile
	}
	if gone {
		return actions.Clicked{Notes: []string{nothingClicked}}, nil
	}
	return done, err
}

// nothingClicked is the note of a click that wasn't needed.
const nothingClicked = "Nothing was clicked: " + ofBanner

// clickFirst waits for the first match and clicks it.
func (e In) clickFirst(ctx context.Context, selector string, timeout time.Duration) (done actions.Clicked, err error) {
	for begun := time.Now(); ; {
		at, err := e.await(ctx, selector, max(timeout-time.Since(begun), shortest), askFind)
		if err != nil {
			return done, err
		}
		err = e.clickOne(ctx, at, max(timeout-time.Since(begun), shortest))
		if err == nil {
			return actions.Clicked{Count: 1, Notes: notes(at)}, nil
		}
		if !at.deep || actions.ReasonOf(err) != actions.Detached || time.Since(begun) >= timeout {
			return done, err
		}
	}
}

// shortest is the least time for a click on an element that was found late.
const shortest = 100 * time.Millisecond

// notes are what is to be said of a place.
func notes(at place) []string {
	if note := at.note(); note != "" {
		return []string{note}
	}
	return nil
}

// aimJS is what the link does that a match is or is in: the address that it opens in a tab, and whether it has a file saved.
const aimJS = `(path) => {
	const link = matches(path)[0]?.closest("a[href], area[href]");
	if (!link) return ["", false];
	const target = link.target || document.querySelector("base[target]")?.target || "";
	return [target && !/^_(self|parent|top)$/i.test(target) ? link.href : "", link.hasAttribute("download")];
}`

// aim passes on what the first match in a frame does as a link, nothing where that isn't known in time.
func (e In) aim(ctx context.Context, at place, limit time.Duration) {
	if e.Aim == nil {
		return
	}
	value, _, _ := tab.Try(ctx, e.Tab, limit, func() (any, error) { return at.frame.Evaluate(inPage(aimJS), at.path()) })
	pair, _ := value.([]any)
	var link Link
	if len(pair) == 2 {
		link.Tab, _ = pair[0].(string)
		link.Saves, _ = pair[1].(bool)
	}
	e.Aim(link)
}

// clickOne clicks the first match in one frame. What the aim needs beyond a frame's usual time is the click's.
func (e In) clickOne(ctx context.Context, at place, timeout time.Duration) error {
	begun := time.Now()
	e.aim(ctx, at, max(timeout, frameTime))
	timeout = min(timeout, max(timeout+frameTime-time.Since(begun), shortest))
	err := e.press(ctx, at, askClick, func() error { return at.click(timeout) })
	if err != nil && e.Closed != nil && e.Closed() {
		return nil // the click has led to the tab's end
	}
	return err
}

// click clicks the first match. The driver knows no element of a shadow tree by a path.
func (p place) click(timeout time.Duration) error {
	if !p.deep {
		return p.frame.Locator("css:light=" + p.selector).First().Click(playwright.LocatorClickOptions{Timeout: milliseconds(timeout)})
	}
	match, err := p.first()
	if err != nil {
		return err
	}
	//lint:ignore SA1019 a locator would look into all trees
	return match.Click(playwright.ElementHandleClickOptions{Timeout: milliseconds(timeout)})
}

// slowest is how long a click may take of a browser that is slow, on an element that nothing stands in the way of.
const slowest = 30 * time.Second

// press clicks, again where the element's time was the browser's.
func (e In) press(ctx context.Context, at place, act any, click func() error) error {
	for begun := time.Now(); ; {
		err := e.whyNot(ctx, at, act, tab.Run(ctx, e.Tab, "click "+at.selector, click))
		if !isSlow(err) || time.Since(begun) >= slowest {
			return err
		}
	}
}

// clickAll clicks all matches in the main document, or, where it has none, in its frames, and says how many.
func (e In) clickAll(ctx context.Context, selector string, timeout time.Duration) (done actions.Clicked, err error) {
	places, silent, err := e.places(ctx, selector, timeout)
	if err != nil {
		return done, err
	}
	for _, at := range places {
		count, err := e.clickEach(ctx, at, timeout)
		done.Count += count
		if err != nil {
			done.Notes = []string{"Before this one " + counted(done.Count, nil)}
			return done, err
		}
	}
	done.Notes = []string{counted(done.Count, places) + unasked(silent)}
	if done.Count == 0 && e.InBanner != nil && e.InBanner(ctx, selector) {
		done.Notes = []string{nothingClicked}
	}
	return done, nil
}

// counted says how many elements were clicked.
func counted(count int, places []place) string {
	text := fmt.Sprintf("%d elements were clicked", count)
	if count == 1 {
		text = "1 element was clicked"
	}
	switch {
	case len(places) == 0 || !places[0].inner:
	case len(places) == 1:
		text += ", in " + nameOf(places[0].frame)
	default:
		text += fmt.Sprintf(", in %d frames", len(places))
	}
	return text + "."
}

// places are where all matches of a selector are, and how many frames did not say whether they have one. Where there is none but in
// those, perhaps, they have all of the timeout to say so.
func (e In) places(ctx context.Context, selector string, timeout time.Duration) (all []place, silent int, err error) {
	begun := time.Now()
	at, err := e.look(ctx, selector, askFind, false)
	if err == nil {
		return []place{at}, 0, nil
	}
	if actions.ReasonOf(err) != actions.NoMatch {
		return nil, 0, err
	}
	if len(actions.FramePath(selector)) > 1 {
		return nil, 0, nil
	}
	found, silent := e.matches(ctx, selector)
	for len(found) == 0 && silent > 0 && time.Since(begun) < timeout {
		if err := e.Tab.Wait(ctx, pauseOfFrames); err != nil {
			return nil, 0, err
		}
		found, silent = e.matches(ctx, selector)
	}
	for _, m := range found {
		all = append(all, m.place)
	}
	return all, silent, nil
}

// clickEach clicks each match in a frame that is visible when its turn comes, and counts them.
func (e In) clickEach(ctx context.Context, at place, timeout time.Duration) (count int, err error) {
	matches, err := tab.Do(ctx, e.Tab, "find "+at.selector, at.all)
	if err != nil {
		if tab.Replaced(err) {
			return 0, nil
		}
		return 0, err
	}
	for _, match := range matches {
		clicked, err := e.clickMatch(ctx, at, match, timeout)
		if err != nil {
			return count, err
		}
		if clicked {
			count++
		}
	}
	return count, nil
}

// all are all matches, those in open shadow trees too.
func (p place) all() (list []playwright.ElementHandle, err error) {
	if len(p.within) == 0 {
		//lint:ignore SA1019 a locator would search again for each click, and skip what moves up in the list
		return p.frame.QuerySelectorAll("css=" + p.selector)
	}
	found, err := p.frame.EvaluateHandle(inPage("matches"), p.path())
	if err != nil {
		return nil, err
	}
	properties, err := found.GetProperties()
	for i := 0; i < len(properties); i++ {
		if one := properties[strconv.Itoa(i)]; one != nil && one.AsElement() != nil {
			list = append(list, one.AsElement())
		}
	}
	return list, err
}

// clickMatch clicks one of all matches; false: it is gone or invisible.
func (e In) clickMatch(ctx context.Context, at place, match playwright.ElementHandle, timeout time.Duration) (bool, error) {
	//lint:ignore SA1019 as above
	visible, err := tab.Do(ctx, e.Tab, "look at "+at.selector, match.IsVisible)
	if err != nil && (e.Tab.Gone(err) || ctx.Err() != nil) {
		return false, err
	}
	if err != nil || !visible {
		return false, nil // gone meanwhile
	}
	err = e.press(ctx, at, match, func() error {
		//lint:ignore SA1019 as above
		return match.Click(playwright.ElementHandleClickOptions{Timeout: milliseconds(timeout)})
	})
	switch actions.ReasonOf(err) {
	case actions.Detached, actions.NotVisible, actions.NoMatch: // since its turn came
		return false, nil
	}
	return err == nil, err
}

// whyNot converts the error of a click to the page's reason.
func (e In) whyNot(ctx context.Context, at place, act any, err error) error {
	if err == nil || ctx.Err() != nil || e.Tab.Gone(err) {
		return err
	}
	if isPressed(err) {
		return nil // what it led to takes longer
	}
	failure := &actions.Failure{Reason: actions.Detached, Err: err}
	if errors.Is(err, playwright.ErrTimeout) {
		failure.Reason, failure.Detail = actions.TimedOut, "waiting until it could be clicked"
	}
	if !isDetached(err) {
		found := e.hindrance(ctx, at, act)
		var f *actions.Failure
		if errors.As(found, &f) {
			failure.Reason, failure.Detail = f.Reason, f.Detail
		} else if found != nil && ctx.Err() != nil {
			return found
		}
	}
	return failure
}

// isPressed reports whether the driver had pressed the mouse when its time was over, by its log.
func isPressed(err error) bool {
	log := err.Error()
	return strings.LastIndex(log, "performing click action") > strings.LastIndex(log, covered)
}

// isSlow reports that a click took too long although neither the page nor the driver's log has a reason.
func isSlow(err error) bool {
	f, ok := errors.AsType[*actions.Failure](err)
	if !ok || f.Reason != actions.TimedOut || f.Err == nil {
		return false
	}
	return !slices.ContainsFunc([]string{"element is not ", "element is outside ", covered}, func(reason string) bool {
		return strings.Contains(f.Err.Error(), reason)
	})
}

// covered is what the driver's log says of an element that another one lies on.
const covered = "intercepts pointer events"

func isDetached(err error) bool {
	return errors.Is(err, errNoElement) || strings.Contains(err.Error(), "Element is not attached")
}
