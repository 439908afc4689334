package actionstest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

// NewPage returns a page for one test that has loaded html: 1280 by 800 CSS
// pixels, device scale 1. It closes the page in t.Cleanup and fails the test
// when it can't make one.
type NewPage func(t *testing.T, html string) actions.Page

// Run is the whole suite: what a page of a real browser must pass. It takes
// about a minute on a busy machine.
func Run(t *testing.T, newPage NewPage) {
	t.Run("contract", func(t *testing.T) { RunContract(t, newPage) })
	t.Run("browser", func(t *testing.T) { RunBrowser(t, newPage) })
}

// RunContract is the part that needs neither layout nor scripts: [Fake] passes it.
func RunContract(t *testing.T, newPage NewPage) {
	t.Run("waits", func(t *testing.T) { contractWaits(t, newPage) })
	t.Run("clicks", func(t *testing.T) { contractClicks(t, newPage) })
	t.Run("keyboard", func(t *testing.T) { contractKeyboard(t, newPage) })
	t.Run("scrolls", func(t *testing.T) { contractScrolls(t, newPage) })
	t.Run("captures", func(t *testing.T) { contractCaptures(t, newPage) })
	t.Run("context", func(t *testing.T) { contractContext(t, newPage) })
}

// RunBrowser is the part that only a real browser can pass.
func RunBrowser(t *testing.T, newPage NewPage) {
	t.Run("waits", func(t *testing.T) { browserWaits(t, newPage) })
	t.Run("clicks", func(t *testing.T) { browserClicks(t, newPage) })
	t.Run("frames", func(t *testing.T) { browserFrames(t, newPage) })
	t.Run("keyboard", func(t *testing.T) { browserKeyboard(t, newPage) })
	t.Run("scrolls", func(t *testing.T) { browserScrolls(t, newPage) })
	t.Run("scripts", func(t *testing.T) { browserScripts(t, newPage) })
	t.Run("captures", func(t *testing.T) { browserCaptures(t, newPage) })
}

const (
	// patience is for what will happen, however slow the machine.
	patience = 30 * time.Second
	// brief is the timeout of what will never happen.
	brief = 700 * time.Millisecond
)

// limit bounds one test, so that a page that hangs fails it.
func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	t.Cleanup(cancel)
	return ctx
}

// step is one call on a page and the reason it must fail for; "" for success.
type step struct {
	name string
	html string
	do   func(context.Context, actions.Page) error
	want actions.Reason
}

// runSteps gives each step a page of its own, and looks whether the page lives on after a Failure.
func runSteps(t *testing.T, newPage NewPage, steps []step) {
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			ctx, page := limit(t), newPage(t, s.html)
			wantReason(t, s.do(ctx, page), s.want)
			if result, err := page.Scrape(ctx); err != nil || !strings.Contains(result.HTML, "<body") {
				t.Errorf("afterwards the page gave %+v, %v, want its document", result, err)
			}
		})
	}
}

func wantReason(t *testing.T, err error, want actions.Reason) {
	t.Helper()
	if got := actions.ReasonOf(err); got != want || (want == "" && err != nil) {
		t.Errorf("got error %v with reason %q, want reason %q", err, got, want)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, which claims that the context has ended", err)
	}
}

// must ends the test when preparing it has failed.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantValue compares the value of a script with JSON.
func wantValue(t *testing.T, ctx context.Context, page actions.Page, script, want string) {
	t.Helper()
	got, err := page.Evaluate(ctx, script)
	if err != nil {
		t.Errorf("%s: %v", script, err)
		return
	}
	if string(got.Value) != want {
		t.Errorf("%s: got %s, want %s", script, got.Value, want)
	}
}

// clicked is the error of a click.
func clicked(_ actions.Clicked, err error) error { return err }

// waited is the error of a wait.
func waited(_ []string, err error) error { return err }

// click and its kin make steps shorter.

func click(selector string, timeout time.Duration) func(context.Context, actions.Page) error {
	return func(ctx context.Context, p actions.Page) error {
		return clicked(p.Click(ctx, selector, actions.ClickOptions{Timeout: timeout}))
	}
}

func clickAll(selector string, timeout time.Duration) func(context.Context, actions.Page) error {
	return func(ctx context.Context, p actions.Page) error {
		return clicked(p.Click(ctx, selector, actions.ClickOptions{All: true, Timeout: timeout}))
	}
}

func wait(selector string, timeout time.Duration) func(context.Context, actions.Page) error {
	return func(ctx context.Context, p actions.Page) error { return waited(p.WaitSelector(ctx, selector, timeout)) }
}

func write(text string) func(context.Context, actions.Page) error {
	return func(ctx context.Context, p actions.Page) error { return p.Type(ctx, text) }
}

func press(key string) func(context.Context, actions.Page) error {
	return func(ctx context.Context, p actions.Page) error { return p.Press(ctx, key) }
}

func scroll(o actions.ScrollOptions) func(context.Context, actions.Page) error {
	return func(ctx context.Context, p actions.Page) error { return p.Scroll(ctx, o) }
}

// both does one thing after another.
func both(first, second func(context.Context, actions.Page) error) func(context.Context, actions.Page) error {
	return func(ctx context.Context, p actions.Page) error {
		if err := first(ctx, p); err != nil {
			return err
		}
		return second(ctx, p)
	}
}
