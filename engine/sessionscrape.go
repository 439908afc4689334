package engine

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/browser"
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
	one := &scrape{
		engine: s.engine, plan: p, began: s.engine.now(), id: uuid.Must(uuid.NewV7()).String(), endpoint: "scrape",
		tier: s.plan.proxies.tier, passing: true,
	}
	one.get = func(ctx context.Context) error {
		return s.use(ctx, "session", func(ctx context.Context, page *browser.Page) error { return s.read(ctx, page, one) })
	}
	return one.do(ctx, func(context.Context) error { return nil })
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
		{"minAge", o.MinAge != nil}, {"lockdown", o.Lockdown}, {"obeyRobots", o.ObeyRobots}, {"storeInCache", isTrue(o.StoreInCache, false)},
	} {
		if row.set {
			return row.field
		}
	}
	return ""
}

// scrapePlan checks the options for the live page.
func (s *Session) scrapePlan(o ScrapeOptions) (*plan, error) {
	if s.life.Err() != nil {
		return nil, destroyed(context.Cause(s.life).Error())
	}
	if o.Owner != "" && o.Owner != s.plan.owner {
		return nil, &OptionError{Field: "owner", Value: o.Owner, Want: "unset: that of the session"}
	}
	if field := foreignToLivePage(o); field != "" {
		return nil, &OptionError{Field: field, Value: "set", Want: "unset: the page is already there"}
	}
	at := s.address()
	o.Render, o.StoreInCache, o.Owner, o.MaxAge = RenderAlways, new(false), s.plan.owner, new(time.Duration(0))
	p, err := s.engine.resolve(orDefault(webURL(at), nowhere), o)
	if err == nil && webURL(at) == "" {
		p.source = at
	}
	return p, err
}

// address is that of the page at this moment.
func (s *Session) address() string {
	for _, tab := range s.browser.Tabs() {
		if tab.Page {
			return tab.URL
		}
	}
	return blankPage
}

const blankPage = "about:blank"

// webURL is an address if it is one of the web, else nothing.
func webURL(href string) string {
	if _, err := parseTarget(href); err != nil {
		return ""
	}
	return href
}

// read takes from the live page what a visit takes from a fresh one.
func (s *Session) read(ctx context.Context, page *browser.Page, one *scrape) error {
	src, err := s.shown(ctx, page)
	if err != nil {
		return err
	}
	b := s.browsing(one, page)
	parts := []visitPart{b.settle, b.waitFor, b.perform, b.content, b.look}
	if len(one.plan.actions) > 0 {
		parts = slices.Insert(parts, 1, b.content) // for the document so far, should an action fail
		if err := s.depart(""); err != nil {
			return err
		}
	}
	if err := takeAll(ctx, src, parts...); err != nil {
		if src.body != nil {
			one.source = src
		}
		return err
	}
	src.handled = page.Handled()
	one.source = src
	return nil
}

// shown is the page's document.
func (s *Session) shown(ctx context.Context, page *browser.Page) (*source, error) {
	nav, err := s.browsing(&scrape{engine: s.engine, plan: s.plan}, page).shown(ctx)
	if err != nil {
		return nil, err
	}
	src := sourceOfNavigation(nav)
	src.reason = "the page of a session"
	return src, nil
}
