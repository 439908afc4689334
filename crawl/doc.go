// Package crawl decides which URL is fetched next. It may change without notice.
// A Frontier keeps the state of one crawl in a store: it claims each URL once, leases URLs to workers, takes their
// results together with the links they found in one transaction, and resumes after its process has died. A Pace
// decides when a host may be requested again. The package fetches nothing, doesn't interpret pages or results,
// imports no store (it declares the DB that it needs), and doesn't decide what belongs to a crawl: that is the job
// of scope, beside robots and sitemap in folders of their own.
//
// Start with Open, then Frontier.Put, Lease and Complete; the example of Frontier is a whole crawl.
//
// Where things are:
//
//	frontier.go    Options, Open, Put: claiming URLs, and the limit
//	found.go       Found, its host and its rank in the order of work
//	lease.go       Item, Lease: leased items, in memory, and what is stored of them
//	picker.go      which items are next, and
//	lineup.go      which host
//	complete.go    Page, Complete, Claim
//	confirm.go     Confirm, Take, SetLimit: a frontier that is one shard of a crawl on several machines
//	enter.go       Enter, Admit: what was done to a page elsewhere
//	keep.go        Keep, Renew: URLs that need not be fetched, or are once more after all
//	replace.go     Replace: a result that takes another one's place
//	giveback.go    Fail, Release
//	recent.go      keys that need no look-up
//	later.go       retries that wait for their time
//	results.go     Results and Errors by cursor
//	deny.go        denied URLs, counted and listed; Retake: those that are fetched after all
//	block.go       hosts that are left alone, stored for the next process
//	stats.go       Stats
//	drop.go        the end of a job; DropRows
//	db.go          DB and Tx, and what is in which bucket
//	state.go       a job's counters, keys and transactions
//	row.go         rows: format, checksum
//	pace.go        Pace: delay, concurrency, blocks
//	pacehosts.go   which hosts it remembers
//	visit.go       Visit: one request and its outcome; 429 and 503
//	gauge.go       how a host's latency and errors slow it down
//	retryafter.go  the Retry-After header
//	signal.go      waking those that wait
//	errors.go      the errors
package crawl
