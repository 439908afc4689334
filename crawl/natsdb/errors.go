package natsdb

import "errors"

var (
	// ErrLost: the stream has another owner, or is gone. Nothing is written any more by this DB; of the transaction that returns it,
	// the new owner knows whether it was committed.
	ErrLost = errors.New("natsdb: the stream has another owner")
	// ErrDiverged: the local store has what the stream has not: it belongs to another stream, or the stream has lost messages. Give an
	// empty store to have what the stream has.
	ErrDiverged = errors.New("natsdb: the local store is not one of this stream")
	// ErrVersion: what was read was written by a later version of this package. It is left untouched.
	ErrVersion = errors.New("natsdb: written by a later version")
	// ErrDamaged: what was read is not what was written.
	ErrDamaged = errors.New("natsdb: damaged")
	// ErrClosed: the DB was closed. An Update that waited for the server may have been committed.
	ErrClosed = errors.New("natsdb: closed")

	// errCut: the owner before has cut the stream while it was read.
	errCut = errors.New("natsdb: messages that were to be read are in a snapshot now")

	errReserved = errors.New("natsdb: a bucket whose name begins with natsdb. is reserved")
	errAborted  = errors.New("natsdb: the goroutine that wrote for several ended in the middle")
)
