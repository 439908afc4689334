// Package links brings URLs to the shards that they belong to. Each shard has a log of messages for it, its inbox, in which each message is
// a batch of URLs of one job. Sending returns when the batch is in the log; the owner of the shard reads it in order, and notes how far it
// is in the transaction in which it claims the URLs. A batch that is in the log twice does no harm: each URL is claimed once.
//
// Nothing is buffered but what the callers of [Sender.Send] wait with: an inbox that is full, or can't be reached, holds up those that send
// to it, and they hold up the workers that found the links.
//
//   - links.go — [Log], [Message]
//   - batch.go — [Batch]: a message as bytes
//   - sender.go — [Sender]: those that send to one shard at the same time share a message
package links

import (
	"context"
	"errors"
)

var (
	// ErrFull: the log takes no more until some of it is trimmed.
	ErrFull = errors.New("links: the inbox is full")
	// ErrVersion: a message was written by a later version.
	ErrVersion = errors.New("links: a message of a later version")
	// ErrDamaged: a message isn't what was written.
	ErrDamaged = errors.New("links: a damaged message")
)

// Message of a log.
type Message struct {
	// Sequence is above that of the message before.
	Sequence uint64
	Data     []byte
}

// Log keeps messages in order until they are trimmed.
type Log interface {
	// Append adds a message, unless one with the id was added not long ago. [ErrFull]; after any other error it may be there.
	Append(ctx context.Context, id string, data []byte) error
	// Read returns up to limit messages after a sequence.
	Read(ctx context.Context, after uint64, limit int) ([]Message, error)
	// Last returns the sequence of the last message that was ever appended; 0: none was.
	Last(ctx context.Context) (uint64, error)
	// Trim removes the messages up to a sequence.
	Trim(ctx context.Context, through uint64) error
}
