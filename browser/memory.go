package browser

import (
	"time"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// memoryEvery is how often the memory of the browsers is looked at.
const memoryEvery = 10 * time.Second

// maxDriverMemory is how many bytes the driver may hold alone: beside a young browser its leaks would go unnoticed.
const maxDriverMemory = 500 << 20

// watchMemory retires browsers that have grown too big, until the pool is closed.
func (p *Pool) watchMemory() {
	every := p.opts.seams.memoryEvery
	if every == 0 {
		every = memoryEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-tick.C:
		}
		p.mu.Lock()
		g := p.current
		p.mu.Unlock()
		if g == nil || g.isDead() {
			continue
		}
		if held, over := g.overMemory(p.opts.MaxMemory); over {
			p.log.Info("replacing a browser that holds too much memory", "bytes", held)
			p.retire(g)
		}
	}
}

// overMemory reports whether driver and browser hold more than they may.
func (g *generation) overMemory(limit int64) (held int64, over bool) {
	all := process.All()
	driver := process.Memory([]int{g.driver.Pid}, maxDriverMemory)
	if driver > maxDriverMemory {
		return driver, true
	}
	// The driver's tree holds the browser, unless something has taken the browser's parent away.
	held = process.Memory(process.Tree(all, g.driver.Pid, readPid(g.folder.browserPid())), limit)
	return held, held > limit
}
