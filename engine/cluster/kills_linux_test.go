package cluster

import (
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
)

// pagesOfKills are those of a site: a tenth unless WINNOW_SOAK is 1.
func pagesOfKills() int { return inFull(1200, 120) }

func newWebSite(t *testing.T) *webSite {
	return &webSite{madeUp: newMadeUp(t, pagesOfKills(), 30)}
}

func serveSite(t *testing.T, site *webSite) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: site}
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Serve(l) })
	t.Cleanup(func() {
		site.change(func() { site.closed = true })
		_ = s.Close()
		serving.Wait()
	})
	return l.Addr().String()
}

const many = 1 << 30

// threeAtWork are workers that have fetched a quarter of a site, and wait to be let go on.
func threeAtWork(t *testing.T) (c *servers, a, b, x *process) {
	t.Helper()
	c = newServers(t, newWebSite(t), serverOrders{})
	a, b, x = c.join("a", c.addr()), c.join("b", c.addr()), c.join("x", c.addr())
	c.shares(2, a, b, x)
	c.start(a, "job")
	c.fetched(c.site.pages / 4)
	return c, a, b, x
}

// One of three workers is killed while it has pages. The others have them again, and it is back under another name.
func TestProcesses_aWorkerIsKilled(t *testing.T) {
	t.Parallel()
	c, a, b, x := threeAtWork(t)
	x.kill()
	c.shares(3, a, b)
	c.fetched(c.site.pages / 4)
	y := c.join("y", c.addr())
	c.shares(2, a, b, y)
	c.site.change(func() { c.site.allowed = many })
	c.events(b, "job")
	y.end()
	c.shares(3, a, b)
}

// One of three workers sleeps past its lease, while it has a page that another one then fetches and completes. When it wakes up its result
// is refused.
func TestProcesses_aWorkerSleepsPastItsLease(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	c, a, b, x := threeAtWork(t)
	c.site.change(func() { c.site.hold, c.site.allowed = "x", many })
	c.await("a page of x", c.site.look(func() bool { return c.site.held != "" }))
	x.signal(syscall.SIGSTOP)
	c.shares(3, a, b)
	c.await("the page that x has", c.site.look(func() bool { return c.site.visits[c.site.held] > 1 }))
	c.site.change(func() { c.site.goOn = true })
	x.signal(syscall.SIGCONT)
	by := c.events(a, "job")
	if by[c.site.held].Visit == c.site.heldVisit {
		t.Errorf("%s was completed by the one that slept", c.site.held)
	}
	c.await("x finds out", func() bool { return x.err.has("has another owner") || x.err.has("took this member for dead") })
	c.shares(2, a, b, x)
}

// The NATS server is killed and started again on what it has stored, also while one worker is dead and another one sleeps.
func TestProcesses_theServerIsKilled(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	c, a, b, x := threeAtWork(t)
	c.nats.kill()
	c.restart()
	c.fetched(c.site.pages / 4)
	b.kill()
	c.nats.kill()
	x.signal(syscall.SIGSTOP)
	c.restart()
	c.shares(6, a)
	c.fetched(c.site.pages / 8)
	x.signal(syscall.SIGCONT)
	c.shares(3, a, x)
	c.site.change(func() { c.site.allowed = many })
	c.nats.kill()
	c.restart()
	c.events(x, "job")
}

// A worker's connection passes nothing on any more, until others have its shards; then what it has sent meanwhile arrives.
func TestProcesses_aConnectionIsSevered(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	c := newServers(t, newWebSite(t), serverOrders{})
	line := newProxy(t, c.addr())
	a, b, x := c.join("a", c.addr()), c.join("b", c.addr()), c.join("x", line.addr())
	c.shares(2, a, b, x)
	c.start(a, "job")
	c.fetched(c.site.pages / 4)
	line.cut()
	c.fetched(c.site.pages / 4)
	c.site.change(func() { c.site.allowed = many })
	line.freeze(true)
	c.shares(3, a, b)
	line.freeze(false)
	c.events(b, "job")
	c.shares(2, a, b, x)
}
