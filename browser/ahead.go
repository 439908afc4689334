package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
)

// ProxyLease is a proxy for one page, from its making to its end.
type ProxyLease struct {
	// Addr is the proxy's address, "http://127.0.0.1:port".
	Addr string
	// Handle identifies the proxy to the code that made it; Page.Proxy returns it.
	Handle any
	// Close ends the proxy once the page is closed. It may block; Page.Close waits for it. If nil, it isn't called.
	Close func()
}

// shape is what can't be changed once a page is made, or only with more effort than making another.
type shape struct {
	userAgent, locale, timezone, languages string
	mobile, skipTLSVerify, saves           bool
	viewport                               Viewport
	there                                  bool
	place                                  Geolocation
}

// shape of options that resolve has completed.
func (o PageOptions) shape() shape {
	s := shape{
		userAgent: agentOf(o), locale: o.Locale, timezone: o.Timezone, languages: strings.Join(o.Languages, ","),
		mobile: o.Mobile, skipTLSVerify: o.SkipTLSVerify, saves: o.MaxDownload > 0, viewport: o.Viewport, there: o.Geolocation != nil,
	}
	if s.there {
		s.place = *o.Geolocation
	}
	return s
}

// ahead is a page made in advance, or being made.
type ahead struct {
	gen  *generation
	done chan struct{}
	// once done
	page  *Page     // nil when it could not be made
	since time.Time // when it was
}

// aheadWait bounds the making of a page in advance.
const aheadWait = 20 * time.Second

// lookAhead begins to make the next page, unless there is one. The best moment is when a page has loaded and is waited for.
func (p *Pool) lookAhead() {
	g := p.browsers.now()
	if g == nil || g.IsDead() || p.opts.AcquireProxy == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.ahead != nil && p.ahead.gen == g {
		return
	}
	if p.ahead != nil { // of a browser that retired just when it was begun
		p.discardLocked(p.ahead)
	}
	a := &ahead{gen: g, done: make(chan struct{})}
	p.ahead = a
	p.work.Go(func() {
		defer close(a.done)
		ctx, cancel := context.WithTimeout(p.ctx, aheadWait)
		defer cancel()
		page, err := p.makePage(ctx, g, p.opts.Usual)
		if err != nil {
			p.log.Debug("could not make a page ahead", "error", err)
			return
		}
		a.page, a.since = page, p.opts.seams.now()
	})
}

// takeAhead returns the page that was made ahead, if it fits and still lives; nil when a new one must be made.
func (p *Pool) takeAhead(ctx context.Context, o PageOptions) (*Page, error) {
	if o.Proxy != "" || o.shape() != p.opts.Usual.shape() {
		return nil, nil
	}
	a := p.removeAhead(p.browsers.usable())
	if a == nil {
		return nil, nil
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		p.discard(a)
		return nil, fmt.Errorf("wait for a page: %w", context.Cause(ctx))
	}
	if a.page == nil {
		return nil, nil
	}
	if p.stale(a) && !a.page.Answers(ctx) {
		a.page.Abandon()
		return nil, nil
	}
	o.Proxy = a.page.opts.Proxy
	a.page.opts = o
	err := a.page.tab.Usable(ctx, "take the page")
	if err == nil {
		err = a.page.furnish(ctx)
	}
	if err == nil {
		return a.page, nil
	}
	a.page.Abandon()
	if ctx.Err() == nil && (errors.Is(err, ErrCrashed) || errors.Is(err, ErrClosed)) {
		return nil, nil
	}
	return nil, fmt.Errorf("open page: %w", err)
}

// removeAhead returns what was made ahead on a generation, which is no longer there then; nil for none.
func (p *Pool) removeAhead(g *generation) *ahead {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.ahead
	if a == nil || g == nil || a.gen != g {
		return nil
	}
	p.ahead = nil
	return a
}

// retired discards what was made ahead on a generation that is no longer used.
func (p *Pool) retired(g *generation) {
	if a := p.removeAhead(g); a != nil {
		p.discard(a)
	}
}

// waitsOn reports whether a page that was made ahead waits on a generation.
func (p *Pool) waitsOn(g *generation) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.ahead
	return a != nil && a.gen == g && instance.IsClosed(a.done) && a.page != nil
}

// discard closes a page that was not taken, in the background; Close of the pool waits for it.
func (p *Pool) discard(a *ahead) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.discardLocked(a)
}

func (p *Pool) discardLocked(a *ahead) {
	if p.closed {
		return // Close does it
	}
	p.work.Go(func() {
		<-a.done
		if a.page != nil {
			_ = a.page.Close()
		}
	})
}

// acquireProxy acquires a proxy for a page whose options name none.
func (p *Pool) acquireProxy(page *Page) error {
	if page.opts.Proxy != "" {
		return nil
	}
	if p.opts.AcquireProxy == nil {
		if page.gen.Isolation == launch.Remote {
			page.opts.Proxy = p.browsers.opts.GuardURL // a browser of this machine has it from its start
		}
		return nil
	}
	lease, err := p.opts.AcquireProxy()
	if err != nil {
		return fmt.Errorf("acquire a proxy: %w", err)
	}
	page.lease, page.loader.leased = lease, lease.Addr != ""
	if err := checkProxy("ProxyLease.Addr", lease.Addr); err != nil {
		return err
	}
	page.opts.Proxy = lease.Addr
	return nil
}
