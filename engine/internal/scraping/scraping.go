// Package scraping makes of a page what was asked for: it acquires the page, renders it, compares it with an earlier
// version, finds its media and has a model read it. A [Request] says what is wanted, a [Result] is what came of it; each
// step takes what the steps before it returned. It keeps no record and counts no credits.
//
//	scraping.go Scraper, Request, Options and Scrape
//	needs.go    what a Request needs
//	run.go      the order of the steps; Result
//	acquire.go  the page: from the cache, from another scrape that fetches it, or from its site
//	known.go    what the caller has of a page, which its site may vouch for
//	keep.go     what the cache has of a page, and keeping it
//	track.go    comparison with an earlier version
//	media.go    audio and video
//	ask.go      what a model adds
//	errors.go   why there is no page, or no medium
package scraping

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/flight"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/queue"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/warm"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/llm"
)

// Scraper has what all scrapes go through. All fields must be set, once. Safe for concurrent use.
type Scraper struct {
	Client     *fetch.Client
	Getter     *page.Getter
	Store      *pagestore.Store
	Queue      *queue.Queue // of scrapes that fetch
	Readers    *queue.Queue // of scrapes that are served from the cache
	Rendered   *render.Cache
	Desk       *page.Desk // nil: any number of pages is parsed at once
	Robots     *robotstxt.Files
	Layouts    *enrich.Layouts
	History    cache.Store                          // of change tracking
	Visibility func(address string) (string, error) // of a page to crawls
	Log        *slog.Logger
	Now        func() time.Time

	flights flight.Group[*Acquired]
}

// Request is a scrape with its defaults filled in and every option checked.
type Request struct {
	page.Request
	Rendering render.Request
	Caching   pagestore.Request
	// Tier of Proxy, and FallbackTier of Fallback, in the words of the metadata.
	Tier, FallbackTier string
	Timezone           string // that the page is shown; "" without a location
	RobotsAgent        string // that robots.txt is checked for; "" checks none
	NoRetention        bool   // no robots.txt is remembered either

	Clean      bool    // the markdown, by a model
	CleanBelow float64 // the confidence from which it needs no cleaning; 0: it always does
	Tokens     int     // that a model may use
}

// Options say how one scrape is made. The zero value is a scrape by itself without a model.
type Options struct {
	ID       string                                                        // begins the names of assets
	Acquire  func(context.Context) (page.Result, error)                    // gets the page; nil: from the cache or its site
	Attempt  *page.Attempt                                                 // at a page of a job; nil: the scrape itself tries again
	Paced    func(ctx context.Context, host string, do func() error) error // makes a request for a script at its host's pace; nil: at once
	Both     page.Ask                                                      // whether the page is got both ways; nil: it isn't
	Memory   *learnt.Memory                                                // of a job that leaves no trace; nil: that of the getter
	Tabs     *warm.JobTabs                                                 // of the job; nil: those of single scrapes
	OnPage   func(context.Context, *browser.Page) error                    // works on the live page before its content is read; may be nil
	Onward   func(ctx context.Context, to string) error                    // asked before a redirect is followed; may be nil
	Known    *Known                                                        // what the caller has of the page; nil: nothing
	OnAnswer func(took time.Duration, src *page.Page, err error)           // is called when the site has answered; may be nil
	Robots   *robotstxt.Files                                              // nil: those of the scraper
	// Agent is the robot that a crawl obeys robots.txt as, which then counts for the scripts of a page too; "" for none.
	Agent   string
	Model   llm.Model // nil: NoModel is why
	NoModel error
	Excuse  func(ctx context.Context, err error) string // why there is no answer of the model, for a warning
}

// Scrape is one scrape in progress. It is used by one goroutine.
type Scrape struct {
	*Scraper
	Request *Request
	Options Options
	Clock   *deadline.Clock

	slot   *queue.Queue // to leave; nil without a slot
	place  *page.Place
	waited time.Duration
	robots func() *robotstxt.Files
}

// Begin prepares a scrape; End must follow.
func (s *Scraper) Begin(r *Request, o Options, clock *deadline.Clock) *Scrape {
	robots := sync.OnceValue(func() *robotstxt.Files { return cmp.Or(o.Robots, s.RobotsFor(r.NoRetention)) })
	return &Scrape{Scraper: s, Request: r, Options: o, Clock: clock, robots: robots, place: s.Desk.Place()}
}

// End gives up the scrape's slot and place. It can be called more than once.
func (s *Scrape) End() {
	s.place.Leave()
	if s.slot != nil {
		s.slot.Leave()
		s.slot = nil
	}
}

// enter waits for a slot. The scrape keeps it until it calls a model, or to its end.
func (s *Scrape) enter(ctx context.Context, q *queue.Queue) error {
	return s.step("queue", func() (string, error) {
		waited, err := q.Enter(ctx)
		if err == nil {
			s.waited, s.slot = waited, q
		}
		return "", err
	})
}

// Obey checks robots.txt for a URL that is about to be fetched, or was redirected to.
func (s *Scrape) Obey(ctx context.Context, href string) error {
	if s.Request.RobotsAgent == "" {
		return nil
	}
	return s.step("robots", func() (string, error) { return "", s.allowed(ctx, href, s.Request.RobotsAgent) })
}

// onward checks where a redirect, or a browser, leads before it is followed. The browser calls it from other goroutines.
func (s *Scrape) onward(ctx context.Context, to string) error {
	err := s.allowed(ctx, to, s.Request.RobotsAgent)
	if err == nil && s.Options.Onward != nil {
		err = s.Options.Onward(ctx, to)
	}
	return err
}

// allowPart checks robots.txt for a script or frame of the page. It is safe for concurrent use.
func (s *Scrape) allowPart(ctx context.Context, href string) error {
	return s.allowed(ctx, href, cmp.Or(s.Request.RobotsAgent, s.Options.Agent))
}

func (s *Scrape) allowed(ctx context.Context, href, agent string) error {
	if agent == "" {
		return nil
	}
	return s.robots().Obey(ctx, href, agent, s.Request.Proxy)
}

// RobotsFor returns the files to check: the scraper's, or, where nothing may be remembered, some that are dropped with the
// request.
func (s *Scraper) RobotsFor(noRetention bool) *robotstxt.Files {
	if noRetention {
		return s.Robots.Apart()
	}
	return s.Robots
}

// step runs one part of the scrape and reports to the observer how it went.
func (s *Scrape) step(name string, part func() (detail string, err error)) error {
	return s.Request.Step(s.Now, name, part)
}

func sentence(format string, args ...any) string { return fmt.Sprintf(format, args...) + "." }
