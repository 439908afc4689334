package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// UnreadyError is why an engine can't serve.
type UnreadyError struct {
	// Reasons in words that anyone may read: they name no file and no page.
	Reasons []string
	// Err are the causes, for the operator.
	Err error
}

// Error prints the causes.
func (e *UnreadyError) Error() string {
	return "the engine is not ready: " + strings.Join(e.Reasons, ", ") + ": " + e.Err.Error()
}

// Unwrap gives the causes.
func (e *UnreadyError) Unwrap() error { return e.Err }

const (
	reasonClosed = "the engine is closed"
	reasonState  = "the state can't be written"
	reasonPages  = "the cache can't be written"

	// readyAge is how long an answer is good: callers must not be able to keep the disk busy.
	readyAge    = time.Second
	readyBucket = "ready"
)

// Ready reports whether the engine can serve: nil when it is open and writes to its files succeed, else an
// [*UnreadyError], which wraps [ErrClosed] where that is why. What it found is good for a second; no browser is started
// for it. A disk that doesn't answer before ctx ends is a reason too: without a deadline it waits for it.
func (e *Engine) Ready(ctx context.Context) error {
	_, done, err := e.begin(context.Background())
	if err != nil {
		return &UnreadyError{Reasons: []string{reasonClosed}, Err: err}
	}
	select {
	case <-e.ready.Begin(func() error { return e.stores.try(e.now()) }, done):
		return e.ready.Err()
	case <-ctx.Done():
		return &UnreadyError{Reasons: []string{reasonState}, Err: ctx.Err()}
	case <-e.ctx.Done():
		return &UnreadyError{Reasons: []string{reasonClosed}, Err: ErrClosed}
	}
}

// try writes the time where no one reads it.
func (s *stores) try(at time.Time) error {
	var reasons []string
	var causes []error
	for _, file := range []struct {
		db     cache.DB
		reason string
	}{{s.state, reasonState}, {s.pageFile, reasonPages}} {
		if file.db == nil {
			continue
		}
		err := file.db.Update(func(tx cache.Tx) error {
			return tx.Put(readyBucket, []byte("at"), at.UTC().AppendFormat(nil, time.RFC3339))
		})
		if err != nil {
			reasons, causes = append(reasons, file.reason), append(causes, err)
		}
	}
	if causes == nil {
		return nil
	}
	return &UnreadyError{Reasons: reasons, Err: errors.Join(causes...)}
}
