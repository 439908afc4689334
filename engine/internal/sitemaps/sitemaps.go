// Package sitemaps finds the sitemaps of a site and reads what they list, for crawls and maps.
//
// Start from Pages. It fetches nothing by itself: the sitemap.Fetcher that it is given does.
package sitemaps

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// places are where the sitemaps of a site lie: those that are named, and those
// that sites often have, which no one misses.
type places struct{ named, guessed []string }

// placesOf looks for sitemaps by the service's order: the seed itself where it is one;
// else what robots.txt names, then sitemap.xml beside the seed, at the root and at the
// root of the registrable domain.
func placesOf(seed string, file *robots.File) places {
	place, _, _ := weburl.Split(seed)
	if lower := strings.ToLower(place); strings.HasSuffix(lower, ".xml") || strings.HasSuffix(lower, ".xml.gz") {
		return places{named: []string{seed}}
	}
	var p places
	if file != nil {
		p.named = file.Sitemaps()
	}
	origin := weburl.Origin(seed)
	p.guess(origin + place[strings.IndexByte(place, '/'):strings.LastIndexByte(place, '/')+1] + "sitemap.xml")
	p.guess(origin + "/sitemap.xml")
	host := weburl.BareHost(weburl.Hostname(seed))
	if domain := weburl.Registrable(host); domain != "" && domain != host {
		p.guess(strings.Replace(origin, weburl.Hostname(seed), domain, 1) + "/sitemap.xml")
	}
	return p
}

func (p *places) guess(place string) {
	if !slices.Contains(p.named, place) && !slices.Contains(p.guessed, place) {
		p.guessed = append(p.guessed, place)
	}
}

func (p *places) all() []string { return slices.Concat(p.named, p.guessed) }

// Pages streams what the sitemaps of a site list, as [sitemap.Walk] does. Where
// they list nothing, the other usual places are tried. That a place where no one said
// there was a sitemap has none is no problem and is not reported. file may be nil.
func Pages(ctx context.Context, f sitemap.Fetcher, seed string, file *robots.File, o sitemap.WalkOptions) iter.Seq2[sitemap.URL, error] {
	return func(yield func(sitemap.URL, error) bool) {
		known := placesOf(seed, file)
		pages, going := 0, true
		walk := func(roots []string) {
			for u, err := range sitemap.Walk(ctx, f, roots, o) {
				if err == nil {
					pages++
				} else if known.noSitemap(err) {
					continue
				}
				if going = yield(u, err); !going {
					return
				}
			}
		}
		walk(known.all())
		if going && pages == 0 && len(known.guessed) > 0 && ctx.Err() == nil {
			before := known.all()
			known.guessed = slices.DeleteFunc(sitemap.UsualPlaces(seed), func(place string) bool { return slices.Contains(before, place) })
			walk(known.guessed)
		}
	}
}

// noSitemap reports whether an error says no more than that a guess was wrong.
func (p *places) noSitemap(err error) bool {
	problem, ok := err.(*sitemap.Problem)
	if !ok || problem.Code != sitemap.FetchFailed && problem.Code != sitemap.NotSitemap {
		return false
	}
	return slices.Contains(p.guessed, problem.Sitemap)
}
