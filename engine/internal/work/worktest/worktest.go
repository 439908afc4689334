// Package worktest runs jobs of one kind in memory, for the tests of kinds.
package worktest

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// Kind is that of the jobs.
const Kind = "chore"

// Code is that of each failure.
const Code = "FAILED"

// New opens a runner of one kind of jobs on a store in memory. It ends with the test. Errors stay as they are.
func New(t testing.TB, k work.Kind) *work.Runner { return On(t, cache.NewMap(), k) }

// On is New on a store of the caller's.
func On(t testing.TB, db work.DB, k work.Kind) *work.Runner {
	t.Helper()
	r, _ := Ending(t, db, k)
	return r
}

// Ending is On, with a function that ends the runner and leaves its jobs as they are, as the end of a process does.
func Ending(t testing.TB, db work.DB, k work.Kind) (_ *work.Runner, end func()) {
	t.Helper()
	var working sync.WaitGroup
	owner, cancel := context.WithCancel(context.Background())
	r, err := work.Open(work.Options{
		DB: db, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Ledger: noLedger{},
		Kinds: map[string]work.Kind{Kind: k},
		Begin: func(ctx context.Context) (context.Context, func(), error) {
			ctx, stop := context.WithCancel(ctx)
			forget := context.AfterFunc(owner, stop)
			working.Add(1)
			return ctx, func() { forget(); stop(); working.Done() }, nil
		},
		Stopped: func(error) error { return owner.Err() },
		Failure: func(_ context.Context, _, _ string, err error) error { return err },
		Code:    func(error) string { return Code },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		working.Wait()
		cancel()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, func() { cancel(); working.Wait() }
}

// Create makes a job of [Kind] and doesn't start it.
func Create(t testing.TB, r *work.Runner, url string) jobs.Record {
	t.Helper()
	record, _, err := r.Records.Create(t.Context(), jobs.New{Kind: Kind, URL: url})
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// Run starts a job and waits for its end.
func Run(t testing.TB, r *work.Runner, record jobs.Record) jobs.Record {
	t.Helper()
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	record, err := r.Records.Wait(t.Context(), record.ID)
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// noLedger counts nothing.
type noLedger struct{}

func (noLedger) Book(_ string, _ int, write func() error) error { return write() }

func (noLedger) Tokens(string, llm.Usage) {}
