// Package crawltest has what tests of crawls need. It may change without notice.
// It has TestFrontier, the suite that a frontier must pass on every store, with random sites, workers that die and
// a plain model to compare with; and Clock, a clock that a test moves.
//
// Where things are:
//
//	suite.go     TestFrontier
//	rig.go       what each test of the suite has: a store, a clock, a frontier
//	put.go       claims and the order of work
//	lease.go     leases, their end and what is kept of them
//	complete.go  results, failures, redirects
//	replace.go   results that take the place of others
//	limit.go     the limit and freed slots
//	keep.go      pages that are as they were
//	deny.go      denials, blocks, dropping a job
//	simulate.go  random crawls with workers that fail and die
//	site.go      random sites and the model of which of their pages a crawl must reach
//	clock.go     Clock
package crawltest
