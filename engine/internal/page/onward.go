package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// OnwardError says that a redirect was not followed.
type OnwardError struct {
	To  string // where it leads
	Err error  // why
}

func (e *OnwardError) Error() string {
	return "a redirect to " + e.To + " is not followed: " + e.Err.Error()
}
func (e *OnwardError) Unwrap() error { return e.Err }

// judged asks whether redirects may be followed, and takes the time of the question off that of the answer.
func judged(a *Acquisition, asked *time.Duration) func(context.Context, string) error {
	if a.Onward == nil {
		return nil
	}
	return func(ctx context.Context, to string) error {
		began := a.Now()
		defer func() { *asked += a.Now().Sub(began) }()
		if err := a.Onward(ctx, to); err != nil {
			return &OnwardError{to, err}
		}
		return nil
	}
}

// judges are the judges of where a browser is led, and of what frames show.
func (v *Visit) judges(ctx context.Context) browser.GotoOptions {
	return browser.GotoOptions{Shown: v.shownTime(), Onward: v.onward(ctx), Framed: v.framed(ctx)}
}

// onward judges where a browser is led, as redirects are judged, and ends the visit where it may not go. A live page that others work on,
// once it is there, stays where it is.
func (v *Visit) onward(ctx context.Context) func(to string) error {
	if v.Onward == nil {
		return nil
	}
	return func(to string) error {
		err := v.Onward(ctx, to)
		if err != nil && ctx.Err() == nil && !(v.Live != nil && v.arrived.Load()) {
			v.Cancel(&OnwardError{to, err})
		}
		return err
	}
}

// framed refuses frames the documents that robots.txt forbids, and notes which. What the guard keeps away needs no judging.
func (v *Visit) framed(ctx context.Context) func(to string) error {
	if v.Allowed == nil {
		return nil
	}
	return func(to string) error {
		if v.Blocking.Host != nil && v.Blocking.Host(weburl.Hostname(to)) {
			return nil
		}
		err := v.allowPart(ctx, v.Request.URL, to)
		if err != nil {
			v.refusals.add(to, err)
		}
		return err
	}
}

// maxRefusals is how many frames a warning names.
const maxRefusals = 5

// refusals are the frames of a visit whose documents were not requested.
type refusals struct {
	mu        sync.Mutex
	forbidden []string // by robots.txt
	unknown   []string // whose robots.txt can't be read
}

func (r *refusals) add(to string, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := &r.forbidden
	if _, unreachable := errors.AsType[*robotstxt.UnreachableError](why); unreachable {
		list = &r.unknown
	} else if _, disallowed := errors.AsType[*robotstxt.DisallowedError](why); !disallowed {
		return // the policy, or the end of the visit
	}
	if !slices.Contains(*list, to) {
		*list = append(*list, to)
	}
}

// nameFrames warns of the frames that robots.txt kept empty.
func (v *Visit) nameFrames(context.Context, *Page) error {
	r := &v.refusals
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.forbidden) > 0 {
		v.warn("robots.txt forbids what %s", named(r.forbidden))
	}
	if len(r.unknown) > 0 {
		v.warn("No robots.txt can be read for what %s", named(r.unknown))
	}
	return nil
}

func named(frames []string) string {
	verb := "1 frame shows"
	if len(frames) > 1 {
		verb = fmt.Sprintf("%d frames show", len(frames))
	}
	list, more := frames[:min(len(frames), maxRefusals)], ""
	if len(frames) > len(list) {
		more = ", …"
	}
	return fmt.Sprintf("%s, which is left out (%s%s)", verb, strings.Join(list, ", "), more)
}

// led reports whether a page was lost because of where it leads.
func led(err error) bool {
	_, ok := errors.AsType[*OnwardError](err)
	return ok
}
