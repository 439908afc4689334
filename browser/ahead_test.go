package browser

import (
	"errors"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// lender counts the proxies that it hands out; all lead to the same one.
type lender struct {
	address string
	lent    atomic.Int64
	back    atomic.Int64
}

func (l *lender) lend() (ProxyLease, error) {
	n := l.lent.Add(1)
	return ProxyLease{Addr: l.address, Handle: n, Close: func() { l.back.Add(1) }}, nil
}

// lendingPool is closed with the test, which fails when a proxy was not given back.
func lendingPool(t *testing.T, o Options) (*Pool, *lender, *site) {
	t.Helper()
	needsBrowser(t)
	proxy := newProxy(t)
	l := &lender{address: proxy.URL}
	t.Cleanup(func() {
		if l.lent.Load() != l.back.Load() {
			t.Errorf("%d proxies were lent, %d given back", l.lent.Load(), l.back.Load())
		}
	})
	o.AcquireProxy = l.lend
	return ownPool(t, o), l, newSite(t, proxy.URL)
}

// readyAhead waits for the page that is made ahead. One that a busy machine had no time to make is made again.
func readyAhead(t *testing.T, pool *Pool) *Page {
	t.Helper()
	for {
		pool.mu.Lock()
		a := pool.ahead
		pool.mu.Unlock()
		if a == nil {
			t.Fatal("no page is made ahead")
		}
		if <-a.done; a.page != nil {
			return a.page
		}
		pool.retired(a.gen)
		if err := pool.Prepare(testContext(t)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPool_pageMadeAheadIsTakenAndFurnished(t *testing.T) {
	t.Parallel()
	pool, l, s := lendingPool(t, Options{Shared: quiet()})
	if err := pool.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	ready := readyAhead(t, pool)
	p := openFrom(t, pool, PageOptions{Headers: map[string]string{"X-Test": "yes", "Cookie": "a=b"}, Hide: []string{"h1"}})
	if p != ready || p.Proxy() != int64(1) {
		t.Errorf("got another page than the one made ahead, or another proxy: %v", p.Proxy())
	}
	visit(t, p, s.URL+"/")
	if seen := s.requests("/"); len(seen) != 1 || seen[0].Get("X-Test") != "yes" || seen[0].Get("Cookie") != "a=b" {
		t.Errorf("got headers %v", seen)
	}
	if html := contentOf(t, p); strings.Contains(html, "hello") {
		t.Errorf("got %s, want the heading hidden", html)
	}
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	next := readyAhead(t, pool)
	_ = p.Close()
	if l.back.Load() != 1 {
		t.Error("want the proxy given back with its page")
	}
	if again := openFrom(t, pool, PageOptions{}); again != next {
		t.Error("want the second page made ahead")
	}
}

func TestPool_pageMadeAheadIsLeftWhenItDoesNotFit(t *testing.T) {
	t.Parallel()
	pool, l, s := lendingPool(t, Options{Shared: quiet(), Usual: PageOptions{Locale: "de-DE", Languages: []string{"de-DE", "de"}}})
	if err := pool.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	ready := readyAhead(t, pool)
	for name, o := range map[string]PageOptions{
		"language": {}, "mobile": {Locale: "de-DE", Mobile: true}, "agent": {Locale: "de-DE", Headers: map[string]string{"user-agent": "x"}},
		"certificates": {Locale: "de-DE", SkipTLSVerify: true}, "proxy": {Locale: "de-DE", Proxy: s.proxy}, "place": {Locale: "de-DE", Geolocation: &Geolocation{}},
		"downloads": {Locale: "de-DE", MaxDownload: 1},
	} {
		p := openFrom(t, pool, o)
		if p == ready || (p.Proxy() == nil) != (o.Proxy != "") {
			t.Errorf("%s: got the page made ahead, or proxy %v", name, p.Proxy())
		}
		_ = p.Close()
	}
	if p := openFrom(t, pool, PageOptions{Locale: "de-DE"}); p != ready {
		t.Error("want the page made ahead")
	}
	if l.lent.Load() < 6 {
		t.Errorf("got %d proxies lent", l.lent.Load())
	}
}

func TestPool_aPageIsMadeAheadBesideManyOpenOnes(t *testing.T) {
	t.Parallel()
	many := runtime.GOMAXPROCS(0) + 2
	pool, _, _ := lendingPool(t, Options{Shared: quiet(), MaxPages: many})
	var last *Page
	for range many {
		last = openFrom(t, pool, PageOptions{})
	}
	if _, err := last.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	ready := readyAhead(t, pool)
	if err := last.Close(); err != nil {
		t.Fatal(err)
	}
	if p := openFrom(t, pool, PageOptions{}); p != ready {
		t.Error("want the page made ahead")
	}
}

func TestPool_pageMadeAheadGoesWithItsBrowser(t *testing.T) {
	t.Parallel()
	pool, _, s := lendingPool(t, Options{})
	if err := pool.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	ready := readyAhead(t, pool)
	process.KillGroup(ready.gen.Folder.BrowserPID())
	<-ready.gen.Dead()
	p := openFrom(t, pool, PageOptions{})
	if p.gen == ready.gen {
		t.Error("want a page on a new browser")
	}
	visit(t, p, s.URL+"/")
	<-ready.tab.Freed()
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	second := readyAhead(t, pool)
	pool.browsers.retire(second.gen)
	<-second.tab.Freed()
}

func TestOpen_proxyThatCannotBeLentIsAnError(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wrong := errors.New("no more proxies")
	for name, c := range map[string]struct {
		lend  func() (ProxyLease, error)
		cause error  // the one that was returned
		field string // of the *OptionError about a lease that is no proxy
	}{
		"none is left": {func() (ProxyLease, error) { return ProxyLease{}, wrong }, wrong, ""},
		"no address":   {func() (ProxyLease, error) { return ProxyLease{Addr: "nonsense"}, nil }, nil, "ProxyLease.Addr"},
	} {
		pool := ownPool(t, Options{Shared: quiet(), AcquireProxy: c.lend})
		_, err := pool.Open(testContext(t), PageOptions{})
		bad, isOption := errors.AsType[*OptionError](err)
		if c.cause != nil && !errors.Is(err, c.cause) || isOption != (c.field != "") || isOption && bad.Field != c.field {
			t.Errorf("%s: got %v, want cause %v, field %q", name, err, c.cause, c.field)
		}
	}
}

func TestPool_pageMadeAheadWhoseRendererDiedIsNotTaken(t *testing.T) {
	t.Parallel()
	pool, _, s := lendingPool(t, Options{Shared: quiet()})
	if err := pool.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	ready := readyAhead(t, pool)
	ready.tab.Crash()
	if p := openFrom(t, pool, PageOptions{}); p == ready || visit(t, p, s.URL+"/").Status != http.StatusOK {
		t.Error("want a new page")
	}
}
