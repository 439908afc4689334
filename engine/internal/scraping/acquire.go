package scraping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// Acquired is a page with what is known of how it was acquired.
type Acquired struct {
	Page    *page.Page // nil: none
	Tier    string     // of the proxy that got it
	Country string     // where that came out; "": unknown
	Acted   bool       // it has been worked on, which can't be done again
	// Unchanged: it is the page that the caller has, and is not read.
	Unchanged Unchanged
	Cached    time.Time   // when it was stored; zero for a fresh one
	Route     *page.Route // nil: the way was not chosen by a template, or another scrape went it
	Warnings  []string

	output *render.Output     // that is kept of it; nil for none
	served *pagestore.Version // that it is from; nil for a fresh one
}

// errNotWhole keeps a page that came too late for one scrape from those that have time left.
var errNotWhole = errors.New("the page is not whole")

// Acquire gets the page: from the cache, or from its site. Scrapes that want the same at the same time share one
// acquisition. Beside an error there may be the page so far.
func (s *Scrape) Acquire(ctx context.Context) (Acquired, error) {
	if s.Options.Acquire != nil {
		got, err := s.Options.Acquire(ctx)
		return s.Request.acquired(got), err
	}
	if fetch.RecorderOf(ctx) != nil && !s.Request.Caching.Only { // what the cache has, or another scrape fetches, would not be recorded
		return s.fetch(ctx, nil)
	}
	for {
		got, stale, err := s.lookup(ctx)
		if err != nil || got.Page != nil {
			return got, err
		}
		switch c := s.Request.Caching; {
		case c.Only:
			return Acquired{}, &MissError{Lockdown: c.Lockdown}
		case c.Fresh(): // it must be as fresh as the request
			return s.fetch(ctx, stale)
		}
		if got, err := s.share(ctx); err != nil || got.Page != nil {
			return got, err
		}
		// Another was served from the cache; so can this scrape be.
	}
}

// share fetches the page for all scrapes that want it now, or waits for the one that does. No page without an error: that
// one was served from the cache.
func (s *Scrape) share(ctx context.Context) (own Acquired, err error) {
	got, shared, err := s.flights.Do(ctx, s.flight(), func(ctx context.Context) (forAll *Acquired, err error) {
		own, forAll, err = s.lead(ctx)
		return forAll, err
	})
	switch {
	case !shared && err == errNotWhole:
		return own, nil
	case !shared || err != nil:
		return own, err
	case got != nil:
		return s.own(s.Request.copied(got)), nil
	}
	return own, nil
}

// flight names the acquisition that scrapes may share: a page of a job is tried once at a time, others more often.
func (s *Scrape) flight() string {
	r := s.Request
	c := r.Caching
	key := fmt.Sprintf("%s;%s;%s;%t;%t;%t;%s;%s",
		c.Key, c.Shot, r.Mode, r.BrowserFor != "", r.SkipTLS, c.Write, r.WaitFor, r.RobotsAgent)
	switch {
	case s.Options.Onward != nil: // what ends this scrape would not end another
		return key + " of " + s.Options.ID
	case s.Options.Attempt != nil:
		return key + " of a job"
	}
	return key
}

// lead gets the page for all that wait for it. A scrape before may have stored it since this one looked: then there is
// nothing to share.
func (s *Scrape) lead(ctx context.Context) (own Acquired, forAll *Acquired, err error) {
	own, stale, err := s.find(ctx)
	if err != nil || own.Page != nil {
		return own, nil, err
	}
	if own, err = s.fetch(ctx, stale); err != nil {
		return own, nil, err
	}
	if own.Page.Late {
		return own, nil, errNotWhole
	}
	src := *own.Page
	src.DOM = nil // not safe for concurrent use
	return own, &Acquired{Page: &src, Tier: own.Tier, Cached: own.Cached, Warnings: own.Warnings}, nil
}

// own has a page parsed at the scrape's place.
func (s *Scrape) own(got Acquired) Acquired {
	if got.Page != nil {
		got.Page.Place = s.place
	}
	return got
}

// copied is a scrape's own copy of a page that several share.
func (r *Request) copied(got *Acquired) Acquired {
	own, src := *got, *got.Page
	src.Files = r.Rendering.Files
	own.Page, own.Warnings = &src, slices.Clone(got.Warnings)
	return own
}

// fetch gets the page from its site, and keeps it where it may. stale is the stored version that the site may vouch for;
// nil for none.
func (s *Scrape) fetch(ctx context.Context, stale *pagestore.Version) (got Acquired, err error) {
	if err := s.Obey(ctx, s.Request.URL); err != nil {
		return got, err
	}
	if err := s.enter(ctx, s.Queue); err != nil {
		return got, err
	}
	start, again, unchanged := s.Now(), vouched{}, NotKnown
	getting := s.acquisition(stale, &again)
	if s.Options.Known != nil {
		getting.Stale = s.Options.Known.stale(&unchanged)
	}
	answer, err := getting.Acquire(ctx)
	got = s.own(s.Request.acquired(answer))
	got.Unchanged = unchanged
	if s.Options.OnAnswer != nil {
		s.Options.OnAnswer(cmp.Or(answer.Answered, s.Now().Sub(start)), got.Page, err)
	}
	if err != nil || unchanged != NotKnown {
		return got, err
	}
	if err := s.check(ctx, got.Page, again); err != nil {
		return got, err
	}
	got.Page.Requested = cmp.Or(got.Page.Requested, s.Request.URL)
	got.Cached, err = s.keep(ctx, got, stale, again)
	return got, err
}

// vouched is what has come of a request for a page of which there is a stale version.
type vouched struct {
	renewed bool // the site has vouched for the version, which was served
	same    bool // a page of the same bytes has come
}

// known reports a page that was parsed and judged when it was stored.
func (v vouched) known() bool { return v.renewed || v.same }

// check refuses a page that robots.txt forbids by its final address, or that cannot be parsed.
func (s *Scrape) check(ctx context.Context, src *page.Page, again vouched) error {
	if src.URL != s.Request.URL {
		if err := s.Obey(ctx, src.URL); err != nil {
			return err
		}
	}
	if src.IsHTML() && !again.known() && !s.Request.Wants(formats.RawBase64) {
		if _, err := src.Parse(ctx); err != nil && !src.Late {
			return err
		}
	}
	return nil
}

// acquisition is what gets the page from its site. again is set where the stale version is that page still.
func (s *Scrape) acquisition(stale *pagestore.Version, again *vouched) *page.Acquisition {
	a := &page.Acquisition{
		Getter: s.Getter, Request: &s.Request.Request, ID: s.Options.ID, Clock: s.Clock, Proxy: s.Request.Proxy, Place: s.place,
		Attempt: s.Options.Attempt, JobTabs: s.Options.Tabs, Live: s.Options.OnPage,
		Paced: s.Options.Paced, Both: s.Options.Both, Memory: s.memory(),
	}
	if cmp.Or(s.Request.RobotsAgent, s.Options.Agent) != "" {
		a.Allowed = s.allowPart
	}
	if s.Request.RobotsAgent != "" || s.Options.Onward != nil {
		a.Onward = s.onward
	}
	if stale == nil {
		return a
	}
	a.Stale = &page.Stale{ETag: stale.ETag, LastModified: stale.LastModified}
	a.Stale.Same = func(src *page.Page) bool {
		again.same = stale.Vouch(src)
		return again.same
	}
	a.Stale.Take = func(ctx context.Context, at string) (src *page.Page, ok bool) {
		src, ok = s.Store.Revalidated(ctx, *stale, at)
		again.renewed = again.renewed || ok
		return src, ok
	}
	return a
}

// memory is that of all pages; of a page that nothing may be kept of, that of its job, or none.
func (s *Scrape) memory() *learnt.Memory {
	if s.Options.Memory != nil || s.Request.Private {
		return s.Options.Memory
	}
	return s.Getter.Learnt
}

// acquired is the result of an acquisition.
func (r *Request) acquired(got page.Result) Acquired {
	a := Acquired{Page: got.Page, Tier: r.Tier, Country: r.From.Proxy, Acted: got.Acted, Route: got.Route}
	if got.FellBack {
		a.Tier, a.Country = r.FallbackTier, r.From.Fallback
	}
	a.Warnings = append(r.From.Warnings(a.Country), got.Warnings...)
	if a.Page != nil {
		a.Page.Files = r.Rendering.Files
		a.Warnings = append(a.Warnings, a.Page.Lacks...)
	}
	return a
}

// Address is where redirects ended for a request. A page that was acquired under another spelling of its URL, and wasn't
// redirected, stays where it was asked for.
func (a *Acquired) Address(requested string) string {
	src := a.Page
	if src.Requested != "" && src.Requested != requested && weburl.Key(src.Requested) == weburl.Key(src.URL) {
		return requested
	}
	return src.URL
}
