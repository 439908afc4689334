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
//   - answer.go, passage.go — from hits to results; the part of a text that matches the query
//   - passages.go, parts.go — the passages of a page as documents; finding them, [Index.Passages]
//   - ranking.go, stops.go — the scores of passages; words that say nothing, and the parts of names
//   - meaning.go, embed.go, near.go — the vectors of passages: keeping them, making them, [Index.Embed]; finding by them
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
// A result has the passages of its page that match best, as package formats/passages cuts them, each with its headings and where it is in
// the page's Markdown. [Index.Passages] finds the best passages of all pages: some of the words are enough.
//
// With [Options].Embedder pages and passages are found by their meaning, too: the embedder makes a vector of each passage with its
// headings, and of the query, and the cosine of their angle is the score. Both lists, by words and by vectors, are joined
// by reciprocal rank fusion. Operators and "phrases" hold for both. Then there are nearly always results; what has the words is not
// always first. With "sbd:1", and for images, words alone count. While vectors are being made, and when the embedder fails, the results
// are by words, with a warning.
//
// A vector is kept as long as a passage of the cache has its text and headings. All are in one file, vectors.f32, that is mapped into
// memory; a search looks at each of them, which takes about half a second for a million of 384 numbers on two processors, and that
// is the most that are made. A file of another embedder is replaced.
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
