//go:build unix

package browser

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/process"
)

// quickBeat is for tests in which a process is stopped: it is so at any two beats.
const quickBeat = 50 * time.Millisecond

// signal sends a signal to the processes of a kind, or to the newest alone, and returns how many there were.
func signal(t *testing.T, g *generation, kind string, s syscall.Signal) (pids []int) {
	t.Helper()
	switch kind {
	case "driver":
		pids = []int{g.DriverPID()}
	case "browser":
		pids = process.Tree(process.All(), g.Folder.BrowserPID())
		pids = slices.DeleteFunc(pids, func(pid int) bool { return instance.KindOf(pid) != "" })
		pids = pids[len(pids)-1:] // a container is around it
	default:
		for _, p := range g.Family() {
			if instance.KindOf(p.PID) == kind {
				pids = append(pids, p.PID)
			}
		}
	}
	if len(pids) == 0 {
		t.Fatalf("the browser has no %s", kind)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, s); err != nil && !errors.Is(err, syscall.ESRCH) { // some end with others
			t.Errorf("%s: %v", kind, err)
		}
	}
	if s == syscall.SIGSTOP {
		eventually(t, kind+" is stopped", func() bool { return !slices.ContainsFunc(pids, isRunning) })
	}
	return pids
}

// isRunning reports whether a thread of a process may still run: a signal to stop comes to a busy machine's threads one by one.
func isRunning(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	return slices.ContainsFunc(threads, func(file string) bool {
		stat, err := os.ReadFile(file)
		state := stat[bytes.LastIndexByte(stat, ')')+1:]
		return err == nil && !bytes.HasPrefix(state, []byte(" T")) && !bytes.HasPrefix(state, []byte(" Z")) && !bytes.HasPrefix(state, []byte(" X"))
	})
}

// Each end is that of the browser that has replaced the one before. Whatever is stopped is seen in the same way: with WINNOW_SOAK=1 the
// other kinds are stopped too.
func TestPulse_replacesABrowserThatHalfLives(t *testing.T) {
	t.Parallel()
	pool, _, s := lendingPool(t, Options{seams: poolSeams{beat: quickBeat}})
	t.Run("a stopped renderer ends its page alone", func(t *testing.T) { stoppedRendererEndsItsPageAlone(t, pool, s) })
	ends := []struct {
		kind   string
		signal syscall.Signal
	}{
		{instance.NetworkKind, syscall.SIGSTOP}, {instance.ZygoteKind, syscall.SIGKILL}, {"browser", syscall.SIGSTOP}, {instance.NetworkKind, syscall.SIGKILL},
		{"driver", syscall.SIGSTOP}, {"gpu-process", syscall.SIGSTOP}, {instance.ZygoteKind, syscall.SIGSTOP},
	}
	for _, c := range ends[:inFull(5, len(ends))] {
		t.Run(c.kind+" "+c.signal.String(), func(t *testing.T) {
			p, done := busy(t, pool, s)
			signal(t, p.gen, c.kind, c.signal)
			if err := <-done; !errors.Is(err, ErrCrashed) {
				t.Errorf("at work: got %v, want ErrCrashed", err)
			}
			_ = p.Close()
			isReplaced(t, pool, s, p, PageOptions{})
		})
	}
}

func stoppedRendererEndsItsPageAlone(t *testing.T, pool *Pool, s *site) {
	t.Helper()
	p, done := busy(t, pool, s)
	signal(t, p.gen, instance.RendererKind, syscall.SIGSTOP)
	beside := openFrom(t, pool, PageOptions{})
	if err := <-done; !errors.Is(err, ErrCrashed) {
		t.Errorf("got %v, want ErrCrashed", err)
	}
	if visit(t, beside, s.URL+"/"); beside.gen != p.gen {
		t.Error("the browser was replaced for one page")
	}
}

// These end pages, and no browser but the last, which is stopped with its driver.
func TestPulse_ofPages(t *testing.T) {
	t.Parallel()
	pool, l, s := lendingPool(t, Options{seams: poolSeams{beat: time.Hour}})
	t.Run("only pages in use are work", func(t *testing.T) { onlyPagesInUseAreWork(t, pool) })
	t.Run("a call under way ends with its renderer", func(t *testing.T) { callUnderWayEndsWithItsRenderer(t, pool, s) })
	t.Run("a warm tab is asked before it is lent", func(t *testing.T) { warmTabIsAskedBeforeItIsLent(t, pool) })
	t.Run("abandoning a page does not wait", func(t *testing.T) { abandonDoesNotWait(t, pool, l) })
}

// A call of the browser's protocol is never answered by a renderer that has died.
func callUnderWayEndsWithItsRenderer(t *testing.T, pool *Pool, s *site) {
	t.Helper()
	p := openFrom(t, pool, PageOptions{})
	visit(t, p, s.URL+"/")
	signal(t, p.gen, instance.RendererKind, syscall.SIGSTOP)
	ended := make(chan error, 1)
	go func() { ended <- p.tab.Send(testContext(t), "Page.getFrameTree", map[string]any{}) }()
	eventually(t, "the call is under way", func() bool {
		return p.tab.Pending() > 0
	})
	signal(t, p.gen, instance.RendererKind, syscall.SIGKILL)
	if err := <-ended; !errors.Is(err, ErrCrashed) {
		t.Errorf("got %v, want ErrCrashed", err)
	}
}

func TestPool_pageAheadIsAskedBeforeItIsLent(t *testing.T) {
	t.Parallel()
	pool, _, s := lendingPool(t, Options{seams: poolSeams{beat: time.Hour, probeAfter: -1}})
	ends := []struct { // first those after which the browser stays: each start costs seconds
		kind   string
		signal syscall.Signal
		stays  bool // the browser
	}{
		{instance.RendererKind, syscall.SIGKILL, true}, {instance.RendererKind, syscall.SIGSTOP, true}, {instance.ZygoteKind, syscall.SIGSTOP, true},
		{instance.NetworkKind, syscall.SIGSTOP, false}, {instance.NetworkKind, syscall.SIGKILL, false},
	}
	for _, c := range ends[:inFull(4, len(ends))] { // one that is killed ends its browser: TestPulse_replacesABrowserThatHalfLives
		t.Run(c.kind+" "+c.signal.String(), func(t *testing.T) {
			if err := pool.Prepare(testContext(t)); err != nil {
				t.Fatal(err)
			}
			ready := readyAhead(t, pool)
			signal(t, ready.gen, c.kind, c.signal)
			p := openFrom(t, pool, PageOptions{})
			if alike := c.kind == instance.ZygoteKind; (p == ready) != alike {
				t.Errorf("got the page that was made ahead: %t, want %t", p == ready, alike)
			}
			if visit(t, p, s.URL+"/"); (p.gen == ready.gen) != c.stays {
				t.Errorf("the browser is the same: %t, want %t", p.gen == ready.gen, c.stays)
			}
			signalBack(ready.gen)
		})
	}
}

func warmTabIsAskedBeforeItIsLent(t *testing.T, pool *Pool) {
	t.Helper()
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		w, err := pool.Warm(testContext(t), PageOptions{}, "a.example")
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.Page(testContext(t))
		if err != nil || !w.Answers(testContext(t)) {
			t.Fatalf("a tab that lives does not answer: %v", err)
		}
		signal(t, p.gen, instance.RendererKind, sig)
		if w.Answers(testContext(t)) {
			t.Errorf("%s: a tab without a renderer answers", sig)
		}
		w.Abandon()
		if p.gen.IsDead() {
			t.Errorf("%s: the browser was ended for one tab", sig)
		}
	}
}

// signalBack lets stopped processes go on, so that a test's end needn't wait for what it doesn't test.
func signalBack(g *generation) {
	for _, p := range g.Family() {
		if p.Stopped() {
			_ = syscall.Kill(p.PID, syscall.SIGCONT)
		}
	}
}

func abandonDoesNotWait(t *testing.T, pool *Pool, l *lender) {
	t.Helper()
	p := openFrom(t, pool, PageOptions{})
	signal(t, p.gen, "driver", syscall.SIGSTOP)
	p.Abandon()
	if instance.IsClosed(p.tab.Freed()) {
		t.Error("the page has ended in a driver that is stopped")
	}
	signalBack(p.gen)
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	if l.back.Load() != l.lent.Load() {
		t.Error("want Pool.Close to wait for the page")
	}
}

func onlyPagesInUseAreWork(t *testing.T, pool *Pool) {
	t.Helper()
	if err := pool.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	g := readyAhead(t, pool).gen
	if pool.browsers.inUse(g) {
		t.Error("a page that waits ahead is taken for work")
	}
	p := openFrom(t, pool, PageOptions{})
	if !pool.browsers.inUse(g) {
		t.Error("a page in use is not taken for work")
	}
	_ = p.Close()
	if pool.browsers.inUse(g) {
		t.Error("a page that was closed is taken for work")
	}
}

func TestSession_thatHalfLivesEnds(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	proxy := newProxy(t)
	s := newSession(t, SessionOptions{Egress: egressTo(t, proxy.Listener.Addr().String())})
	signal(t, s.gen, instance.NetworkKind, syscall.SIGSTOP)
	<-s.Done()
	if err := s.Err(); !errors.Is(err, ErrCrashed) {
		t.Errorf("got %v, want ErrCrashed", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
