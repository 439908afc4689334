// Package cache stores bytes with a time: fetched pages, and records of other packages. It may change without notice.
// It is the only package that opens bbolt files.
//
// It knows nothing of URLs, pages or freshness: keys and values are bytes, and callers decide whether a version is fresh enough.
// Start with Store and its constructors OpenBolt and NewMemory; for ordered buckets and transactions start with DB, OpenFile and
// NewMap. cachetest has the tests that every DB and every Store must pass.
//
// Databases:
//
//	db.go          DB and Tx: buckets of keys and values in transactions
//	map.go         Map: a DB in memory
//	overflow.go    the temporary file for what a Map has no room for
//	file.go        File: a DB in a bbolt file; snapshots; what a panic of bbolt means
//	update.go      writing: calls at the same time share a transaction
//	filetx.go      transactions of a File
//	fill.go        how full the pages of a File become
//	open.go        opening: lock, check, bbolt's settings
//	inspect.go     what is checked before bbolt may touch a file
//	mark.go        which kind of file it is, and its schema
//	disk.go        Disk: outages, such as a full disk, and writing that waits for their end
//	compact.go     giving free pages back
//	lock_*.go, passing_*.go   what systems differ in
//	errors.go      the errors
//
// Stores:
//
//	store.go       Store, Entry, Version, Options, Stats
//	memory.go      Memory: a Store in memory
//	bolt.go        Bolt: a Store in a file
//	queue.go       what was put and isn't durable yet
//	writer.go      Put, Renew, Flush, and the goroutine that writes
//	change.go      the work of one transaction
//	read.go        Versions, Get, Keys, Stats
//	remove.go      Prune and Forget
//	rows.go        how index, ages and totals are kept
//	value.go       how values are kept: compressed, with a checksum
package cache
