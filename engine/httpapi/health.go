package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// Routes of probes: open to all, not rated, and in the log at debug level only.
const (
	livePattern  = "GET /healthz"
	readyPattern = "GET /readyz"
)

// probeTimeout is how long a store may take to answer a probe.
const probeTimeout = 2 * time.Second

func healthTable() []route {
	return []route{
		{livePattern, open, 0, handleLive},
		{readyPattern, open, 0, handleReady},
	}
}

// probe reports whether a route is for probes, which machines send all day long.
func (r route) probe() bool { return r.pattern == livePattern || r.pattern == readyPattern }

// health is the answer to probes.
type health struct {
	Status  string   `json:"status"`
	Reasons []string `json:"reasons,omitempty"`
}

// handleLive is GET /healthz: an answer shows that the process is running.
func handleLive(c *call) error { return c.reply(health{Status: "ok"}) }

// handleReady is GET /readyz: whether further requests should come here. No browser is looked for: not every request needs one.
func handleReady(c *call) error {
	reasons := unreadyReasons(c)
	if len(reasons) == 0 {
		return c.reply(health{Status: "ready"})
	}
	c.w.WriteHeader(http.StatusServiceUnavailable)
	return c.reply(health{Status: "unready", Reasons: reasons})
}

func unreadyReasons(c *call) (reasons []string) {
	select {
	case <-c.api.options.Stopping:
		reasons = append(reasons, "the service is stopping")
	default:
	}
	ctx, cancel := context.WithTimeout(c.r.Context(), probeTimeout)
	defer cancel()
	if un, ok := errors.AsType[*engine.UnreadyError](c.api.engine.Ready(ctx)); ok {
		c.api.options.Logger.LogAttrs(ctx, slog.LevelWarn, "httpapi: the engine is not ready",
			slog.Any("reasons", un.Reasons), slog.String("err", un.Err.Error()))
		reasons = append(reasons, un.Reasons...)
	}
	return reasons
}
