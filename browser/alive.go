package browser

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// A page that has waited is checked for an answer before it is handed out, and discarded without one: another costs little.
const (
	probeAfter = time.Second // pages that have waited less are handed out unchecked
	answerWait = time.Second
)

// Answers reports whether renderer, browser and network service answer for the page within a second. It is for pages that have waited: on
// a page in use, scripts may keep the renderer from answering. A browser without an answer because one of its processes is stopped or has
// ended is killed too.
func (p *Page) Answers(ctx context.Context) bool {
	network := make(chan bool, 1)
	go func() {
		network <- answers(ctx, p, func() (any, error) { return p.tab.Context().Cookies() })
	}()
	renderer := answers(ctx, p, func() (any, error) { return p.tab.Page.Evaluate("0") })
	if <-network && renderer {
		return true
	}
	if ctx.Err() == nil {
		p.pool.log.Info("an idle page does not answer")
		p.gen.Examine()
	}
	return false
}

func answers(ctx context.Context, p *Page, ask func() (any, error)) bool {
	_, err, answered := tab.Try(ctx, p.tab, answerWait, ask)
	return answered && err == nil
}

// stale reports whether a page that was made ahead has waited so long that it should be checked.
func (p *Pool) stale(a *ahead) bool {
	after := p.opts.seams.probeAfter
	if after == 0 {
		after = probeAfter
	}
	return p.opts.seams.now().Sub(a.since) >= after
}

// inUse reports whether a page of a generation is in use, or being made or closed. One that was made ahead only waits.
func (p *Pool) inUse(g *generation) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	open := g.open
	if a := p.ahead; a != nil && a.gen == g && instance.IsClosed(a.done) && a.page != nil {
		open--
	}
	return open > 0
}
