package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/elements"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// elementsOf are the elements of a page, by selectors.
func elementsOf(p *Page) elements.In {
	in := elements.In{Tab: p.tab, Frames: p.reader.Frames.All}
	if len(p.banners.done()) > 0 {
		in.InBanner = func(ctx context.Context, selector string) bool {
			return p.banners.had(ctx, selector, p.ready.hiddenName())
		}
	}
	return in
}

// WaitSelector waits until an element that matches is visible, or belongs to a cookie banner that was rejected or hidden.
func (p *Page) WaitSelector(ctx context.Context, selector string, timeout time.Duration) ([]string, error) {
	return elementsOf(p).Await(ctx, selector, timeout)
}

// Click clicks the first match, or all matches there are.
func (p *Page) Click(ctx context.Context, selector string, o actions.ClickOptions) (actions.Clicked, error) {
	return elementsOf(p).Click(ctx, selector, o)
}

// Scroll moves the window, or the first match of a selector.
func (p *Page) Scroll(ctx context.Context, o actions.ScrollOptions) error {
	return elementsOf(p).Scroll(ctx, o)
}

// Type types text into the element that has the focus.
func (p *Page) Type(ctx context.Context, text string) error {
	return elements.Keyboard{Tab: p.tab}.Type(ctx, text)
}

// Press presses and releases a key.
func (p *Page) Press(ctx context.Context, key string) error {
	return elements.Keyboard{Tab: p.tab}.Press(ctx, key)
}

// Screenshot draws the page, at most 16384 CSS pixels high, and returns the picture and its media type. A Viewport is for this picture
// alone.
func (p *Page) Screenshot(ctx context.Context, o ScreenshotOptions) ([]byte, string, error) {
	return camera{p.tab, p.opts.Viewport, p.ready.key}.shoot(ctx, o)
}

// PDF prints the page with its backgrounds and returns the file.
func (p *Page) PDF(ctx context.Context, o actions.PDFOptions) ([]byte, error) {
	return printPDF(ctx, p.tab, o)
}

// Scrape returns the page's address and document as they are now.
func (p *Page) Scrape(ctx context.Context) (actions.ScrapeResult, error) {
	html, err := p.Content(ctx)
	return actions.ScrapeResult{URL: p.URL(), HTML: html}, err
}

// Evaluate runs a script in the page and returns its value.
func (p *Page) Evaluate(ctx context.Context, script string) (actions.JavaScriptReturn, error) {
	value, err := tab.Do(ctx, p.tab, "run a script", func() (any, error) { return p.tab.Page.Evaluate(actions.ScriptExpression(script)) })
	switch {
	case err != nil && ctx.Err() != nil: // the page is closed by then, which may look like another document
		return actions.JavaScriptReturn{}, fmt.Errorf("run a script: %w", context.Cause(ctx))
	case err != nil && tab.Replaced(err):
		return actions.JavaScriptReturn{Type: "unknown", Value: []byte("null")}, nil
	case err != nil:
		return actions.JavaScriptReturn{}, err
	}
	text, _ := value.(string)
	return actions.ParseReturn(text)
}
