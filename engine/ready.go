package engine

import (
	"context"
	"errors"
	"strings"
	"sync"
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

// readiness is what is known of the stores.
type readiness struct {
	mu    sync.Mutex
	asked time.Time // when they were last tried; zero: never
	err   error
	trial chan struct{} // closed when the trial under way has ended; nil: there is none
}

// Ready reports whether the engine can serve: nil when it is open and writes to its files succeed, else an
// [*UnreadyError], which wraps [ErrClosed] where that is why. What it found is good for a second; no browser is started
// for it. A disk that doesn't answer before ctx ends is a reason too: without a deadline it waits for it.
func (e *Engine) Ready(ctx context.Context) error {
	trial, err := e.trial()
	if err != nil {
		return &UnreadyError{Reasons: []string{reasonClosed}, Err: err}
	}
	select {
	case <-trial:
	case <-ctx.Done():
		return &UnreadyError{Reasons: []string{reasonState}, Err: ctx.Err()}
	case <-e.ctx.Done():
		return &UnreadyError{Reasons: []string{reasonClosed}, Err: ErrClosed}
	}
	e.ready.mu.Lock()
	defer e.ready.mu.Unlock()
	return e.ready.err
}

// trial gives the trial of the stores that is under way, or begins one where the last is too old.
func (e *Engine) trial() (<-chan struct{}, error) {
	_, done, err := e.begin(context.Background())
	if err != nil {
		return nil, err
	}
	r := &e.ready
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.trial == nil {
		ended := make(chan struct{})
		if now := e.now(); !r.asked.IsZero() && now.Sub(r.asked) < readyAge && !now.Before(r.asked) {
			done()
			close(ended)
			return ended, nil
		}
		r.trial = ended
		go func() {
			defer done()
			e.tryStores()
		}()
		return ended, nil
	}
	done()
	return r.trial, nil
}

// tryStores writes to both files and keeps how that went.
func (e *Engine) tryStores() {
	err := e.stores.try(e.now())
	r := &e.ready
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked, r.err = e.now(), err
	close(r.trial)
	r.trial = nil
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
