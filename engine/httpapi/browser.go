package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// startedSession is the answer to whoever starts a session. CDPURL is always empty: raw control would step around the egress policy.
type startedSession struct {
	Success bool   `json:"success"`
	ID      string `json:"id"`
	CDPURL  string `json:"cdpUrl"`
	views
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
}

// views are where people look at a session; empty where the operator hasn't set that up.
type views struct {
	LiveViewURL            string `json:"liveViewUrl"`
	InteractiveLiveViewURL string `json:"interactiveLiveViewUrl"`
}

func viewsOf(s engine.SessionInfo) views { return views{s.LiveViewURL, s.InteractiveLiveViewURL} }

// startSession is POST /v2/browser.
func (c *call) startSession() error {
	o := engine.SessionOptions{Owner: c.team}
	show := true
	f := c.labels(fields{
		"ttl":           span(&o.TTL, time.Second, 30, 3600),
		"activityTtl":   span(&o.ActivityTTL, time.Second, 10, 3600),
		"streamWebView": flag(&show),
		"recordSession": unsupported,
		"profile":       nested(&o.Profile, profileFields),
	})
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
	done, ok, err := c.api.teams.session(c.team, c.limits.Sessions, func() (int, error) {
		list, err := c.sessions(engine.SessionActive)
		return len(list), err
	})
	if err == nil && !ok {
		err = &problem{status: http.StatusTooManyRequests, code: engine.CodeSessionLimit, text: "the team has as many active browser sessions as it may"}
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

// listSessions is GET /v2/browser.
func (c *call) listSessions() error {
	status := c.r.URL.Query().Get("status")
	switch status {
	case "", engine.SessionActive, engine.SessionDestroyed:
	default:
		return invalid("status", `want "active" or "destroyed"`)
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

// endSession is DELETE /v2/browser/{id}.
func (c *call) endSession() error {
	id, err := c.id()
	if err != nil {
		return err
	}
	return c.destroy(id)
}

// endNamedSession is DELETE /v2/browser with the id in the body.
func (c *call) endNamedSession() error {
	var id string
	if err := c.body(c.labels(fields{"id": text(&id, 1, longestLabel)})); err != nil {
		return err
	}
	if id == "" {
		return required("id", "the id of the session")
	}
	return c.destroy(id)
}

// destroyed is the answer to whoever ends a session, also again.
type destroyed struct {
	Success           bool  `json:"success"`
	SessionDurationMs int64 `json:"sessionDurationMs"`
	CreditsBilled     int   `json:"creditsBilled"`
	CleanupQueued     bool  `json:"cleanupQueued"` // never: browser and files are gone before the answer
}

func ended(s engine.SessionInfo) destroyed {
	return destroyed{Success: true, SessionDurationMs: s.Duration.Milliseconds(), CreditsBilled: s.Credits}
}

func (c *call) destroy(id string) error {
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

// session tells how a session of the caller's team stands.
func (c *call) session(id string) (engine.SessionInfo, error) {
	info, err := c.api.engine.SessionInfo(c.r.Context(), id)
	if err == nil && info.Owner != c.team {
		return info, errOtherTeam
	}
	return info, err
}
