// Package local searches an engine's cache on this machine: pages, news and images. It may change without notice.
// It is a search provider for an engine:
//
//	e, err := engine.New(engine.Options{
//		Dir:    "data",
//		Search: []search.Provider{local.New(local.Options{})},
//	})
//
// It sends no requests, so it works under lockdown. The engine updates and closes it. It costs nothing
// until the first search, which builds it from the cache or brings it up to date. A search finds every
// page that was scraped before it, and no page that was forgotten or pruned. The index is built only
// from the cache: one that is damaged or of another version is rebuilt, and one that a killed program
// left is checked and brought up to date when it is next used.
//
// The cache is common to all owners of an engine, and so are the results.
//
// The package is the only one that links the full-text library (Bleve, about 10 MiB): programs that do
// not import it do not contain it. The library keeps a few idle goroutines until the process ends.
//
//   - local.go — [Index], [Options], [New]: creating, using and closing it
//   - worker.go — the worker that brings the index up to date, and waiting for it
//   - reconcile.go — comparing the index with the cache
//   - store.go, seal.go — the library's index in its folder; detecting damage
//   - document.go — a page as a document of fields
//   - image.go — the images of a page as documents
//   - analysis.go, stems.go — text to terms, in all scripts; word stems of some languages
//   - words.go, query.go — from a query's text to terms and operators, and to the library's queries
//   - scores.go — what scores are computed from
//   - answer.go, passage.go — from hits to results; the passage that matches the query
//
// # What it finds
//
// Words in all scripts, and in their other forms for the languages in stems.go; "phrases", -without, site:,
// filetype:pdf, dates, languages and domains. Results are ordered by BM25 scores.
//
// The news source has the web pages that are articles, by their structure or because they say so (JSON-LD, microdata, og:type), and
// say when they were published or changed. A date more than a day ahead of the clock does not count. Among equally good ones,
// whose scores are in the same tenth of the best score, the newest is the first; with "sbd:1" dates alone count.
//
// The images source has the images that have a text: alt, title, caption, the heading of what they are part of, or, of the image
// that the page names as its own (og:image), the page's title. The words of a query must be in the texts or the file name of one
// image; the rest of the page does not count. Dates, site:, domains, categories and languages are those of its page. An image that
// is on several pages is one result, with the page where it matches best. Of each page 200 images and its own one are indexed, with
// at most 500 bytes of each text; images of one pixel, those that are data in the page, and decoration without a text are not.
//
// Caveats: the text of pages that are pruned while no program searches stays in the index's files until the index is
// next searched or compacted, or a page is forgotten; Compact also erases the text of removed pages from the files.
// After a crash that also damaged a segment, the library writes one line to the standard logger while the index is
// rebuilt.
package local
