package browser

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// benchPages is how many pages each contestant loads in a row before the next has its turn: whatever else the machine does then hits all alike.
const benchPages = 8

// BenchmarkPages compares, in one run, pages per second of a pool with everything on to a bare loop over the library (new context, goto,
// content) on the same kind of browser, to one that also waits until the page is ready, and to one on a full build, where there is one.
// Numbers above 1 are in the pool's favor. The contestant "warm" is the pool's, with a warm tab for each worker.
func BenchmarkPages(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: needs a browser")
	}
	proxy := newProxy(b)
	s := benchSite(b, proxy.URL)
	if err := shared.Prepare(b.Context()); err != nil {
		b.Fatal(err)
	}
	shell := startBare(b, shared.Installation())
	var full *bareLoop
	if inst, err := Install(b.Context(), InstallOptions{kind: install.FullKind, Mode: InstallNever}); err == nil && inst.Executable != shared.Installation().Executable {
		full = startBare(b, inst)
	}
	for _, path := range []string{"/script", "/heavy"} {
		for _, workers := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("%s/%d", path[1:], workers), func(b *testing.B) {
				pool := NewPool(Options{MaxPages: 8, AcquireProxy: func() (ProxyLease, error) { return ProxyLease{Addr: proxy.URL}, nil }})
				defer pool.Close()
				compare(b, workers, s.URL+path, proxy.URL, pool, shell, full)
			})
		}
	}
}

// BenchmarkSession is the start of a session, to a tab that can be driven, and its end.
func BenchmarkSession(b *testing.B) {
	needsSandbox(b)
	egress := egressTo(b, "127.0.0.1:1")
	if err := shared.Prepare(b.Context()); err != nil {
		b.Fatal(err)
	}
	var end time.Duration
	for b.Loop() {
		s, err := StartSession(b.Context(), SessionOptions{Egress: egress})
		if err != nil {
			b.Fatal(err)
		}
		begin := time.Now()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		end += time.Since(begin)
	}
	b.ReportMetric(float64(end.Milliseconds())/float64(b.N), "close-ms/op")
}

// compare runs all contestants in turns and reports their speeds.
func compare(b *testing.B, workers int, address, proxy string, pool *Pool, shell, full *bareLoop) {
	contestants := map[string]func(context.Context, string) error{
		"pool":  func(ctx context.Context, a string) error { return poolPage(ctx, pool, a) },
		"bare":  func(_ context.Context, a string) error { return shell.page(a, false) },
		"ready": func(_ context.Context, a string) error { return shell.page(a, true) },
	}
	order := []string{"pool", "warm", "bare", "ready"}
	crawler := NewPool(Options{MaxPages: workers, GuardURL: proxy})
	defer crawler.Close()
	tabs := make(chan *Warm, workers)
	for range workers {
		w, err := crawler.Warm(b.Context(), benchOptions, "127.0.0.1")
		if err != nil {
			b.Fatal(err)
		}
		defer w.Close()
		tabs <- w
	}
	contestants["warm"] = func(ctx context.Context, a string) error {
		w := <-tabs
		defer func() { tabs <- w }()
		p, err := w.Page(ctx)
		if err != nil {
			return err
		}
		return benchVisit(ctx, p, a)
	}
	if full != nil {
		contestants["full"] = func(_ context.Context, a string) error { return full.page(a, false) }
		order = append(order, "full")
	}
	for _, name := range order {
		lap(b, workers, workers, address, contestants[name]) // the first pages of all are not counted
	}
	took := map[string]time.Duration{}
	b.ResetTimer()
	for b.Loop() {
		for _, name := range order {
			took[name] += lap(b, workers, benchPages, address, contestants[name])
		}
	}
	b.StopTimer()
	for _, name := range order {
		b.ReportMetric(float64(b.N*benchPages)/took[name].Seconds(), name+"-pages/s")
		if name != "pool" {
			b.ReportMetric(took[name].Seconds()/took["pool"].Seconds(), "x-"+name)
		}
	}
	b.ReportMetric(float64(peakMemory(pool, func() { lap(b, workers, benchPages, address, contestants["pool"]) })>>20), "peak-MiB")
	b.ReportMetric(0, "ns/op")
}

// lap loads so many pages with so many workers.
func lap(b *testing.B, workers, pages int, address string, load func(context.Context, string) error) time.Duration {
	began := time.Now()
	var left atomic.Int64
	left.Store(int64(pages))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := load(b.Context(), address); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}

// benchOptions switch everything on.
var benchOptions = PageOptions{Skip: []string{"image", "font", "media"}, Block: []string{"*://*/tracker*"}, Consent: true}

func poolPage(ctx context.Context, pool *Pool, address string) error {
	p, err := pool.Open(ctx, benchOptions)
	if err != nil {
		return err
	}
	defer p.Close()
	return benchVisit(ctx, p, address)
}

func benchVisit(ctx context.Context, p *Page, address string) error {
	if _, err := p.Goto(ctx, address); err != nil {
		return err
	}
	if _, err := p.WaitReady(ctx); err != nil {
		return err
	}
	return complete(p.Content(ctx))
}

// complete checks that a page's script has done its work.
func complete(html string, err error) error {
	if err == nil && !strings.Contains(html, "row 199") {
		err = fmt.Errorf("the page is not complete: %.200s", html)
	}
	return err
}

// peakMemory is the most that driver and browser hold while fn runs.
func peakMemory(pool *Pool, fn func()) (most int64) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	for {
		select {
		case <-done:
			return most
		case <-time.After(100 * time.Millisecond):
			g := pool.browsers.now()
			if g != nil {
				most = max(most, process.Memory(process.Tree(process.All(), g.DriverPID(), g.Folder.BrowserPID()), 0))
			}
		}
	}
}

// bareLoop is what one writes with the library alone.
type bareLoop struct{ browser playwright.Browser }

// startBare starts a browser without proxy, which ends with the benchmark.
func startBare(b *testing.B, inst *Installation) *bareLoop {
	pool := NewPool(Options{})
	kind := launch.Own
	if os.Geteuid() == 0 {
		kind = launch.None
	}
	gen, err := instance.Start(b.Context(), instance.Request{Installation: inst.found, Proxy: deadProxy, Isolation: kind, Log: pool.log})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = gen.Close() })
	bare, err := gen.Chromium().Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: &inst.Executable, ChromiumSandbox: new(kind == launch.Own)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = bare.Close() })
	return &bareLoop{bare}
}

func (l *bareLoop) page(address string, ready bool) error {
	c, err := l.browser.NewContext()
	if err != nil {
		return err
	}
	defer c.Close()
	key := tab.NewKey()
	if ready {
		source := readyScript(key)
		if err := c.AddInitScript(playwright.Script{Content: &source}); err != nil {
			return err
		}
	}
	p, err := c.NewPage()
	if err != nil {
		return err
	}
	if _, err := p.Goto(address); err != nil {
		return err
	}
	if ready {
		if _, err := p.Evaluate(fmt.Sprintf("() => window[%q](8000)", key)); err != nil {
			return err
		}
		return complete(p.Content())
	}
	_, err = p.Content()
	return err
}

// benchSite has a page whose rows a script makes of an answer, and one that has images, fonts and trackers beside them.
func benchSite(b *testing.B, proxy string) *site {
	s := newSite(b, proxy)
	const rows = `<link rel=stylesheet href=/style.css><ul id=list></ul><script src=/app.js></script>`
	extra := strings.Repeat(`<p style="font-family: f%[1]d"><img src="/images/%[1]d.png">text</p>`, 1)
	var heavy strings.Builder
	for n := range 30 {
		fmt.Fprintf(&heavy, extra, n)
	}
	for n := range 4 {
		fmt.Fprintf(&heavy, `<style>@font-face { font-family: f%d; src: url(/fonts/%[1]d.woff2) }</style><script async src="/tracker%[1]d.js"></script>`, n)
	}
	picture := strings.Repeat("x", 30_000)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/script":
			page(rows)(w, r)
		case r.URL.Path == "/heavy":
			page(rows+heavy.String())(w, r)
		case r.URL.Path == "/style.css":
			raw("text/css", "li { color: #333; padding: 2px }")(w, r)
		case r.URL.Path == "/app.js":
			raw("text/javascript", `fetch("/rows").then((r) => r.json()).then((n) => { for (let i = 0; i < n; i++) {
				const li = document.createElement("li"); li.textContent = "row " + i; list.append(li) } })`)(w, r)
		case r.URL.Path == "/rows":
			raw("application/json", "200")(w, r)
		case strings.HasPrefix(r.URL.Path, "/tracker"):
			raw("text/javascript", strings.Repeat("(() => { let n = 0; for (let i = 0; i < 300000; i++) n += i % 7; return n })();", 20))(w, r)
		default:
			raw("image/png", picture)(w, r)
		}
	})
	return s
}
