package engine

import (
	"net/http"

	"github.com/winnow-go/winnow/engine/internal/sessions"
)

// LiveViewOptions say where people look at sessions. Each session has two addresses that can't be guessed: one
// lets its holder watch, the other lets its holder operate the browser too. They end with the session.
type LiveViewOptions struct {
	// Addr to listen on, "host:port", from the first session on. Empty: a free port of the loopback. Elsewhere put
	// TLS before it: anyone on the network path could read the addresses.
	Addr string
	// BaseURL is where [Engine.LiveView] is mounted, with the path, such as "https://api.example/live/": then nothing is
	// listened on. Empty: the engine listens on Addr.
	BaseURL string
	// FrameAncestors are the origins whose pages may show the view in a frame. Nil: none.
	FrameAncestors []string
}

// newLiveView is the live view of an engine; nil where it is off.
func newLiveView(o Options) (*sessions.View, error) {
	if o.LiveView == nil {
		return nil, nil
	}
	return sessions.NewView(sessions.ViewOptions{
		Addr: o.LiveView.Addr, BaseURL: o.LiveView.BaseURL, FrameAncestors: o.LiveView.FrameAncestors, Logger: o.Logger,
	})
}

// LiveView serves the addresses of [SessionInfo] wherever it is mounted; all else is not found. It answers 404 to everything
// without [Options.LiveView].
func (e *Engine) LiveView() http.Handler { return e.live.Handler() }
