package engine

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats/weburl"
)

// SitemapMode says what the sitemaps of a site are used for.
type SitemapMode string

// The ways of using sitemaps. The zero value is SitemapInclude.
const (
	// SitemapInclude takes URLs from sitemaps and from links.
	SitemapInclude SitemapMode = "include"
	// SitemapSkip asks for no sitemap.
	SitemapSkip SitemapMode = "skip"
	// SitemapOnly takes URLs from sitemaps alone.
	SitemapOnly SitemapMode = "only"
)

func (m SitemapMode) validate(field string) error {
	switch m {
	case "", SitemapInclude, SitemapSkip, SitemapOnly:
		return nil
	}
	return &OptionError{Field: field, Value: string(m), Want: `"include", "skip" or "only"`}
}

// sitemapTimeout is for one sitemap, waiting in line included.
const sitemapTimeout = 20 * time.Second

// sitemapPlaces are where the sitemaps of a site lie: those that are named, and those
// that sites often have, which nobody misses.
type sitemapPlaces struct{ named, guessed []string }

// placesOf looks for sitemaps by the service's order: the seed itself where it is one;
// else what robots.txt names, then sitemap.xml beside the seed, at the root and at the
// root of the registrable domain.
func placesOf(seed string, file *robots.File) sitemapPlaces {
	place, _, _ := splitURL(seed)
	if lower := strings.ToLower(place); strings.HasSuffix(lower, ".xml") || strings.HasSuffix(lower, ".xml.gz") {
		return sitemapPlaces{named: []string{seed}}
	}
	var p sitemapPlaces
	if file != nil {
		p.named = file.Sitemaps()
	}
	origin := originOf(seed)
	p.guess(origin + place[strings.IndexByte(place, '/'):strings.LastIndexByte(place, '/')+1] + "sitemap.xml")
	p.guess(origin + "/sitemap.xml")
	host := bareHost(hostname(seed))
	if domain := registrable(host); domain != "" && domain != host {
		p.guess(strings.Replace(origin, hostname(seed), domain, 1) + "/sitemap.xml")
	}
	return p
}

// registrable is the domain that somebody registered, by the public suffix list; "" for
// an address, a single label and a public suffix itself.
func registrable(host string) string {
	domain, _ := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, "."))
	return domain // "" beside an error
}

func (p *sitemapPlaces) guess(place string) {
	if !slices.Contains(p.named, place) && !slices.Contains(p.guessed, place) {
		p.guessed = append(p.guessed, place)
	}
}

func (p *sitemapPlaces) all() []string { return slices.Concat(p.named, p.guessed) }

// sitemapPages streams what the sitemaps of a site list, as [sitemap.Walk] does. Where
// they list nothing, the other usual places are tried. That a place where nobody said
// there was a sitemap has none is no problem and isn't told. file may be nil.
func sitemapPages(ctx context.Context, f sitemap.Fetcher, seed string, file *robots.File, o sitemap.WalkOptions) iter.Seq2[sitemap.URL, error] {
	return func(yield func(sitemap.URL, error) bool) {
		places := placesOf(seed, file)
		pages, going := 0, true
		walk := func(roots []string) {
			for u, err := range sitemap.Walk(ctx, f, roots, o) {
				if err == nil {
					pages++
				} else if places.noSitemap(err) {
					continue
				}
				if going = yield(u, err); !going {
					return
				}
			}
		}
		walk(places.all())
		if going && pages == 0 && len(places.guessed) > 0 && ctx.Err() == nil {
			before := places.all()
			places.guessed = slices.DeleteFunc(sitemap.UsualPlaces(seed), func(place string) bool { return slices.Contains(before, place) })
			walk(places.guessed)
		}
	}
}

// noSitemap tells whether an error says no more than that a guess was wrong.
func (p *sitemapPlaces) noSitemap(err error) bool {
	problem, ok := err.(*sitemap.Problem)
	if !ok || problem.Code != sitemap.FetchFailed && problem.Code != sitemap.NotSitemap {
		return false
	}
	return slices.Contains(p.guessed, problem.Sitemap)
}

// sitemapFetcher gets the sitemaps of the site that a seed is on: by plain HTTP, in line
// with all scrapes (so whoever calls it has no place there), through the cache and all else that o says
// of scrapes: MaxAge, MinAge, StoreInCache, Lockdown, ZeroDataRetention, ObeyRobots, proxies,
// location, TLS, and headers, which go to the seed's own origin only. What o says of documents
// doesn't count. A status other than 2xx is an error. Virtual hosts are reached only
// from a seed on one. Safe for concurrent use.
func (e *Engine) sitemapFetcher(seed string, o ScrapeOptions) *siteFetcher {
	return &siteFetcher{
		engine: e, seed: seed, o: o, robots: e.robotsFor(o.ZeroDataRetention),
		virtual: e.client.Virtual().Has(hostname(seed)),
	}
}

type siteFetcher struct {
	engine  *Engine
	seed    string // normalised
	o       ScrapeOptions
	robots  *robotsFiles
	virtual bool // the seed is on a virtual host
}

// Fetch implements [sitemap.Fetcher]. Its errors are an [*Error].
func (f *siteFetcher) Fetch(ctx context.Context, href string) (io.ReadCloser, error) {
	s, err := f.engine.newFileScrape(href, f.options(href))
	if err == nil && f.strangeTo(href) {
		err = &fetch.BlockedError{Host: hostname(href), Reason: "virtual host"}
	}
	if err != nil {
		return nil, failure(context.Background(), "sitemap", href, err)
	}
	s.robots = f.robots
	err = s.peek(ctx, sitemapTimeout, nil, func(context.Context) error {
		if status := s.source.status; status < 200 || status > 299 {
			return &Error{Code: CodeSite, Err: fmt.Errorf("status %d %s", status, http.StatusText(status))}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(s.source.body)), nil
}

// strangeTo: a site outside must not get at virtual hosts by its sitemaps or links.
func (f *siteFetcher) strangeTo(href string) bool {
	return !f.virtual && f.engine.client.Virtual().Has(hostname(href))
}

// options are what counts of a scrape's options for a file that is taken as it is.
func (f *siteFetcher) options(href string) ScrapeOptions {
	o := ScrapeOptions{
		MaxAge: f.o.MaxAge, MinAge: f.o.MinAge, StoreInCache: f.o.StoreInCache,
		Lockdown: f.o.Lockdown, ZeroDataRetention: f.o.ZeroDataRetention, Owner: f.o.Owner,
		ObeyRobots: f.o.ObeyRobots, RobotsUserAgent: f.o.RobotsUserAgent,
		Proxy: f.o.Proxy, ProxyURL: f.o.ProxyURL, Location: f.o.Location,
		SkipTLSVerification: new(skipTLS(f.o)),
	}
	if sameOrigin(f.seed, href) {
		o.Headers = f.o.Headers
	}
	return o
}

// sameOrigin tells whether what is meant for one web URL's site may go to another: scheme,
// host and port are the same, or it is an upgrade from http to https on the default ports.
func sameOrigin(a, b string) bool {
	host := weburl.Host(a)
	upgrade := strings.HasPrefix(b, "https:") && host == weburl.Host(b) && strings.HasSuffix(hostport(a), ":80")
	return upgrade || originOf(a) == originOf(b)
}
