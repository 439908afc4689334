//go:build unix

package browser

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// busy opens a page that waits for a server that never answers, and returns the channel of its error.
func busy(t *testing.T, pool *Pool, s *site) (*Page, <-chan error) {
	t.Helper()
	p := openFrom(t, pool, PageOptions{Proxy: s.proxy})
	before := len(s.requests("/silent"))
	done := make(chan error, 1)
	go func() {
		_, err := p.Goto(testContext(t), s.URL+"/silent")
		done <- err
	}()
	eventually(t, "the request arrives", func() bool { return len(s.requests("/silent")) > before })
	return p, done
}

// Each end is that of the browser that has replaced the one before: a start costs more than all the rest.
func TestPool_killsAndFrozenProcessesAreSurvived(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL)
	pool := ownPool(t, Options{})
	for name, kill := range map[string]func(g *generation){
		"kill -9 of the browser": func(g *generation) { process.KillGroup(g.Folder.BrowserPID()) },
		"kill -9 of the driver":  func(g *generation) { _ = syscall.Kill(g.DriverPID(), syscall.SIGKILL) },
	} {
		t.Run(name, func(t *testing.T) { killIsSurvived(t, pool, s, kill) })
	}
	for name, stop := range map[string]func(g *generation){
		"browser stopped": func(g *generation) { _ = syscall.Kill(-g.Folder.BrowserPID(), syscall.SIGSTOP) },
		"driver stopped":  func(g *generation) { _ = syscall.Kill(g.DriverPID(), syscall.SIGSTOP) },
	} {
		t.Run(name, func(t *testing.T) { frozenProcessHangsNoCaller(t, pool, s, stop) })
	}
}

func killIsSurvived(t *testing.T, pool *Pool, s *site, kill func(g *generation)) {
	t.Helper()
	p, done := busy(t, pool, s)
	marker := "WINNOW_RUN=" + p.gen.Folder.Marker()
	old := processesWith(marker)
	kill(p.gen)
	if err := <-done; !errors.Is(err, ErrCrashed) {
		t.Errorf("got %v, want ErrCrashed", err)
	}
	if _, err := p.Content(testContext(t)); !errors.Is(err, ErrCrashed) {
		t.Errorf("afterwards: got %v, want ErrCrashed", err)
	}
	isReplaced(t, pool, s, p, PageOptions{Proxy: s.proxy})
	_ = p.Close()
	eventually(t, "the old processes are gone", func() bool { return len(processesWith(marker)) == 0 })
	if len(old) < 2 {
		t.Errorf("saw %d processes before the kill, want driver and browser at least", len(old))
	}
}

func frozenProcessHangsNoCaller(t *testing.T, pool *Pool, s *site, stop func(g *generation)) {
	t.Helper()
	p := openFrom(t, pool, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/")
	stop(p.gen)
	if _, err := p.Content(deadline(t, 200*time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want a deadline", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	isReplaced(t, pool, s, p, PageOptions{Proxy: s.proxy})
}

// isReplaced opens a page of the next browser.
func isReplaced(t *testing.T, pool *Pool, s *site, old *Page, o PageOptions) {
	t.Helper()
	next := openFrom(t, pool, o)
	if visit(t, next, s.URL+"/"); next.gen == old.gen {
		t.Error("the browser is still used")
	}
}

func TestPage_crashedRendererHurtsNobodyElse(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p, beside := open(t, PageOptions{Proxy: s.proxy}), open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/")
	visit(t, beside, s.URL+"/late")
	_ = p.tab.Send(deadline(t, 500*time.Millisecond), "Page.crash", nil)
	eventually(t, "the crash is known", p.tab.Crashed)
	if _, err := p.Content(testContext(t)); !errors.Is(err, ErrCrashed) && !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrCrashed", err)
	}
	visit(t, beside, s.URL+"/")
}

func TestPool_recyclesAnOldBrowser(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	pool := ownPool(t, Options{seams: poolSeams{now: now}})
	a := openFrom(t, pool, PageOptions{})
	if pool.browsers.usable() != a.gen {
		t.Error("want the same browser before its time is over")
	}
	ahead.Store(int64(defaultMaxAge))
	if pool.browsers.usable() != nil || !a.gen.retired { // so that the next page starts another: TestShared_aBrowserThatRetiresIsReplacedForAll
		t.Error("want a new browser after its time")
	}
}

func TestPool_closeEndsCallsAndLeavesNothing(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	pool := NewPool(Options{})
	p, done := busy(t, pool, s)
	marker := "WINNOW_RUN=" + p.gen.Folder.Marker()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if left := processesWith(marker); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if exists(p.gen.Folder.Dir) {
		t.Error("the run folder is left")
	}
	if _, err := pool.Open(testContext(t), PageOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("open: got %v, want ErrClosed", err)
	}
	if err := pool.Close(); err != nil {
		t.Error("second close:", err)
	}
}

func TestPool_closeDuringTheStart(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	for _, wait := range []time.Duration{0, 30 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond} {
		pool := NewPool(Options{})
		done := make(chan error, 1)
		go func() { done <- pool.Prepare(context.Background()) }()
		time.Sleep(wait) // any moment will do: each is a different place of the start
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("after %s: got %v, want ErrClosed", wait, err)
		}
	}
}

func TestPrepare_isSharedAndEachCallerMayGiveUp(t *testing.T) {
	t.Parallel()
	pool := ownPool(t, Options{})
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := pool.Prepare(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	impatient := make(chan error, 1)
	go func() { impatient <- pool.Prepare(deadline(t, 5*time.Millisecond)) }()
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if err := pool.Prepare(testContext(t)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := <-impatient; !errors.Is(err, context.DeadlineExceeded) && err != nil {
		t.Errorf("got %v, want a deadline", err)
	}
	if len(pool.browsers.gens) != 1 {
		t.Errorf("got %d browsers, want 1", len(pool.browsers.gens))
	}
}

func TestPool_refusesDangerousArgs(t *testing.T) {
	for _, arg := range []string{"--no-sandbox", "--proxy-server=x", "-proxy-server=x", "--PROXY-SERVER=x", "--host-resolver-rules=MAP * 1.2.3.4", "--ignore-certificate-errors", "about:blank"} {
		pool := NewPool(Options{Args: []string{"--lang=de", arg}})
		err := pool.Prepare(context.Background())
		var bad *ArgError
		if !errors.As(err, &bad) || bad.Arg != arg {
			t.Errorf("%s: got %v, want an ArgError", arg, err)
		}
		_ = pool.Close()
	}
	if err := checkArgs([]string{"--lang=de", "--force-color-profile=srgb"}); err != nil {
		t.Error(err)
	}
}

func TestPool_sandboxIsOnAlsoForRoot(t *testing.T) {
	t.Parallel()
	pool := ownPool(t, Options{Shared: quiet()})
	p := openFrom(t, pool, PageOptions{})
	visit(t, p, "data:text/html,<p>x")
	want := string(launch.Own)
	if os.Geteuid() == 0 {
		want = string(launch.None)
		if launch.WrapperWorks(context.Background()) {
			want = string(launch.Wrapped)
		}
	}
	if got := pool.Sandbox(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	off := false
	for _, entry := range processesWith("WINNOW_RUN=" + p.gen.Folder.Marker()) {
		pid, _, _ := strings.Cut(strings.TrimPrefix(entry, "/proc/"), " ")
		line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
		off = off || strings.Contains(string(line), "--no-sandbox")
		if renderer := strings.Contains(string(line), "--type=renderer"); renderer && want != string(launch.None) {
			status, _ := os.ReadFile("/proc/" + pid + "/status")
			if !strings.Contains(string(status), "Seccomp:\t2") {
				t.Error("the renderer has no system call filter")
			}
		}
	}
	if off != (want == string(launch.None)) {
		t.Errorf("--no-sandbox given: %v, in sandbox %q", off, want)
	}
}

func TestOpen_givenUpAtAnyMomentLeavesNoContext(t *testing.T) {
	t.Parallel()
	pool := ownPool(t, Options{})
	if err := pool.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	for wait := range 30 {
		p, err := pool.Open(deadline(t, time.Duration(wait)*3*time.Millisecond), PageOptions{})
		if err == nil {
			_ = p.Close()
		} else if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d ms: got %v, want a deadline", wait*3, err)
		}
	}
	g := pool.browsers.now()
	session, err := g.Browser.NewBrowserCDPSession()
	if err != nil {
		t.Fatal(err)
	}
	// From the browser: the library's own list can't be read while contexts come in.
	eventually(t, "no context is left", func() bool {
		answer, err := session.Send("Target.getBrowserContexts", nil)
		ids, _ := tab.Field(answer, "browserContextIds").([]any)
		return err == nil && len(ids) == 0
	})
	eventually(t, "no page is counted", func() bool {
		pool.browsers.mu.Lock()
		defer pool.browsers.mu.Unlock()
		return g.open == 0
	})
	if g.IsDead() {
		t.Error("the browser is dead")
	}
}
