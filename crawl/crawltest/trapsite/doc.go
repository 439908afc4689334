// Package trapsite generates web sites for tests and benchmarks of crawls, with their own lists of what a crawl must deliver.
//
// PlainSite is large and has no traps: a bench. It fetches nothing, knows no crawler, and imports the standard library only.
// Start from Plain.
//
//	plain.go      Plain, PlainSite: its pages, and how often each was asked for
//	plainpage.go  how a page of a PlainSite is written
//	prose.go      text that looks like text
package trapsite
