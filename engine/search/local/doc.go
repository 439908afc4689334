// Package local searches the text of all pages in an engine's cache, on this machine. It may change without notice.
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
//   - analysis.go, stems.go — text to terms, in all scripts; word stems of some languages
//   - words.go, query.go — from a query's text to terms and operators, and to the library's queries
//   - answer.go, passage.go — from hits to results; the passage that matches the query
//
// # What it finds
//
// Words in all scripts, and in their other forms for the languages in stems.go; "phrases", -without, site:,
// filetype:pdf, dates, languages and domains.
//
// Caveats: the text of pages that are pruned while no program searches stays in the index's files until the index is
// next searched or compacted, or a page is forgotten; Compact also erases the text of removed pages from the files.
// After a crash that also damaged a segment, the library writes one line to the standard logger while the index is
// rebuilt.
package local
