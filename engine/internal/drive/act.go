package drive

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
)

var refForm = regexp.MustCompile(`^e[1-9][0-9]{0,8}$`)

// modelError is an error that is reported to the model instead of ending the run.
type modelError struct{ error }

func (t modelError) Unwrap() error { return t.error }

// ForModel makes an error of a [Page] one that is reported to the model and does not end the run. Failures of package actions
// always are.
func ForModel(err error) error { return modelError{err} }

func refuse(format string, args ...any) error { return modelError{fmt.Errorf(format, args...)} }

// on does something to the element of a reference.
func (d *drive) on(ctx context.Context, ref string, do func(Element) (string, error)) (toolloop.Result, error) {
	if !refForm.MatchString(ref) {
		return toolloop.Refuse("%.20q is no reference; they look like e12.", ref), nil
	}
	return d.act(ctx, func() (string, error) {
		e, err := d.page.Element(ctx, ref)
		if err != nil {
			return "", err
		}
		did, err := do(e)
		return did + " " + ref, err
	})
}

// act does something to the page and looks at what has become of it. Errors of page and arguments are reported to the
// model.
func (d *drive) act(ctx context.Context, do func() (string, error)) (toolloop.Result, error) {
	d.now.See(d.before.URL, d.before.Title, d.before.Text)
	d.from = d.page.URL()
	did, err := do()
	if err != nil {
		return d.failed(err)
	}
	before := d.snapshot
	note, err := d.become(ctx)
	if err == nil && before == d.snapshot && note == "" { // a moment for what comes late, such as tabs
		if err = d.page.Wait(ctx, lateTime); err == nil {
			note, err = d.become(ctx)
		}
	}
	if err != nil {
		return toolloop.Result{}, err
	}
	d.moved = before.URL != d.snapshot.URL
	r := toolloop.Result{Text: did + "." + note, Same: before == d.snapshot}
	if r.Same {
		r.Text += " The page shows the same as before."
	}
	r.Views, r.Changes = d.views(), d.changes(before)
	return r, nil
}

// lateTime is how long an act without an effect gets for one.
const lateTime = 300 * time.Millisecond

// become waits until the page has come to rest, and looks at it.
func (d *drive) become(ctx context.Context) (note string, err error) {
	if err := d.page.Settle(ctx); err != nil {
		return "", err
	}
	if note, err = d.stay(ctx); err != nil {
		return "", err
	}
	return note, d.look(ctx)
}

// failed reports to the model why the page or the rules refuse a call. A lost page ends the run.
func (d *drive) failed(err error) (toolloop.Result, error) {
	d.now.Actions, d.now.Incomplete = nil, false
	if f, ok := errors.AsType[*actions.Failure](err); ok {
		return toolloop.Result{Text: "The page refused it:", Said: d.redact(f.Error()), Failed: true}, nil
	}
	if t, ok := errors.AsType[modelError](err); ok {
		return toolloop.Result{Text: "It was not done:", Said: d.redact(t.Error()), Failed: true}, nil
	}
	return toolloop.Result{}, err
}

// record notes how the step under way is done without a model.
func (d *drive) record(list []actions.Action, found bool) {
	d.now.Actions = append(d.now.Actions, list...)
	d.now.Incomplete = !found
}

// refuses returns why the page may not go to an address, nil if it may.
func (d *drive) refuses(address string) error {
	if d.o.Allow == nil || originOf(address) == "" {
		return nil
	}
	return d.o.Allow(address)
}

// stay keeps the page where it may be, and in its one tab.
func (d *drive) stay(ctx context.Context) (note string, err error) {
	if address := d.page.Popup(); address != "" {
		note += " The page opened another tab, which was closed."
		if originOf(address) != "" && d.refuses(address) == nil {
			if err := d.move(ctx, address); err == nil {
				d.record(gotoAs(address), !d.now.Incomplete)
				note += " Its address was loaded here instead."
			} else if !isForModel(err) {
				return "", err
			}
		}
	}
	if d.refuses(d.page.URL()) == nil {
		return note, nil
	}
	d.now.Incomplete = true
	if err := d.move(ctx, d.from); err != nil && !isForModel(err) {
		return "", err
	}
	if d.refuses(d.page.URL()) != nil {
		return "", fmt.Errorf("the page left the sites it may be on, and can't be taken back: %w", d.refuses(d.page.URL()))
	}
	return note + " It led to another site, which is not allowed: you are back where you were.", nil
}

// move loads an address and waits until it is there.
func (d *drive) move(ctx context.Context, address string) error {
	if err := d.page.Goto(ctx, address); err != nil {
		return err
	}
	return d.page.Settle(ctx)
}

func isForModel(err error) bool {
	_, page := errors.AsType[*actions.Failure](err)
	_, ours := errors.AsType[modelError](err)
	return page || ours
}
