package mcp

import (
	"encoding/json"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine"
)

// progress reports how far a call is, to clients that want it. The zero value reports nothing.
type progress struct {
	session *sdk.ServerSession
	token   any
	at      *position
}

// position is the last number that was sent: each is greater than the one before.
type position struct {
	mu   sync.Mutex
	last float64
}

func progressOf(request *sdk.CallToolRequest) progress {
	return progress{request.Session, request.Params.GetProgressToken(), &position{}}
}

// report sends that so much of all is done; 0: how much that is isn't known. done 0 counts one on.
func (c *call) report(done, all int, message string) {
	p := c.progress
	if p.token == nil || p.session == nil {
		return
	}
	p.at.mu.Lock()
	defer p.at.mu.Unlock()
	now := float64(done)
	if done == 0 {
		now = p.at.last + 1
	}
	if now <= p.at.last {
		return
	}
	p.at.last = now
	// A client that is gone needs no progress.
	_ = p.session.NotifyProgress(c.ctx, &sdk.ProgressNotificationParams{
		ProgressToken: p.token, Message: message, Progress: now, Total: float64(all),
	})
}

// step reports a step of a scrape.
func (c *call) step(s engine.Step) { c.report(0, 0, s.Name) }

// event reports an event of a job.
func (c *call) event(ev engine.Event) {
	var page engine.PageEvent
	if ev.Type != "page" || json.Unmarshal(ev.Data, &page) != nil {
		c.report(0, 0, ev.Type)
		return
	}
	p := page.Progress
	c.report(p.Done+p.Failed, p.Known, "pages")
}
