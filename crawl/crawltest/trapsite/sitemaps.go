package trapsite

// sitemaps list pages that no link leads to: in an index that robots.txt names, gzipped with and without a name that says so, as a
// text, nested, and in the usual places. Among them are a circle, a sitemap that is away, one that is a web page, one that ends in
// the middle, and entries that don't belong to the crawl. A naive crawler goes round, stops at the first fault, or trusts a sitemap
// more than its own rules.
func sitemaps(b builder) {
	b.site.robots[Main].sitemaps = []string{"/maps/index.xml"}
	set := map[string]*siteMap{
		"/maps/index.xml": {index: true, urls: listed("/maps/pages.xml.gz", "/maps/packed.xml", "/maps/nested.xml", "/maps/gone.xml",
			"/maps/page.xml", "/maps/cut.xml", "/maps/list.txt")},
		"/maps/nested.xml": {index: true, urls: listed("/maps/deep.xml", "/maps/index.xml", "/maps/nested.xml")},
		"/maps/gone.xml":   {broken: 404},
		"/maps/page.xml":   {notAtAll: true},
		"/maps/cut.xml":    {cut: true, urls: listed("/orphan/1")},
		"/maps/list.txt":   {text: true, urls: listed("/orphan/text", "/orphan/1")},
		"/maps/packed.xml": {packed: true, urls: listed("/orphan/packed")},
		"/maps/deep.xml":   {urls: listed("/orphan/deep", "/maps/inner.xml")},
		"/maps/inner.xml":  {urls: listed("/orphan/inner")},
		"/maps/pages.xml.gz": {packed: true, urls: []mapped{
			{"/orphan/1", "0.2", "2026-01-02"}, {"/orphan/2", "0.9", "2026-11-20T10:00:00Z"}, {"/orphan/q?x=1&y=2", "0.5", "2025"}, {"/orphan/1", "", ""}}},
		"/sitemap.xml": {urls: listed("/", "/orphan/usual", "/orphan/picture.jpg", "/private/listed", "https://"+otherHost+"/listed",
			"https://"+blogHost+"/listed", "/docs-old/")},
		"/docs/sitemap.xml": {urls: listed("/docs/orphan", "/orphan/outside")},
	}
	for path, m := range set {
		b.site.maps[Main+path] = m
	}
	b.leaf("/orphan/2", "/orphan/q?x=1&y=2", "/orphan/text", "/orphan/packed", "/orphan/deep", "/orphan/inner", "/orphan/usual",
		"/orphan/outside", "/orphan/child", "/docs/orphan", "/private/listed")
	b.page("/orphan/1", page("An orphan", links("/orphan/child")...))
	b.on(otherHost).leaf("/listed")
	b.on(blogHost).leaf("/listed")
}
