package browser

import (
	"context"
	"strings"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// focusedJS reports whether what has the focus takes text.
const focusedJS = `() => {
	let e = document.activeElement;
	while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
	if (!e) return false;
	if (e.isContentEditable || e.localName === "iframe") return true;
	if (e.readOnly || e.disabled) return false;
	const other = ["checkbox", "radio", "button", "submit", "reset", "file", "image", "color", "range", "hidden"];
	return e.localName === "textarea" || e.localName === "input" && !other.includes(e.type);
}`

// Type types text into the element that has the focus.
func (p *Page) Type(ctx context.Context, text string) error {
	takes, err := tab.Do(ctx, p.tab, "look for the focus", func() (any, error) { return p.tab.Page.Evaluate(focusedJS) })
	if err != nil && !tab.Replaced(err) {
		return err
	}
	if takes != true {
		return &actions.Failure{Reason: actions.NotFocused, Err: err}
	}
	return tab.Run(ctx, p.tab, "type", func() error { return p.tab.Page.Keyboard().Type(text) })
}

// Press presses and releases a key.
func (p *Page) Press(ctx context.Context, key string) error {
	err := tab.Run(ctx, p.tab, "press "+key, func() error { return p.tab.Page.Keyboard().Press(key) })
	if err != nil && strings.Contains(err.Error(), "Unknown key") {
		return &actions.Failure{Reason: actions.BadKey, Detail: key, Err: err}
	}
	return err
}

// scrollJS moves the window, or the first match of a selector, by its own height, and waits until the page has noticed.
const scrollJS = `([selector, sign]) => new Promise((done) => {
	const e = selector && document.querySelector(selector);
	if (e) {
		e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
		e.scrollBy({top: sign * e.clientHeight, behavior: "instant"});
	} else if (!selector) {
		window.scrollBy({top: sign * window.innerHeight, behavior: "instant"});
	}
	requestAnimationFrame(() => setTimeout(() => done(!selector || !!e)));
	setTimeout(() => done(!selector || !!e), 500);
})`

// Scroll moves the window, or the first match of a selector.
func (p *Page) Scroll(ctx context.Context, o actions.ScrollOptions) error {
	if o.Selector != "" {
		if err := p.elements().await(ctx, o.Selector, o.Timeout, askFind); err != nil {
			return err
		}
	}
	sign := 1
	if o.Up {
		sign = -1
	}
	moved, err := tab.Do(ctx, p.tab, "scroll", func() (any, error) { return p.tab.Page.Evaluate(scrollJS, []any{o.Selector, sign}) })
	switch {
	case err != nil && tab.Replaced(err):
		return nil
	case err == nil && moved == false:
		return &actions.Failure{Reason: actions.Detached}
	}
	return err
}

// Scrape returns the page's address and document as they are now.
func (p *Page) Scrape(ctx context.Context) (actions.ScrapeResult, error) {
	html, err := p.Content(ctx)
	return actions.ScrapeResult{URL: p.URL(), HTML: html}, err
}

// Evaluate runs a script in the page and returns its value.
func (p *Page) Evaluate(ctx context.Context, script string) (actions.JavaScriptReturn, error) {
	value, err := tab.Do(ctx, p.tab, "run a script", func() (any, error) { return p.tab.Page.Evaluate(actions.ScriptExpression(script)) })
	if err != nil {
		if tab.Replaced(err) {
			return actions.JavaScriptReturn{Type: "unknown", Value: []byte("null")}, nil
		}
		return actions.JavaScriptReturn{}, err
	}
	text, _ := value.(string)
	return actions.ParseReturn(text)
}
