// Package crawl says which URL is fetched next. A Frontier keeps what one crawl knows in a store: it claims each URL once, leases what may
// be fetched to workers, takes their results together with the links they found in one transaction, and goes on where it was when its
// process dies. A Pace says when a host may be asked again. The package fetches nothing, doesn't know what a page or a result is, imports
// no store (it declares the DB that it needs), and doesn't decide what belongs to a crawl: that is scope's, beside robots and sitemap in
// folders of their own.
//
// Begin with Open, then Frontier.Put, Lease and Complete; the example of Frontier is a whole crawl.
//
// Where things are:
//
//	frontier.go    Options, Open, Put: claiming URLs, and the limit
//	found.go       Found, its host and its rank in the order of work
//	lease.go       Item, Lease: what is out, in memory, and what is noted of it
//	picker.go      which items are next, and
//	lineup.go      which host
//	complete.go    Page, Complete, Claim
//	giveback.go    Fail, Release
//	recent.go      keys that need no look-up
//	later.go       retries that wait for their time
//	results.go     Results and Errors by cursor
//	deny.go        denied URLs, counted and listed
//	block.go       hosts that are left alone, kept for the next process
//	stats.go       Stats
//	drop.go        the end of a job
//	db.go          DB and Tx, and what is in which bucket
//	state.go       a job's counters, keys and transactions
//	row.go         rows: format, checksum
//	pace.go        Pace: delay, concurrency, blocks
//	pacehosts.go   which hosts it remembers
//	visit.go       Visit: one request and its outcome; 429 and 503
//	gauge.go       how a host's latency and errors slow it down
//	retryafter.go  the Retry-After header
//	signal.go      waking who waits
//	errors.go      the errors
package crawl
