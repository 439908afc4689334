// Package mapping lists the URLs of one site: those of a page, of the site's sitemaps, of what the cache holds and, where there
// is no sitemap, of some further pages.
//
// Start from Run. It fetches nothing by itself: Site and Cache are where it gets pages, robots.txt, sitemaps and cached pages.
//
//	request.go  Request, Result, and the interfaces that a map needs
//	mapping.go  Run: the order of the parts, and the warnings
//	site.go     the page, the sitemaps, further pages
//	llms.go     the site's llms.txt
//	cached.go   the cached pages of a site
//	found.go    which URLs are listed, each once
//	address.go  paths and forms of URLs
//	rank.go     the most relevant URLs in front
package mapping
