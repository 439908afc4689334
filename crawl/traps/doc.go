// Package traps finds the parts of a site that lead a crawl in circles. It may change without notice.
// A Guard learns, by pattern of address, whether the pages that were fetched held anything new, and reports of a found address whether it
// is still worth a request. A pattern is left only on evidence: so many pages of it in a row that gave neither new text nor a way to
// pages outside of it. Each page that does gives its pattern more room, and of a pattern that was left a few pages are still fetched: one
// that holds something opens it again.
//
// The package fetches nothing and stores nothing: the caller keeps the Rows of a Guard with the crawl, and which texts were seen.
//
// Start from New, Guard.Judge, Guard.Begin and Guard.Note.
//
//	guard.go    Guard: Judge, Left, Note
//	busy.go     how many pages of a pattern are fetched at once
//	page.go     Page: what came of an address
//	evidence.go what a page is to a pattern
//	pattern.go  Pattern, its kinds, and when it is left
//	address.go  the patterns of an address
//	repeat.go   paths that repeat themselves
//	dates.go    dates in addresses and texts
//	sketch.go   Sketch: what is remembered of a page's text
//	words.go    the words of a text without what its address says already
//	row.go      patterns as rows
package traps
