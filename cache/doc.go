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
//	refresh.go     bounds what bbolt remembers of the pages of a File
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
//	dicts.go       which dictionary a value is compressed with
//	train.go       what a dictionary is made of
//	dictionary.go  how values are kept that need one, and how it is itself
//	uses.go        how long it is kept
//
// Dictionaries: values of one group (Options.Group; the pages of a host) are compressed with what eight of them have in common. A
// dictionary has an id, which stands in each row that needs it, and never changes; a better one gets another id, and both live side by
// side. It holds passages of 16 bytes and more that two pages or more had, not what was on one page alone; it is stored in the transaction
// of the first value that needs it and deleted in that of the last one's removal. Those of the last 16 that were read are in memory, so
// that reading a value is one read. A value whose dictionary is damaged is a *CorruptError, as a damaged value is. Older rows need none.
package cache
