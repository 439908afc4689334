// Package cachetest has the tests that every cache.DB and every cache.Store must pass: each sentence of their contracts, and random
// operations beside a plain model.
//
//	db.go          TestDB, TestPersistentDB
//	dbmodel.go     a DB beside a sorted map
//	store.go       TestStore: putting and reading
//	remove.go      TestStore: what goes away
//	waiting.go     TestStore: queue, contexts, closing, many at once
//	storemodel.go  a Store beside a plain list
//	persistent.go  TestPersistentStore
package cachetest
