package engine

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/browser"
)

// Scrape gives the live page in the asked formats, as it is. What would fetch it again or shows it otherwise is
// refused: headers, location, mobile, profile, proxies, render, the cache's options. Actions and WaitFor
// are carried out first. It leaves a record, and costs what a scrape costs beside the session.
func (s *Session) Scrape(ctx context.Context, o ScrapeOptions) (*Document, error) {
	p, err := s.scrapePlan(ctx, o)
	if err != nil {
		return nil, refusal("session", "", err, o.ZeroDataRetention)
	}
	one := &scrape{
		engine: s.engine, plan: p, began: s.engine.now(), id: uuid.Must(uuid.NewV7()).String(), endpoint: "session",
		tier: s.plan.proxies.tier,
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
		{"minAge", o.MinAge != nil}, {"lockdown", o.Lockdown}, {"obeyRobots", o.ObeyRobots},
	} {
		if row.set {
			return row.field
		}
	}
	return ""
}

// scrapePlan checks the options for the live page.
func (s *Session) scrapePlan(ctx context.Context, o ScrapeOptions) (*plan, error) {
	if field := foreignToLivePage(o); field != "" {
		return nil, &OptionError{Field: field, Value: "set", Want: "unset: the page is already there"}
	}
	at := ""
	err := s.use(ctx, "session", func(_ context.Context, page *browser.Page) error {
		at = page.URL()
		return nil
	})
	if err != nil {
		return nil, err
	}
	o.Render, o.StoreInCache, o.Owner, o.MaxAge = RenderAlways, new(false), s.plan.owner, new(time.Duration(0))
	return s.engine.resolve(orDefault(webURL(at), nowhere), o)
}

// webURL is an address if it is one of the web, else nothing.
func webURL(href string) string {
	if _, err := parseTarget(href); err != nil {
		return ""
	}
	return href
}

// read takes from the live page what a visit takes from a fresh one.
func (s *Session) read(ctx context.Context, page *browser.Page, one *scrape) error {
	src := &source{by: byBrowser, url: page.URL(), status: http.StatusOK, mediaType: "text/html", reason: "the page of a session"}
	b := s.browsing(one, page)
	for _, part := range []visitPart{b.waitFor, b.perform, b.content, b.shoot, b.judgeBrand} {
		if err := part(ctx, src); err != nil {
			return err
		}
	}
	one.source = src
	return nil
}
