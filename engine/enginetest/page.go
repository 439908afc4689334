package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Page is a live page of a test, which [Open] makes. Its methods fail the test where the page can't do what they are for. Only the
// goroutine of the test may use it.
type Page struct {
	t   testing.TB
	kit *kit
	url string

	first, tab *browser.Page // the one that it began with, and the one that it is now
	arrived    chan *browser.Page
	released   chan struct{}
	ended      chan struct{} // the scrape
	err        error         // of the scrape, once ended
	close      func()
}

// maxTimeout is the longest that a scrape may have: how fast a page is does not decide whether a test passes.
const maxTimeout = 5 * time.Minute

// Open opens a page of an engine of [New] or [Cassette], waits until it has come to rest, and leaves it to the test. It is a scrape with
// [engine.RenderAlways] that neither reads nor fills the cache, may take five minutes to load, and does not end before the page is
// closed. Changes to its options, such as a viewport, headers or actions, are applied last. It takes part of the engine's MaxPages until
// it is closed, which happens at the latest when the test ends. Files that the page has the browser save are refused unless the options
// have actions. The URL has to be absolute.
func Open(t testing.TB, e *engine.Engine, url string, changes ...func(*engine.ScrapeOptions)) *Page {
	t.Helper()
	href, err := weburl.Target(url)
	if err != nil {
		t.Fatalf("enginetest: open %q: %v", url, err)
	}
	p := &Page{
		t: t, kit: kitOf(t, e), url: href,
		arrived: make(chan *browser.Page, 1), released: make(chan struct{}), ended: make(chan struct{}),
	}
	o := engine.ScrapeOptions{Render: engine.RenderAlways, MaxAge: new(time.Duration(0)), StoreInCache: new(false), Timeout: maxTimeout}
	for _, change := range changes {
		change(&o)
	}
	p.kit.opening.Lock()
	defer p.kit.opening.Unlock()
	p.kit.expect(p)
	defer p.kit.expect(nil)
	p.start(e, o)
	p.await()
	return p
}

// start begins the scrape, which lasts until the page is closed.
func (p *Page) start(e *engine.Engine, o engine.ScrapeOptions) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.t.Context()))
	go func() {
		defer close(p.ended)
		_, p.err = e.Scrape(ctx, p.url, o)
	}()
	p.close = sync.OnceFunc(func() {
		if p.tab != p.first { // the engine knows only the first one
			p.kit.note(p.Console(), p.Requests())
		}
		close(p.released)
		<-p.ended
		cancel()
	})
	p.t.Cleanup(p.Close)
}

// await waits for the page.
func (p *Page) await() {
	p.t.Helper()
	select {
	case tab := <-p.arrived:
		p.first, p.tab = tab, tab
		if _, err := tab.Shown(p.t.Context()); err != nil {
			p.close()
			p.t.Fatalf("enginetest: open %s: %v", p.url, err)
		}
	case <-p.ended:
		switch open := len(p.kit.pages()); {
		case p.err == nil:
			p.t.Fatalf("enginetest: open %s: the engine rendered no such page, or has an OnLivePage of its own", p.url)
		case open > 0:
			p.t.Fatalf("enginetest: open %s: %v (%d pages are open; the engine's MaxPages bounds them)", p.url, p.err, open)
		default:
			p.t.Fatalf("enginetest: open %s: %v", p.url, p.err)
		}
	}
}

// Close closes the page before the test ends. It may be called more than once.
func (p *Page) Close() { p.close() }

// URL returns the address of the document that the page shows.
func (p *Page) URL() string { return p.tab.URL() }

// Console returns the last 200 messages and uncaught errors of the page.
func (p *Page) Console() Messages { return messagesOf(p.url, p.tab.Console()) }

// Requests returns the last 200 requests of the page that were answered or have failed.
func (p *Page) Requests() RequestList { return requestsOf(p.url, p.tab.Requests()) }

// Do performs actions on the page, in order, waits until it has come to rest, and returns what they yield. A tab that they open is the page
// from then on.
func (p *Page) Do(list ...actions.Action) *actions.Output {
	p.t.Helper()
	out, err := p.do(p.t.Context(), list)
	if err != nil {
		p.t.Fatalf("enginetest: %s: %v", p.URL(), err)
	}
	return out
}

func (p *Page) do(ctx context.Context, list []actions.Action) (*actions.Output, error) {
	acting, err := p.tab.Follow(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		p.tab = acting.Page()
		acting.End()
	}()
	return actions.Run(ctx, acting, list, actions.Options{Rest: func(ctx context.Context) error {
		_, err := acting.WaitReady(ctx)
		return err
	}})
}

// Click clicks the first element that matches a selector, as a user does, and waits until the page has come to rest.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.Do(actions.Action{Type: actions.Click, Selector: selector})
}

// Type clicks the first element that matches a selector, types text into it, and waits until the page has come to rest.
func (p *Page) Type(selector, text string) {
	p.t.Helper()
	p.Do(actions.Action{Type: actions.Click, Selector: selector}, actions.Action{Type: actions.Write, Text: text})
}

// WaitFor waits until an element that matches a selector is visible, at most 30 s.
func (p *Page) WaitFor(selector string) {
	p.t.Helper()
	p.Do(actions.Action{Type: actions.Wait, Selector: selector})
}

// Text returns what the first element of the main document that matches a selector shows as text.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	var text *string
	if err := p.inspect(fmt.Sprintf("() => document.querySelector(%s)?.innerText", quoted(selector)), &text); err != nil {
		p.t.Fatalf("enginetest: the text of %q: %v", selector, err)
	}
	if text == nil {
		p.t.Fatalf("enginetest: nothing matches %q on %s", selector, p.URL())
	}
	return *text
}

// inspect runs a function, which may be async, apart from the page's own scripts, and decodes its result.
func (p *Page) inspect(function string, into any) error {
	answer, err := browser.InspectAsync(p.t.Context(), p.tab, function)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// quoted is a value as JavaScript.
func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of a type that is never given
	}
	return string(text)
}
