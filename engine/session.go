package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/formats"
)

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
	// Proxy and ProxyURL are the way out, as in [ScrapeOptions], without a second try. What that says of the
	// risk of ProxyURL holds here too.
	Proxy    ProxyTier
	ProxyURL string
	// BlockAds keeps advertisements and trackers away and handles cookie banners. Nil is true. Of [Options.FilterLists] only rules for whole
	// hosts count, as on the page that the session begins at, unless [Options.FilterInProxy] is set.
	BlockAds *bool
	// SkipTLSVerification accepts any certificate.
	SkipTLSVerification bool
	// NoLiveView keeps the session from being looked at: it has no addresses then. See [LiveViewOptions].
	NoLiveView bool
	// Record is the file of an archive that is written of all that the session's tabs fetch, as [CrawlOptions].Record says. It is whole once
	// the session has ended. Empty: none.
	Record string
	// Owner is the tenant that owns the session and its profile and pays its credits.
	Owner string
}

// Session is a browser of its own that code, a model or a person drives. It ends by Close, by its TTL, by
// idleness, with its engine, or when its browser dies. Its methods may be called from any goroutine; they
// are carried out one after the other. On an ended session they give a [CodeSessionDestroyed] error. When the ctx of a call
// ends while the browser owes an answer, the page is given up, and the next call finds a blank one.
type Session struct {
	engine *Engine
	room   *sessions.Session
}

// NewSession starts a browser that nothing else uses, in a sandbox of its own. The first one installs what is
// missing, as a scrape does. Errors: [CodeSessionLimit] when [Options.MaxSessions] are active,
// [CodeProfileBusy], [CodeNotConfigured] where there is no sandbox or browser, [CodeSessionFailed]
// when it can't be started, those of Goto when URL can't be loaded: then there is no session, and none is charged.
// The session outlives ctx; end it with Close.
func (e *Engine) NewSession(ctx context.Context, o SessionOptions) (*Session, error) {
	r, err := e.sessionRequest(o)
	if err != nil {
		return nil, failure(ctx, "session", o.URL, err)
	}
	s := &Session{engine: e}
	err = e.manage(ctx, "session", o.URL, func(ctx context.Context) error {
		s.room, err = e.sessions.Start(ctx, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.noteSession(ctx, s.room, "browser", o.URL)
	return s, nil
}

// noteSession lists a session among what was asked for.
func (e *Engine) noteSession(ctx context.Context, s *sessions.Session, endpoint, target string) {
	info := s.Info()
	e.note(ctx, Activity{
		ID: info.ID, Endpoint: endpoint, Owner: info.Owner, Target: target, CreatedAt: info.CreatedAt,
	})
}

// sessionRequest checks the options by the rules of a scrape.
func (e *Engine) sessionRequest(o SessionOptions) (r sessions.Request, err error) {
	ttl, idle, err := sessions.Lifetimes(o.TTL, o.ActivityTTL)
	if err != nil {
		return r, err
	}
	like := ScrapeOptions{
		Profile: o.Profile, Mobile: o.Mobile, Location: o.Location, Proxy: o.Proxy, ProxyURL: o.ProxyURL, BlockAds: o.BlockAds,
		SkipTLSVerification: &o.SkipTLSVerification, Owner: o.Owner, Render: RenderAlways,
	}
	if o.Viewport != nil {
		like.Formats = []formats.Format{{Type: formats.Screenshot, Viewport: o.Viewport}}
	}
	p, err := e.resolve(cmp.Or(o.URL, nowhere), like)
	if err != nil {
		return r, err
	}
	r = sessions.Request{Page: p.Request.Request, Tier: p.Tier, TTL: ttl, Idle: idle, Unseen: o.NoLiveView, Record: o.Record}
	if o.URL != "" {
		r.URL = p.URL
	}
	return r, e.taped.Check(o.Record, false)
}

// ID finds the session again: [Engine.Session]. A UUIDv7.
func (s *Session) ID() string { return s.room.ID() }

// Info describes the session as it is now.
func (s *Session) Info() SessionInfo { return SessionInfo(s.room.Info()) }

// Close ends the session, keeps its profile where that was asked for, and waits until nothing of it is left. It may
// be called again, and always gives the same: duration and credits in the info, and what could not be kept.
func (s *Session) Close() (SessionInfo, error) {
	info, err := s.room.Close()
	return SessionInfo(info), err
}

// Goto loads an address and waits until the page has come to rest, for a minute at most where ctx has no deadline. A page
// that answers 404 is no error. Errors are those of [Engine.Scrape], such as [CodeBlocked], [CodeDNS] and [CodeTimeout].
func (s *Session) Goto(ctx context.Context, url string) error {
	href, err := parseTarget(url)
	if err != nil {
		return failure(ctx, "session", url, err)
	}
	return s.engine.manage(ctx, "session", "", func(ctx context.Context) error { return s.room.Goto(ctx, href) })
}

// Do performs actions on the page, in order, under the rules of [ScrapeOptions.Actions], waits until the page has come to rest, and
// gives what they yield. What was got before a failure is given beside the error. Where ctx has no deadline it takes
// a minute at most, beside the waits among the actions.
func (s *Session) Do(ctx context.Context, list ...actions.Action) (out *actions.Output, err error) {
	if err := checkActions(ScrapeOptions{Actions: list}); err != nil {
		return nil, failure(ctx, "session", "", err)
	}
	err = s.engine.manage(ctx, "session", "", func(ctx context.Context) (err error) {
		out, err = s.room.Do(ctx, list)
		return err
	})
	return out, err
}

// PageView is what a session's page shows to those who act on it.
type PageView struct {
	// Text has a line for each visible thing, at most 40,000 characters: its role, its name in quotes, its state, and in brackets a reference,
	// such as e12, where it can be acted on. No other element of the page ever gets the same reference. What the page says is quoted.
	Text string
	// URL and Title of the document.
	URL, Title string
	// Did says what the tool of [Session.Act] did; it may quote the page.
	Did string
}

// See returns what the page shows.
func (s *Session) See(ctx context.Context) (PageView, error) { return s.Act(ctx, "", nil) }

// Act does one thing to an element of the last [PageView], waits until the page has come to rest, and returns what it shows then. It is for
// models that the caller runs, whose tool calls it takes as they are; [Session.Ask] runs the engine's. The tools, with their
// arguments in JSON: click {"ref"}, type {"ref","text","submit"}, select {"ref","option"}, press {"key"}, scroll {"direction","ref"},
// wait {"milliseconds"}, goto {"url"}. What the page or the rules refuse, and an unknown tool or argument, is a [CodeAction] error, beside
// which the view is valid. Links and tabs are kept in the one page. Where ctx has no deadline it takes a minute at most.
func (s *Session) Act(ctx context.Context, tool string, arguments json.RawMessage) (v PageView, err error) {
	err = s.engine.manage(ctx, "session", "", func(ctx context.Context) error {
		got, err := s.room.Act(ctx, tool, arguments)
		v = PageView(got)
		return err
	})
	return v, err
}
