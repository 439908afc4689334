package engine

import (
	"context"
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine/internal/records"
	"github.com/winnow-go/winnow/engine/internal/sessions"
)

// Statuses of a session.
const (
	SessionActive    = "active"
	SessionDestroyed = "destroyed"
)

// SessionInfo describes a session.
type SessionInfo struct {
	ID string `json:"id"`
	// Status is "active" or "destroyed".
	Status string `json:"status"`
	Owner  string `json:"owner,omitempty"`
	// Scrape that the session went on with; empty for none.
	Scrape string `json:"scrape,omitempty"`
	// CreatedAt, LastActivity, ExpiresAt (by its TTL) and EndedAt, which is zero while it is active.
	CreatedAt    time.Time `json:"createdAt"`
	LastActivity time.Time `json:"lastActivity"`
	ExpiresAt    time.Time `json:"expiresAt"`
	EndedAt      time.Time `json:"endedAt,omitzero"`
	// Reason why it ended.
	Reason string `json:"reason,omitempty"`
	// Duration so far, or in all.
	Duration time.Duration `json:"duration"`
	// Credits that it has cost so far, or in all.
	Credits int `json:"credits"`
	// LiveViewURL and InteractiveLiveViewURL are empty without [Options.LiveView], with NoLiveView, and after the end.
	LiveViewURL            string `json:"liveViewUrl,omitempty"`
	InteractiveLiveViewURL string `json:"interactiveLiveViewUrl,omitempty"`
}

// sessionOptions are what the engine's sessions need.
func (e *Engine) sessionOptions() sessions.Options {
	return sessions.Options{
		Max: e.options.MaxSessions, Pages: e.pages, Browser: e.launchOptions(), AllowUnsandboxed: e.options.AllowUnsandboxedCode,
		Guard: e.guard, OpenGuard: e.openGuard, Target: parseTarget, View: e.live,
		State: e.stores.State, KeepFor: records.MaxAge, Book: e.stores.Ledger.Add, Now: e.now, Ages: e.stores.Ages, Log: e.log,
	}
}

// Sessions lists the sessions of the last 24 hours in the reverse order of their creation, those of a status alone, "active" or
// "destroyed", or all with "". The owner isn't checked.
func (e *Engine) Sessions(ctx context.Context, status string) ([]SessionInfo, error) {
	if !slices.Contains([]string{"", SessionActive, SessionDestroyed}, status) {
		return nil, failure(ctx, "sessions", "", &OptionError{Field: "status", Value: status, Want: `"active", "destroyed" or empty`})
	}
	var list []SessionInfo
	err := e.manage(ctx, "sessions", "", func(context.Context) error {
		all, err := e.sessions.List(status)
		for _, info := range all {
			list = append(list, SessionInfo(info))
		}
		return err
	})
	return list, err
}

// Session gives an active session by its id. One that has ended is a [CodeSessionDestroyed] error, an id that isn't known a
// [CodeNotFound] error. The owner isn't checked: a caller who serves several does that.
func (e *Engine) Session(ctx context.Context, id string) (*Session, error) {
	var s *Session
	err := e.manage(ctx, "session", "", func(context.Context) error {
		room, err := e.sessions.Session(id)
		if err == nil {
			s = &Session{engine: e, room: room}
		}
		return err
	})
	return s, err
}

// SessionInfo describes a session, also one that has ended in the last 24 hours.
func (e *Engine) SessionInfo(ctx context.Context, id string) (SessionInfo, error) {
	var info sessions.Info
	err := e.manage(ctx, "session", "", func(context.Context) (err error) {
		info, err = e.sessions.Info(id)
		return err
	})
	return SessionInfo(info), err
}
