// Package sitemap reads the lists of pages that sites publish. It may change without notice.
// It reads sitemaps of the sitemaps.org protocol (url sets and indexes), text lists, RSS and Atom feeds, plain or
// gzipped.
//
// It reads in a stream and keeps one entry at a time, so memory doesn't grow with the document. Real sitemaps are
// often broken: what can be read is returned, and each fault is a *Problem in the stream, never an end by itself.
// Whatever is foreign is bounded: bytes after decompression, URLs, documents, nesting, the length of one token.
// Entities that a document defines are never expanded, and nothing that it refers to is loaded.
//
// The package doesn't use the network (a Fetcher of the caller does), doesn't read robots.txt, doesn't drop
// duplicates, and doesn't judge whether a URL may be visited: a sitemap may list other hosts, the crawl's scope decides.
//
// Start from Walk for a whole site and from Read for one document.
//
//	sitemap.go   URL, Item, Kind, Limits, Read
//	problem.go   Problem and its codes; the stream that URLs and problems go to
//	walk.go      Walk: a site's sitemaps through a Fetcher, indexes followed
//	places.go    UsualPlaces: where sitemaps lie when robots.txt names none
//	open.go      from raw bytes to clean UTF-8: gzip, limits, charset
//	input.go     the bytes of one XML token at a time: bounded, and where to go on after a fault
//	document.go  XML: the token loop, the root, the end
//	entry.go     XML: one url, sitemap, item or entry
//	text.go      text sitemaps
//	values.go    loc, priority, changefreq
//	date.go      lastmod: W3C datetime and RFC 822
package sitemap
