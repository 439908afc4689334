package cluster

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// storms is how many faults a storm has.
func storms() int { return inFull(40, 1) }

// Faults follow each other at any moment, so that each of them meets what another one has set going.
func TestProcesses_storm(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	c := newServers(t, newWebSite(t), serverOrders{})
	line := newProxy(t, c.addr())
	a, b := c.join("a", c.addr()), c.join("b", line.addr())
	c.start(a, "job")
	for i := range storms() {
		c.site.change(func() { c.site.allowed = i + 1 })
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		x := c.join(fmt.Sprint("x", i), c.addr())
		switch random.IntN(4) {
		case 0:
			c.nats.kill()
			x.kill()
			time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
			c.restart()
		case 1:
			a.signal(syscall.SIGSTOP)
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			c.nats.kill()
			c.restart()
			a.signal(syscall.SIGCONT)
		case 2:
			line.freeze(true)
			c.shares(3, a, x)
			c.nats.kill()
			c.restart()
			line.freeze(false)
		case 3:
			line.cut()
			b.signal(syscall.SIGSTOP)
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			b.signal(syscall.SIGCONT)
		}
		x.kill()
		c.shares(3, a, b)
	}
	c.site.change(func() { c.site.allowed = many })
	c.events(a, "job")
}
