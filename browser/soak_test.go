//go:build unix

package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// TestMain looks for goroutines that are left.
func TestPool_nothingLeaksAfterManyScrapesWithKills(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	scrapes, each := inFull(15, 300), inFull(5, 10) // scrapes before a kill
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	pool := NewPool(Options{MaxPages: 3, MaxContexts: 25})
	k := &killer{pool: pool}
	work := make(chan int)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for n := range work {
				if err := k.scrape(t, s, n); err != nil {
					t.Errorf("scrape %d: %v", n, err)
				}
			}
		})
	}
	for n := range scrapes {
		if n%each == each-1 {
			k.kill()
		}
		work <- n
	}
	close(work)
	wg.Wait()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	for _, marker := range k.markers {
		if left := processesWith("WINNOW_RUN=" + marker); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
	}
	for _, dir := range k.folders {
		if exists(dir) {
			t.Errorf("folder %s is left", dir)
		}
	}
	t.Logf("%d scrapes, %d kills, %d browsers, %d scrapes done again", scrapes, k.kills, len(k.folders), k.again)
}

// killer breaks the browser that is in use, in every way, and keeps what each had.
type killer struct {
	pool  *Pool
	kills int

	mu               sync.Mutex
	again            int
	markers, folders []string
	known            map[*generation]bool
}

// meet notes a browser that must be gone in the end.
func (k *killer) meet(g *generation) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[*generation]bool{}
	}
	if !k.known[g] {
		k.known[g] = true
		k.markers, k.folders = append(k.markers, g.Folder.Marker()), append(k.folders, g.Folder.Dir)
	}
}

func (k *killer) kill() {
	g := k.pool.browsers.now()
	if g == nil {
		return
	}
	k.kills++
	switch k.kills % 3 {
	case 0:
		process.KillGroup(g.Folder.BrowserPID())
	case 1:
		_ = syscall.Kill(g.DriverPID(), syscall.SIGKILL)
	case 2:
		_ = syscall.Kill(-g.Folder.BrowserPID(), syscall.SIGSTOP)
	}
}

// scrape is one visit, tried again when the browser dies meanwhile or answers no more.
func (k *killer) scrape(t *testing.T, s *site, n int) (err error) {
	for range 5 {
		err = k.scrapeOnce(testContext(t), s, n)
		if err == nil || !errors.Is(err, ErrCrashed) && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		k.mu.Lock()
		k.again++
		k.mu.Unlock()
	}
	return err
}

// visitTime is what a browser has to answer in, once there is one: on a busy machine its start alone takes longer.
const visitTime = 20 * time.Second

func (k *killer) scrapeOnce(ctx context.Context, s *site, n int) error {
	p, err := k.pool.Open(ctx, PageOptions{Proxy: s.proxy, Mobile: n%4 == 3})
	if err != nil {
		return err
	}
	k.meet(p.gen)
	defer p.Close()
	ctx, cancel := context.WithTimeout(ctx, visitTime)
	defer cancel()
	if _, err := p.Goto(ctx, s.URL+"/"); err != nil {
		return fmt.Errorf("goto: %w", err)
	}
	if _, err := p.WaitReady(ctx); err != nil {
		return err
	}
	_, err = p.Content(ctx)
	return err
}
