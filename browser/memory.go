package browser

import (
	"time"
)

// memoryEvery is how often the memory of the browsers is looked at.
const memoryEvery = 10 * time.Second

// watchMemory retires browsers that have grown too big, until close.
func (b *browsers) watchMemory() {
	every := b.opts.seams.memoryEvery
	if every == 0 {
		every = memoryEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-tick.C:
		}
		g := b.now()
		if g == nil || g.IsDead() {
			continue
		}
		if held, over := g.OverMemory(b.opts.MaxMemory); over {
			b.log.Info("replacing a browser that holds too much memory", "bytes", held)
			b.retire(g)
		}
	}
}
