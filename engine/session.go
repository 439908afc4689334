package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/code"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/formats"
)

// Bounds of a session's life.
const (
	defaultTTL  = 10 * time.Minute
	defaultIdle = 5 * time.Minute
	leastTTL    = 30 * time.Second
	leastIdle   = 10 * time.Second
	longestTTL  = time.Hour
)

// patience is how long a browser may take to answer before it is taken for frozen.
const patience = 10 * time.Second

// nowhere stands for the address of an empty page: no name ends so (RFC 2606).
const nowhere = "https://session.invalid/"

// SessionOptions are the options of a browser session. The zero value is a session of ten minutes with
// an empty desktop browser.
type SessionOptions struct {
	// URL that the session begins at. Empty: an empty page. Only a session whose first URL, this one,
	// that of the first Goto, or the first that code or an action contacts, is of a virtual host can reach
	// virtual hosts.
	URL string
	// TTL is how long the session lasts at most, 30 s to an hour. Zero is 10 minutes.
	TTL time.Duration
	// ActivityTTL is how long it lasts without being used, 10 s to an hour. Zero is 5 minutes. A
	// person's input in the live view is use; looking is not.
	ActivityTTL time.Duration
	// Profile is loaded when the session begins and, with SaveChanges, kept when it ends. One
	// session or scrape at a time may save it, else [CodeProfileBusy].
	Profile *Profile
	// Viewport of the page. Nil is 1280 by 800, with Mobile that of a phone.
	Viewport *formats.Viewport
	// Mobile emulates a phone.
	Mobile bool
	// Location that pages are shown.
	Location *Location
	// Proxy and ProxyURL are the way out, as in [ScrapeOptions], without a second try.
	Proxy    ProxyTier
	ProxyURL string
	// BlockAds keeps advertisements and trackers away and handles cookie banners. Nil is true.
	BlockAds *bool
	// SkipTLSVerification accepts any certificate.
	SkipTLSVerification bool
	// NoLiveView keeps the session from being looked at: it has no addresses then. See [LiveViewOptions].
	NoLiveView bool
	// Owner is whom the session, its profile and its credits belong to.
	Owner string
}

// Session is a browser of its own that code, a model or a person drives. It ends by Close, by its TTL, by
// idleness, with its engine, or when its browser dies. Its methods may be called from any goroutine; they
// are carried out one after the other. On an ended session they give a [CodeSessionDestroyed] error. When the ctx of a call
// ends while the browser owes an answer, the page is given up, and the next call finds a blank one.
type Session struct {
	engine *Engine
	id     string
	plan   *plan // how its pages are shown, and which way they go

	browser  *browser.Session
	lease    *guard.Lease
	hold     *profile.Hold // nil without a profile
	runner   *code.Runner  // nil until code was run; by whoever has the turn
	blocking blocking
	folder   string // of the lease's socket

	patience time.Duration // with a browser that may be frozen
	turn     chan struct{} // holds one token: who has it drives the page
	life     context.Context
	end      context.CancelCauseFunc
	gone     chan struct{} // closed when nothing of it is left

	mu     sync.Mutex
	record sessionRecord
	busy   int  // calls that are being carried out
	placed bool // its first URL is known

	unseen        bool          // it has no live view
	look, control string        // addresses of its live view
	kept          sessionRecord // as it was written last
	void          bool          // it never came to be: nothing is kept or charged of it
	err           error         // of its end: what could not be kept
}

// Reasons for which a session ends.
var (
	errSessionClosed = errors.New("it was closed")
	errSessionTTL    = errors.New("its time was over")
	errSessionIdle   = errors.New("it was not used any more")
	errEngineEnded   = errors.New("its engine ended")
)

// ID finds the session again: [Engine.Session]. A UUIDv7.
func (s *Session) ID() string { return s.id }

// NewSession starts a browser that nothing else uses, in a sandbox of its own. The first one installs what is
// missing, as a scrape does. Errors: [CodeSessionLimit] when [Options.MaxSessions] are active,
// [CodeProfileBusy], [CodeNotConfigured] where there is no sandbox or browser, [CodeSessionFailed]
// when it can't be started, those of Goto when URL can't be loaded: then there is no session, and none is charged.
// The session outlives ctx; end it with Close.
func (e *Engine) NewSession(ctx context.Context, o SessionOptions) (*Session, error) {
	s, err := e.newSession(ctx, o, "")
	if err != nil {
		return nil, failure(ctx, "session", o.URL, err)
	}
	s.note(ctx, "browser", o.URL)
	return s, nil
}

// note lists the session among what was asked for.
func (s *Session) note(ctx context.Context, endpoint, target string) {
	info := s.Info()
	s.engine.stores.ledger.note(Activity{ID: s.id, Endpoint: endpoint, Owner: info.Owner, Target: target, CreatedAt: info.CreatedAt, Labels: labelsOf(ctx)})
}

// newSession checks the options, takes a place among the sessions, and starts the browser. scrape is the one
// that it goes on with.
func (e *Engine) newSession(ctx context.Context, o SessionOptions, scrape string) (_ *Session, err error) {
	p, err := e.sessionPlan(o)
	if err != nil {
		return nil, err
	}
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := e.sessions.reserve(); err != nil {
		return nil, err
	}
	s := e.planSession(o, p, scrape)
	if err := s.start(ctx); err != nil {
		e.sessions.free()
		return nil, err
	}
	s.record.Created = e.now() // an install takes its time
	s.record.Used = s.record.Created
	err = e.sessions.add(s)
	if err == nil && o.URL != "" {
		err = s.Goto(ctx, o.URL)
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// abandon ends a session that nobody was given.
func (s *Session) abandon() {
	s.mu.Lock()
	s.void = true
	s.mu.Unlock()
	_, _ = s.Close()
}

func (e *Engine) planSession(o SessionOptions, p *plan, scrape string) *Session {
	s := &Session{
		engine: e, id: uuid.Must(uuid.NewV7()).String(), plan: p, patience: patience, turn: make(chan struct{}, 1), gone: make(chan struct{}),
		unseen: o.NoLiveView,
	}
	s.record = sessionRecord{
		ID: s.id, Owner: o.Owner, Scrape: scrape, TTL: orDefault(o.TTL, defaultTTL), Idle: orDefault(o.ActivityTTL, defaultIdle),
	}
	s.turn <- struct{}{}
	s.life, s.end = context.WithCancelCause(context.Background())
	return s
}

// sessionPlan checks the options by the rules of a scrape.
func (e *Engine) sessionPlan(o SessionOptions) (*plan, error) {
	for _, c := range []struct {
		field       string
		value       time.Duration
		least, most time.Duration
	}{{"ttl", o.TTL, leastTTL, longestTTL}, {"activityTtl", o.ActivityTTL, leastIdle, longestTTL}} {
		if c.value != 0 && (c.value < c.least || c.value > c.most) {
			return nil, &OptionError{Field: c.field, Value: c.value, Want: fmt.Sprintf("%s to %s", c.least, c.most)}
		}
	}
	like := ScrapeOptions{
		Profile: o.Profile, Mobile: o.Mobile, Location: o.Location, Proxy: o.Proxy, ProxyURL: o.ProxyURL, BlockAds: o.BlockAds,
		SkipTLSVerification: &o.SkipTLSVerification, Owner: o.Owner, Render: RenderAlways,
	}
	if o.Viewport != nil {
		like.Formats = []formats.Format{{Type: formats.Screenshot, Viewport: o.Viewport}}
	}
	return e.resolve(orDefault(o.URL, nowhere), like)
}
