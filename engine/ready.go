package engine

import (
	"context"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/stores"
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

	// readyAge is how long an answer is good: callers must not be able to keep the disk busy.
	readyAge = time.Second
)

// Ready reports whether the engine can serve: nil when it is open and writes to its files succeed, else an
// [*UnreadyError], which wraps [ErrClosed] where that is why. While jobs wait for a disk that is full or can't be written it
// says so, even where something small can be. What it found is good for a second; no browser is started
// for it. A disk that doesn't answer before ctx ends is a reason too: without a deadline it waits for it.
func (e *Engine) Ready(ctx context.Context) error {
	_, done, err := e.begin(context.Background())
	if err != nil {
		return &UnreadyError{Reasons: []string{reasonClosed}, Err: err}
	}
	select {
	case <-e.ready.Begin(e.probeStores, done):
		return e.ready.Err()
	case <-ctx.Done():
		return &UnreadyError{Reasons: []string{stores.ReasonState}, Err: ctx.Err()}
	case <-e.ctx.Done():
		return &UnreadyError{Reasons: []string{reasonClosed}, Err: ErrClosed}
	}
}

// probeStores finds out whether the stores can be written; if not, it returns an [*UnreadyError].
func (e *Engine) probeStores() error {
	reasons, err := e.stores.Probe(e.now())
	if err == nil {
		return nil
	}
	return &UnreadyError{Reasons: reasons, Err: err}
}
