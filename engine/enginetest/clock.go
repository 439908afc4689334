package enginetest

import (
	"crypto/rand"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// clockJS is what stops the time of a page; see the file.
//
//go:embed clock.js
var clockJS string

// clockStart is where clocks begin.
var clockStart = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// TestClock is the time of an engine and of its pages, which stands still; see [Clock]. Now is safe for concurrent use, Set and Advance
// are for the goroutine of the test.
type TestClock struct {
	t    testing.TB
	name string // of its events, which pages can't guess

	mu   sync.Mutex
	now  time.Time
	tabs map[*browser.Page]bool
}

// Clock returns a clock that stands at noon of January 1, 2026, UTC. Its Use is a change of an engine's options:
//
//	clock := enginetest.Clock(t)
//	e := enginetest.New(t, hosts, clock.Use)
//
// In the documents of such an engine's pages Date, Intl.DateTimeFormat and Temporal.Now stand still, in frames too, but not in workers;
// so does the engine's own time. Timers, performance.now and animation frames go on by real time, so that pages load as ever.
func Clock(t testing.TB) *TestClock {
	return &TestClock{t: t, name: "clock-" + rand.Text(), now: clockStart, tabs: map[*browser.Page]bool{}}
}

// Use makes an engine and its pages have this time. It sets Now, PageScript, after which that of the options runs, and OnLivePage,
// which calls that of the options.
func (c *TestClock) Use(o *engine.Options) {
	script, live := o.PageScript, o.OnLivePage
	o.Now = c.Now
	o.PageScript = func() string {
		if script == nil {
			return c.script()
		}
		return c.script() + "\n" + script()
	}
	o.OnLivePage = func(url string, tab *browser.Page) (used bool) {
		c.follow(tab, true)
		defer c.follow(tab, false)
		if live != nil {
			live(url, tab)
		}
		return true // it has this clock's script
	}
}

// Now is the clock's time.
func (c *TestClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set sets the time, to whole milliseconds, of the engine and of documents that load from now on. Documents that are open keep theirs.
func (c *TestClock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now.Truncate(time.Millisecond)
}

// Advance moves the time on, to whole milliseconds, of the engine and of open pages: timers of their documents that are due by then run,
// in order, each at its time, 10,000 in a document at most. It fails the test for a negative duration, and where a page doesn't follow.
func (c *TestClock) Advance(by time.Duration) {
	c.t.Helper()
	by = by.Truncate(time.Millisecond)
	if by < 0 {
		c.t.Fatalf("enginetest: a clock can't be advanced by %s; want 0 or more", by)
	}
	c.Set(c.Now().Add(by))
	for _, tab := range c.followed() {
		if p := pageOf(tab); p != nil {
			c.advance(p, by)
		}
	}
}

// advance moves a page's time on. Documents that it loads later begin at the clock's.
func (c *TestClock) advance(p *Page, by time.Duration) {
	c.t.Helper()
	if err := browser.AddScript(c.t.Context(), p.tab, c.script()); err != nil {
		c.t.Fatalf("enginetest: advance the clock of %s: %v", p.URL(), err)
	}
	if err := p.inspect(fmt.Sprintf(advanceJS, quoted(c.name), by.Milliseconds()), new(any)); err != nil {
		c.t.Fatalf("enginetest: advance the clock of %s: %v", p.URL(), err)
	}
}

// advanceJS advances the clocks of a document and of its frames of the same origin. A document without one, as of a picture, doesn't
// answer.
const advanceJS = `async () => {
	const name = %s, by = %d;
	const documents = (w) => { try { return [w.document, ...Array.from(w.frames).flatMap(documents)] } catch { return [] } };
	await Promise.all(documents(window).map((d) => new Promise((done) => {
		d.addEventListener(name + ":done", done, { once: true });
		if (d.dispatchEvent(new CustomEvent(name, { detail: by, cancelable: true }))) done();
	})));
	return true;
}`

// script stops the time of a document at the clock's.
func (c *TestClock) script() string {
	return strings.NewReplacer("$NAME", c.name, "$START", strconv.FormatInt(c.Now().UnixMilli(), 10)).Replace(clockJS)
}

func (c *TestClock) follow(tab *browser.Page, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.tabs[tab] = true
	} else {
		delete(c.tabs, tab)
	}
}

func (c *TestClock) followed() (list []*browser.Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for tab := range c.tabs {
		list = append(list, tab)
	}
	return list
}
