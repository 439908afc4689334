package sitemap

import "github.com/winnow-go/winnow/fetch/weburl"

// UsualPlaces lists where a site's sitemaps often lie, the likeliest first, for a site whose robots.txt names none. Site
// is any http(s) URL of it; the list is of its origin, and nil when site is no such URL.
func UsualPlaces(site string) []string {
	base, err := weburl.NewBase(site)
	if err != nil || !isWeb(base.String()) {
		return nil
	}
	var places []string
	for _, path := range []string{
		"/sitemap.xml",       // the protocol's example, and most sites
		"/sitemap_index.xml", // the large WordPress plug-ins
		"/sitemap-index.xml", // static site generators
		"/wp-sitemap.xml",    // WordPress itself
		"/sitemap.xml.gz",
		"/sitemap.txt",
	} {
		if place, err := base.Resolve(path); err == nil {
			places = append(places, place)
		}
	}
	return places
}
