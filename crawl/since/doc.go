// Package since keeps what crawls know of pages, for one that comes again. It may change without notice. It holds how each page can be
// requested, what it held, how often it changes, and how far its host is to be believed. It fetches nothing and reads no pages; texts are
// bytes to it.
//
// Crawls of one owner, seed and options are a series. The first crawl of a series fills a space of its own, which is the series' from when
// that crawl has ended; one that comes again goes on in that space. Start from [Open].
//
//	series.go  Head: which space a series has, and who works in it
//	book.go    Book: the pages of a space, and what is kept of them
//	page.go    Page: a row, and the estimate of how often it changes
//	host.go    Host: which of a host's words have held
//	audit.go   which pages are fetched whole although nothing speaks for a change
//	held.go    pages that went or came, until the end shows which of them have moved
//	drop.go    what is forgotten, and when
package since
