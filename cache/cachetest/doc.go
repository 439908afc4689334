// Package cachetest has the tests that every cache.DB and every cache.Store must pass. It may change without notice.
// The part of them that is about transactions is there for other stores, too.
// They check each sentence of their contracts, and random operations beside a plain model. Start with TestDB and
// TestStore.
//
//	db.go          TestDB, TestTransactions, TestPersistentDB: what is put, limits, compacting
//	dbscan.go      scans
//	dbtx.go        transactions: snapshots, what undoes what, many at once
//	dbmodel.go     a DB beside sorted maps
//	store.go       TestStore, and helpers
//	put.go         putting, and what comes back
//	read.go        keys, stats, renewing
//	remove.go      forgetting and pruning
//	changed.go     which changes are reported
//	waiting.go     queue, closing, many at once
//	storemodel.go  a Store beside plain lists
//	persistent.go  TestPersistentStore
//	soak.go        how much of long tests is done
package cachetest
