// Package local searches the text of all pages that an engine's cache holds, on this machine. It may change without notice.
// An engine takes it as a provider:
//
//	e, err := engine.New(engine.Options{
//		Dir:    "data",
//		Search: []search.Provider{local.New(local.Options{})},
//	})
//
// It contacts nobody, so it works under lockdown too. The engine feeds and closes it. Until it is
// first searched it costs nothing; then it is made from the cache, or caught up with it. What was
// scraped before a search is found by it; what was forgotten or pruned isn't. The index is made of
// nothing but the cache: a damaged one, or one of another version, is rebuilt, and a killed
// program leaves one that is checked and caught up when it is next used. What is pruned while no
// program searches leaves the index's files only then.
//
// The cache is common to all owners of an engine, and so is what is found.
//
// The package is the only one that links the full-text library (Bleve): programs that don't import
// it don't carry it. The library keeps a few idle goroutines of its own for the life of the process.
//
//   - local.go — [Index], [Options], [New]: its life
//   - worker.go — what brings the index up to date, and who waits for it
//   - reconcile.go — what the index has against what the cache has
//   - store.go, seal.go — the library's index in its folder; how damage is noticed
//   - document.go — a page as a document of fields
//   - analysis.go, stems.go — text to terms, in all scripts; word stems of some languages
//   - words.go, query.go — what is typed to terms and operators, and these to the library's queries
//   - answer.go, passage.go — hits to results; the passage that fits the query
//
// # What it finds
//
// Full text of all that the cache holds, on this machine: words in all scripts and in their other forms, "phrases",
// -without, site:, filetype:pdf, dates, languages, domains. Off until the first search; then made from the cache and
// kept up to date with what is scraped, forgotten and pruned; a damaged one is rebuilt. It works under lockdown. The
// cache is common to all owners, and so is what is found. Only programs that import the package link its library
// (Bleve, about 10 MiB).
//
// Caveats: what is pruned while no program searches leaves the index's files only when it is next searched,
// compacted or something is forgotten; Compact also removes the text of pages that are gone from the index's files.
// After a crash that also damaged a segment, the library writes one line to the standard logger while the index is
// being rebuilt.
package local
