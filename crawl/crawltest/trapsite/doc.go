// Package trapsite generates web sites for tests and benchmarks of crawls. It may change without notice.
// They come with their own lists of what a crawl must deliver.
//
// A Site has a trap for crawlers on each path: endless calendars, session ids, redirects, similar addresses, links that are none.
// Site.Want returns which pages a crawl with given options delivers, from the site's own model and the rules as users read them: it
// shares no code with the crawler. A PlainSite is large and has no traps: a bench. The package fetches nothing, knows no crawler, and
// imports the standard library only.
//
// Start from New, Site.Hosts and Site.Diff, or from Plain.
//
//	site.go         Options, New, Hosts, Handler: the site, and what is at an address
//	want.go         Want: a crawl's options; Diff, Canon
//	walk.go         the crawl through the model
//	rules.go        what the options mean
//	node.go         the model: a page, its links, and how a trap is set
//	serve.go        answers
//	html.go         how a page is written
//	robotsrules.go  robots.txt, written and understood
//	sitemap.go      sitemaps, written and understood
//	count.go        how often each address was requested
//	manners.go      whether a crawler waits as required
//	traps.go        the list of traps
//	plain.go        Plain, PlainSite: its pages, and how often each was requested
//	plainpage.go    how a page of a PlainSite is written
//	prose.go        text that looks like text
//
// The traps, each with what a naive crawler does wrong:
//
//	docs.go       ordinary pages
//	calendar.go   an endless calendar
//	spiral.go     a path without end
//	session.go    session ids
//	query.go      parameters and their order
//	similar.go    http and https, "www.", slashes, index files
//	redirects.go  redirects, and a site that has moved
//	canonical.go  canonical links
//	nofollow.go   rel=nofollow
//	statuses.go   errors, soft 404, broken connections, "come back later", dead links
//	size.go       slow pages, huge pages, pages of many links, short ways that take long
//	files.go      pictures, archives, PDF
//	spelling.go   schemes, fragments, base, relative links, letters, percent signs
//	hidden.go     links in the navigation, in comments, in frames, by scripts
//	access.go     robots.txt, other hosts, slow and failing ones
//	sitemaps.go   pages that only sitemaps list
package trapsite
