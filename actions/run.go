package actions

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"
)

// The defaults of Options.
const (
	defaultSelectorTimeout = 30 * time.Second
	defaultElementTimeout  = 5 * time.Second
	defaultMaxBytes        = 64 << 20
)

// Options of one run. The zero value works.
type Options struct {
	// Keep turns the bytes of a screenshot, pdf or download into the string of the output,
	// such as an address they are served at. Nil: a data URI.
	Keep func(ctx context.Context, data []byte, mediaType string) (string, error)
	// Replay skips screenshots, scrapes, pdfs and downloads: only the page's state is
	// wanted, as for a session that goes on where a scrape ended.
	Replay bool
	// SelectorTimeout is how long a wait by selector may last. Defaults to 30 s.
	SelectorTimeout time.Duration
	// ElementTimeout is how long the element of a click or scroll may take to be
	// there and fit. Defaults to 5 s.
	ElementTimeout time.Duration
	// MaxBytes limits the total size of all strings of the output; the action
	// that exceeds it fails. Defaults to 64 MiB.
	MaxBytes int
	// Rest waits, after the last action, until what it has set going has come to rest:
	// a tab that opens late and a download are the output's too. Nil: there is no wait.
	Rest func(ctx context.Context) error
	// Sleep waits for d or until ctx is done, whose error it then returns: the
	// seam for tests. Nil: the real clock.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Error is the action that ended a run, in one line with its reason:
//
//	action 2 (click "#buy"): covered by <div id="banner">
type Error struct {
	Index    int    // of the action in the list, from 0
	Type     Type   // of the action
	Selector string // of the action; may be empty
	Err      error  // a *Failure, the context's error, or what the page or Options.Keep returned
}

// Error names the action and the reason.
func (e *Error) Error() string {
	what := string(e.Type)
	if e.Selector != "" {
		what += fmt.Sprintf(" %q", oneLine(e.Selector, 100))
	}
	return fmt.Sprintf("action %d (%s): %s", e.Index, what, oneLine(e.Err.Error(), 500))
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Run performs the actions on the page, in order, and stops at the first that
// fails. The Output is never nil: with an error it holds what came before.
//
// Errors: an *OptionError of [Validate] before anything is done, else an *Error, or that
// of Options.Rest. That ctx ends during that wait is no error: the actions are done.
// When ctx ended the run, the *Error wraps ctx.Err() and the context's cause.
// Not safe for concurrent use on one page.
func Run(ctx context.Context, page Page, list []Action, o Options) (*Output, error) {
	r := &run{page: page, options: o.withDefaults(), out: &Output{}}
	if err := Validate(list, 0); err != nil {
		return r.out, err
	}
	for i, a := range list {
		r.index = i
		if err := r.step(ctx, a); err != nil {
			return r.out, failed(i, a, err)
		}
	}
	if err := r.rest(ctx, list); ctx.Err() == nil {
		return r.out, err
	}
	return r.out, nil
}

func failed(index int, a Action, err error) error {
	return &Error{Index: index, Type: a.Type, Selector: a.Selector, Err: err}
}

// rest is Options.Rest, and what the last action has led to meanwhile.
func (r *run) rest(ctx context.Context, list []Action) error {
	if r.options.Rest == nil || len(list) == 0 {
		return nil
	}
	if err := r.options.Rest(ctx); err != nil {
		return err
	}
	if err := r.effects(ctx); err != nil {
		return failed(r.index, list[r.index], err)
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.Keep == nil {
		o.Keep = dataURI
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.SelectorTimeout <= 0 {
		o.SelectorTimeout = defaultSelectorTimeout
	}
	if o.ElementTimeout <= 0 {
		o.ElementTimeout = defaultElementTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	return o
}

// run is one list of actions on its way.
type run struct {
	page    Page
	options Options
	out     *Output
	bytes   int // of all strings in out
	index   int // of the action that is performed
}

// step performs one action, unless ctx has ended already.
func (r *run) step(ctx context.Context, a Action) error {
	if ctx.Err() != nil {
		return ended(ctx, nil)
	}
	err := r.perform(ctx, a)
	if ctx.Err() == nil {
		if late := r.effects(ctx); err == nil {
			err = late
		}
	}
	if err != nil && ctx.Err() != nil {
		return ended(ctx, err)
	}
	return err
}

// effects keeps what the action has led to.
func (r *run) effects(ctx context.Context) error {
	got, err := r.page.Effects(ctx)
	r.note(got.Notes)
	if r.options.Replay {
		return err
	}
	for _, f := range got.Downloads {
		err = errors.Join(err, r.download(ctx, f))
	}
	return err
}

// ended is the error of a done ctx, whatever the page made of it.
func ended(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case err != nil && errors.Is(err, cause) && errors.Is(err, ctx.Err()):
		return err
	case errors.Is(cause, ctx.Err()):
		return cause
	}
	return fmt.Errorf("%w: %w", ctx.Err(), cause)
}

// sleep is Options.Sleep on the real clock.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// dataURI is Options.Keep without a store.
func dataURI(_ context.Context, data []byte, mediaType string) (string, error) {
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}
