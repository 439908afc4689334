package httpapi

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// startedSession is the answer to the start of a session. CDPURL is always empty: raw control would step around the egress policy.
type startedSession struct {
	Success bool   `json:"success"`
	ID      string `json:"id"`
	CDPURL  string `json:"cdpUrl"`
	views
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
}

// views are where people watch a session; empty where the operator has not set that up.
type views struct {
	LiveViewURL            string `json:"liveViewUrl"`
	InteractiveLiveViewURL string `json:"interactiveLiveViewUrl"`
}

func viewsOf(s engine.SessionInfo) views { return views{s.LiveViewURL, s.InteractiveLiveViewURL} }

// handleStartSession is POST /v2/browser.
func handleStartSession(c *call) error {
	o := engine.SessionOptions{Owner: c.team}
	show := true
	f := c.labels(decode.SessionFields(&o, &show))
	if err := c.body(f); err != nil {
		return err
	}
	o.NoLiveView = !show
	done, err := c.roomForSession()
	if err != nil {
		return err
	}
	defer done()
	s, err := work(c, "session", func(ctx context.Context) (*engine.Session, error) { return c.api.engine.NewSession(ctx, o) })
	if err != nil {
		return err
	}
	info := s.Info()
	return c.reply(startedSession{Success: true, ID: info.ID, views: viewsOf(info), ExpiresAt: stamp(info.ExpiresAt)})
}

// roomForSession counts a session that is about to be started, where the key's team may have another.
func (c *call) roomForSession() (done func(), err error) {
	if c.limits.Sessions == 0 {
		return func() {}, nil
	}
	done, ok, err := c.api.teams.Session(c.team, c.limits.Sessions, func() (int, error) {
		list, err := c.sessions(engine.SessionActive)
		return len(list), err
	})
	if err == nil && !ok {
		err = refusal(engine.CodeSessionLimit, "the team has reached its limit of active browser sessions")
	}
	return done, err
}

// sessions of the team.
func (c *call) sessions(status string) (list []engine.SessionInfo, err error) {
	all, err := c.api.engine.Sessions(c.r.Context(), status)
	for _, s := range all {
		if s.Owner == c.team {
			list = append(list, s)
		}
	}
	return list, err
}

// sessionItem is a session in the list.
type sessionItem struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	CDPURL string `json:"cdpUrl"`
	views
	StreamWebView bool       `json:"streamWebView"`
	CreatedAt     *time.Time `json:"createdAt,omitempty"`
	LastActivity  *time.Time `json:"lastActivity,omitempty"`
}

// sessionsBody lists the team's sessions.
type sessionsBody struct {
	Success  bool          `json:"success"`
	Sessions []sessionItem `json:"sessions"`
}

// handleListSessions is GET /v2/browser.
func handleListSessions(c *call) error {
	status := c.r.URL.Query().Get("status")
	switch status {
	case "", engine.SessionActive, engine.SessionDestroyed:
	default:
		return decode.Invalid("status", `want "active" or "destroyed"`)
	}
	found, err := c.sessions(status)
	if err != nil {
		return err
	}
	list := []sessionItem{}
	for _, s := range found {
		list = append(list, sessionItem{
			ID: s.ID, Status: s.Status, views: viewsOf(s), StreamWebView: s.LiveViewURL != "",
			CreatedAt: stamp(s.CreatedAt), LastActivity: stamp(s.LastActivity),
		})
	}
	return c.reply(sessionsBody{true, list})
}

// handleEndSession is DELETE /v2/browser/{id}.
func handleEndSession(c *call) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	return destroySession(c, id)
}

// handleEndNamedSession is DELETE /v2/browser with the id in the body.
func handleEndNamedSession(c *call) error {
	var id string
	if err := c.body(c.labels(decode.Fields{"id": decode.Text(&id, 1, decode.MaxLabel)})); err != nil {
		return err
	}
	if id == "" {
		return decode.Required("id", "the id of the session")
	}
	return destroySession(c, id)
}

// destroyed is the answer to the end of a session, also when it is ended again.
type destroyed struct {
	Success           bool  `json:"success"`
	SessionDurationMs int64 `json:"sessionDurationMs"`
	CreditsBilled     int   `json:"creditsBilled"`
	CleanupQueued     bool  `json:"cleanupQueued"` // never: browser and files are gone before the answer
}

func ended(s engine.SessionInfo) destroyed {
	return destroyed{Success: true, SessionDurationMs: s.Duration.Milliseconds(), CreditsBilled: s.Credits}
}

func destroySession(c *call, id string) error {
	info, err := c.session(id)
	if err != nil {
		return err
	}
	s, err := c.api.engine.Session(c.r.Context(), id)
	switch {
	case engine.CodeOf(err) == engine.CodeSessionDestroyed:
		return c.reply(ended(info))
	case err != nil:
		return err
	}
	if info, err = s.Close(); err != nil {
		return err
	}
	return c.reply(ended(info))
}

// session returns the state of a session of the caller's team.
func (c *call) session(id string) (engine.SessionInfo, error) {
	info, err := c.api.engine.SessionInfo(c.r.Context(), id)
	if err == nil && info.Owner != c.team {
		return info, errOtherTeam
	}
	return info, err
}
