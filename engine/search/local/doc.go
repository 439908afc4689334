// Package local searches the text of all pages that an engine's cache holds, on this machine:
//
//	e, err := engine.New(engine.Options{
//		Dir:    "data",
//		Search: []search.Provider{local.New(local.Options{})},
//	})
//
// It contacts nobody, so it works under lockdown too. The engine feeds and closes it. Until it is
// first searched it costs nothing; then it is made from the cache, or caught up with it. What was
// scraped before a search is found by it; what was forgotten or pruned isn't. The index is made of
// nothing but the cache: a damaged one, or one of another version, is made anew, and a killed
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
package local
