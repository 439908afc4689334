package browser

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// A page that has waited is checked for an answer before it is handed out, and discarded without one: another costs little.
const (
	probeAfter  = time.Second // pages that have waited less are handed out unchecked
	answerWait  = time.Second
	slowAnswers = 10 // times answerWait, on a machine that has no time for the browser
)

// allAnswer reports whether renderer, browser and network service answer for a tab in time.
func allAnswer(ctx context.Context, t *tab.Tab) bool {
	network := make(chan bool, 1)
	go func() {
		network <- answers(ctx, t, func() (any, error) { return t.Context().Cookies() })
	}()
	renderer := answers(ctx, t, func() (any, error) { return t.Page.Evaluate("0") })
	return <-network && renderer
}

func answers(ctx context.Context, t *tab.Tab, ask func() (any, error)) bool {
	ctx, cancel := context.WithCancel(ctx)
	done, ok := make(chan struct{}), false
	go func() {
		defer close(done)
		_, err, answered := tab.Try(ctx, t, slowAnswers*answerWait, ask)
		ok = answered && err == nil
	}()
	t.Browser.Await(done, answerWait, slowAnswers)
	cancel()
	<-done
	return ok
}

// stale reports whether a page that was made ahead has waited so long that it should be checked.
func (p *Pool) stale(a *ahead) bool {
	after := p.opts.seams.probeAfter
	if after == 0 {
		after = probeAfter
	}
	return p.opts.seams.now().Sub(a.since) >= after
}

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
