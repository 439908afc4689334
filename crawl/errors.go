package crawl

import (
	"errors"
	"fmt"
)

// The errors of a frontier.
var (
	// ErrLeaseLost: the item's lease had ended and another worker has it, or the item was completed, put back, or leased by an earlier
	// Frontier. Nothing was changed.
	ErrLeaseLost = errors.New("crawl: the lease of this item is lost")
	// ErrAttempts: Fail of an item that was tried Options.Attempts times. Complete it as failed.
	ErrAttempts = errors.New("crawl: no attempt left for this item")
	// ErrDropped: the job was dropped.
	ErrDropped = errors.New("crawl: the job was dropped")
	// ErrNoResult: Replace of a result that isn't there.
	ErrNoResult = errors.New("crawl: no such result")
	// ErrTooLarge: a job name over 256 bytes, or a result over 256 MiB.
	ErrTooLarge = errors.New("crawl: too large")
)

// DamagedError is a row that differs from what was written. It holds no URL.
type DamagedError struct {
	// Bucket that holds the row.
	Bucket string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("crawl: a row in bucket %q is damaged: the job cannot continue; drop it and start it again", e.Bucket)
}
