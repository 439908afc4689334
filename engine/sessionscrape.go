package engine

import (
	"cmp"
	"context"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/sessions"
)

// Scrape gives the live page in the asked formats, as it is. What would fetch it again or shows it otherwise is
// refused: headers, location, mobile, profile, proxies, render, the cache's options, another owner. Actions and WaitFor
// are carried out first. It leaves a record, with which [Engine.Interact] can't go on: only this session has the page. It costs
// what a scrape costs, beside the session. A page that the policy refused, or that didn't load, is the error that Goto gives. Beside
// the error of an action there may be the document so far, as [Engine.Scrape] has it.
func (s *Session) Scrape(ctx context.Context, o ScrapeOptions) (*Document, error) {
	p, err := s.scrapePlan(o)
	if err != nil {
		return nil, refusal("session", "", err, o.ZeroDataRetention)
	}
	p.Tier, p.From = s.room.Request().Tier, s.room.Request().Page.From
	one := s.engine.scrapeOf(p, "scrape")
	one.ofSession = true
	one.Acquire = func(ctx context.Context) (page.Result, error) {
		return s.room.Read(ctx, sessions.Reading{Request: &p.Request.Request, ID: one.ID, Clock: one.run.Clock})
	}
	return one.do(ctx, nil)
}

// foreign are the options that a live page can't honour.
func foreignToLivePage(o ScrapeOptions) string {
	for _, row := range []struct {
		field string
		set   bool
	}{
		{"headers", len(o.Headers) > 0}, {"location", o.Location != nil}, {"mobile", o.Mobile}, {"profile", o.Profile != nil},
		{"proxy", o.Proxy != ""}, {"proxyUrl", o.ProxyURL != ""}, {"render", o.Render != "" && o.Render != RenderAlways},
		{"skipTlsVerification", o.SkipTLSVerification != nil}, {"blockAds", o.BlockAds != nil}, {"maxAge", o.MaxAge != nil && *o.MaxAge != 0},
		{"minAge", o.MinAge != nil}, {"winnow.revalidate", o.Revalidate}, {"lockdown", o.Lockdown}, {"obeyRobots", o.ObeyRobots}, {"storeInCache", isTrue(o.StoreInCache, false)},
	} {
		if row.set {
			return row.field
		}
	}
	return ""
}

// scrapePlan checks the options for the live page.
func (s *Session) scrapePlan(o ScrapeOptions) (*plan, error) {
	if err := s.room.Ended(); err != nil {
		return nil, err
	}
	owner := s.room.Request().Page.Owner
	if o.Owner != "" && o.Owner != owner {
		return nil, &OptionError{Field: "owner", Value: o.Owner, Want: "unset: that of the session"}
	}
	if field := foreignToLivePage(o); field != "" {
		return nil, &OptionError{Field: field, Value: "set", Want: "unset: the page is already there"}
	}
	at := s.room.Address()
	o.Render, o.StoreInCache, o.Owner, o.MaxAge = RenderAlways, new(false), owner, new(time.Duration(0))
	p, err := s.engine.resolve(cmp.Or(webURL(at), nowhere), o)
	if err == nil && webURL(at) == "" {
		p.source = at
	}
	return p, err
}

// webURL is an address if it is one of the web, else nothing.
func webURL(href string) string {
	if _, err := parseTarget(href); err != nil {
		return ""
	}
	return href
}
