package browser

import (
	"time"
)

// memoryEvery is how often the memory of the browsers is looked at.
const memoryEvery = 10 * time.Second

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
		if g == nil || g.IsDead() {
			continue
		}
		if held, over := g.OverMemory(p.opts.MaxMemory); over {
			p.log.Info("replacing a browser that holds too much memory", "bytes", held)
			p.retire(g)
		}
	}
}
