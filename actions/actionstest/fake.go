package actionstest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
)

// Fake is a page without a browser: a list of elements, a clock for those that
// appear late, and a log. A function field, where set, is called instead of the
// method of its name. It knows no layout and runs no script. The zero value is
// an empty page. It is not safe for concurrent use.
type Fake struct {
	Elements []*Element // in document order
	URL      string     // of Scrape; empty: https://fake.test/
	HTML     string     // of Scrape
	Calls    []string   // one line for each method called but Effects: "Click #buy"

	OnWaitSelector func(ctx context.Context, selector string, timeout time.Duration) ([]string, error)
	OnClick        func(ctx context.Context, selector string, o actions.ClickOptions) (actions.Clicked, error)
	OnType         func(ctx context.Context, text string) error
	OnPress        func(ctx context.Context, key string) error
	OnScroll       func(ctx context.Context, o actions.ScrollOptions) error
	OnScreenshot   func(ctx context.Context, o actions.ScreenshotOptions) ([]byte, string, error)
	OnScrape       func(ctx context.Context) (actions.ScrapeResult, error)
	OnEvaluate     func(ctx context.Context, script string) (actions.JavaScriptReturn, error)
	OnPDF          func(ctx context.Context, o actions.PDFOptions) ([]byte, error)
	OnEffects      func(ctx context.Context) (actions.Effects, error)

	focus *Element
	start time.Time // of the first call
}

var _ actions.Page = (*Fake)(nil)

// NewFake makes a page of HTML, see [Element]. The tree may hold templates: the
// fake treats their content as part of the page.
func NewFake(source string) (*Fake, error) {
	elements, err := parseElements(source)
	return &Fake{Elements: elements, HTML: source}, err
}

// called logs a call and gives the context's error.
func (f *Fake) called(ctx context.Context, method string, detail ...any) error {
	f.Calls = append(f.Calls, strings.TrimSpace(method+" "+fmt.Sprintln(detail...)))
	if f.start.IsZero() {
		f.start = time.Now()
	}
	return ctx.Err()
}

// WaitSelector implements [actions.Page].
func (f *Fake) WaitSelector(ctx context.Context, selector string, timeout time.Duration) ([]string, error) {
	if err := f.called(ctx, "WaitSelector", selector); err != nil {
		return nil, err
	}
	if f.OnWaitSelector != nil {
		return f.OnWaitSelector(ctx, selector, timeout)
	}
	err := f.until(ctx, timeout, func() error { return f.look(selector) })
	if reason := actions.ReasonOf(err); reason == actions.NoMatch || reason == actions.NotVisible {
		return nil, &actions.Failure{Reason: actions.TimedOut, Detail: fmt.Sprintf("after %s: %s", timeout, reason)}
	}
	return nil, err
}

// look finds a visible match.
func (f *Fake) look(selector string) error {
	matches, err := f.match(selector)
	switch {
	case err != nil:
		return err
	case len(matches) == 0:
		return &actions.Failure{Reason: actions.NoMatch}
	case !slices.ContainsFunc(matches, func(e *Element) bool { return !e.Hidden }):
		return &actions.Failure{Reason: actions.NotVisible}
	}
	return nil
}

// match lists what there is by now.
func (f *Fake) match(selector string) ([]*Element, error) {
	if strings.Count(selector, "[") != strings.Count(selector, "]") {
		return nil, &actions.Failure{Reason: actions.BadSelector, Detail: selector}
	}
	var found []*Element
	for _, e := range f.Elements {
		if slices.Contains(e.Selectors, selector) && time.Since(f.start) >= e.After {
			found = append(found, e)
		}
	}
	return found, nil
}

// until tries again every 10 ms while try fails with what may pass, until timeout.
func (f *Fake) until(ctx context.Context, timeout time.Duration, try func() error) error {
	end := time.NewTimer(timeout)
	defer end.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := try()
		if err == nil || actions.ReasonOf(err) == actions.BadSelector {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-end.C:
			return err
		case <-again.C:
		}
	}
}

// Click implements [actions.Page].
func (f *Fake) Click(ctx context.Context, selector string, o actions.ClickOptions) (actions.Clicked, error) {
	if err := f.called(ctx, "Click", selector); err != nil {
		return actions.Clicked{}, err
	}
	switch {
	case f.OnClick != nil:
		return f.OnClick(ctx, selector, o)
	case o.All:
		return f.clickAll(ctx, selector, o.Timeout)
	}
	return actions.Clicked{Count: 1}, f.until(ctx, o.Timeout, func() error {
		matches, err := f.match(selector)
		switch {
		case err != nil:
			return err
		case len(matches) == 0:
			return &actions.Failure{Reason: actions.NoMatch}
		}
		return f.hit(matches[0])
	})
}

func (f *Fake) clickAll(ctx context.Context, selector string, timeout time.Duration) (done actions.Clicked, err error) {
	matches, err := f.match(selector)
	for _, e := range matches {
		if e.Hidden || e.Detaches || !slices.Contains(f.Elements, e) {
			continue
		}
		if err := f.until(ctx, timeout, func() error { return f.hit(e) }); err != nil {
			return done, err
		}
		done.Count++
	}
	done.Notes = []string{fmt.Sprintf("%d clicked.", done.Count)}
	return done, err
}

// hit clicks, or says what stands in the way.
func (f *Fake) hit(e *Element) error {
	switch {
	case e.Hidden:
		return &actions.Failure{Reason: actions.NotVisible}
	case e.Disabled:
		return &actions.Failure{Reason: actions.Disabled}
	case e.Detaches:
		return &actions.Failure{Reason: actions.Detached}
	case e.CoveredBy != "":
		return &actions.Failure{Reason: actions.Covered, Detail: e.CoveredBy}
	}
	e.Clicks++
	f.focus = e
	if e.OnClick != nil {
		e.OnClick(f)
	}
	return nil
}

// Type implements [actions.Page].
func (f *Fake) Type(ctx context.Context, text string) error {
	if err := f.called(ctx, "Type", text); err != nil {
		return err
	}
	switch {
	case f.OnType != nil:
		return f.OnType(ctx, text)
	case f.focus == nil || !f.focus.Editable:
		return &actions.Failure{Reason: actions.NotFocused}
	}
	f.focus.Value += text
	return nil
}

// Press implements [actions.Page].
func (f *Fake) Press(ctx context.Context, key string) error {
	if err := f.called(ctx, "Press", key); err != nil {
		return err
	}
	if f.OnPress != nil {
		return f.OnPress(ctx, key)
	}
	if err := actions.Validate([]actions.Action{{Type: actions.Press, Key: key}}, 0); err != nil {
		return &actions.Failure{Reason: actions.BadKey, Detail: key, Err: err}
	}
	return nil
}

// Scroll implements [actions.Page].
func (f *Fake) Scroll(ctx context.Context, o actions.ScrollOptions) error {
	direction := "down"
	if o.Up {
		direction = "up"
	}
	if err := f.called(ctx, "Scroll", direction, o.Selector); err != nil {
		return err
	}
	switch {
	case f.OnScroll != nil:
		return f.OnScroll(ctx, o)
	case o.Selector == "":
		return nil
	}
	return f.until(ctx, o.Timeout, func() error { return f.look(o.Selector) })
}

// Screenshot implements [actions.Page] with an empty picture of 1280 by 800, or of the viewport.
func (f *Fake) Screenshot(ctx context.Context, o actions.ScreenshotOptions) ([]byte, string, error) {
	if err := f.called(ctx, "Screenshot"); err != nil {
		return nil, "", err
	}
	if f.OnScreenshot != nil {
		return f.OnScreenshot(ctx, o)
	}
	size := image.Rect(0, 0, 1280, 800)
	if o.Viewport != (actions.Viewport{}) {
		size = image.Rect(0, 0, o.Viewport.Width, o.Viewport.Height)
	}
	var b bytes.Buffer
	if o.Quality > 0 {
		err := jpeg.Encode(&b, image.NewGray(size), &jpeg.Options{Quality: o.Quality})
		return b.Bytes(), "image/jpeg", err
	}
	err := png.Encode(&b, image.NewGray(size))
	return b.Bytes(), "image/png", err
}

// Scrape implements [actions.Page].
func (f *Fake) Scrape(ctx context.Context) (actions.ScrapeResult, error) {
	if err := f.called(ctx, "Scrape"); err != nil {
		return actions.ScrapeResult{}, err
	}
	if f.OnScrape != nil {
		return f.OnScrape(ctx)
	}
	if f.URL == "" {
		return actions.ScrapeResult{URL: "https://fake.test/", HTML: f.HTML}, nil
	}
	return actions.ScrapeResult{URL: f.URL, HTML: f.HTML}, nil
}

// Evaluate implements [actions.Page]: every script gives undefined.
func (f *Fake) Evaluate(ctx context.Context, script string) (actions.JavaScriptReturn, error) {
	if err := f.called(ctx, "Evaluate", script); err != nil {
		return actions.JavaScriptReturn{}, err
	}
	if f.OnEvaluate != nil {
		return f.OnEvaluate(ctx, script)
	}
	return actions.JavaScriptReturn{Type: "undefined", Value: json.RawMessage("null")}, nil
}

// PDF implements [actions.Page] with a file that has no sheet.
func (f *Fake) PDF(ctx context.Context, o actions.PDFOptions) ([]byte, error) {
	if err := f.called(ctx, "PDF"); err != nil {
		return nil, err
	}
	if f.OnPDF != nil {
		return f.OnPDF(ctx, o)
	}
	return []byte("%PDF-1.7\n%%EOF\n"), nil
}

// Effects implements [actions.Page].
func (f *Fake) Effects(ctx context.Context) (actions.Effects, error) {
	if ctx.Err() != nil || f.OnEffects == nil {
		return actions.Effects{}, ctx.Err()
	}
	return f.OnEffects(ctx)
}
