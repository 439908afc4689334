// Package natsdb has a crawl.DB that lives on several machines. It may change without notice.
// Each transaction is appended to a stream of NATS JetStream before it is applied to a store on this machine: a program that opens the
// stream elsewhere has all that was committed. Only programs that import this package link NATS.
//
// A stream has one owner at a time. Opening it makes the caller the owner; the one before is refused by the server at its next
// transaction, since each append names the sequence that it expects to be the last: no clock decides who owns what. See [ErrLost].
//
// Where things are:
//
//	options.go   Options
//	open.go      Open: the stream, taking it over
//	replay.go    the local store catches up with the stream
//	db.go        DB: View, Update, Close
//	group.go     several Updates in one transaction
//	recorder.go  what a transaction writes
//	writes.go    a set of writes as bytes
//	message.go   messages of the stream, and sets of writes that are too large for one
//	append.go    appending, and what became of it when no answer came
//	apply.go     the local store: writes, and the sequence up to which it has them
//	snapshot.go  the local store as an object, so that the stream can be cut
//	load.go      a local store from a snapshot
//	object.go    reading an object
//	errors.go    the errors
package natsdb
