package work

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

// whole does a job that moves, from the beginning where an earlier machine has left it: what that has kept is on the shard.
func (j *Job) whole(ctx context.Context, item crawl.Item) spread.Outcome {
	ctx, left := j.whileHere(ctx)
	defer left()
	var err error
	if item.Attempt > maxAttempts {
		err = &AttemptsError{Attempts: item.Attempt - 1, Cause: item.Cause}
	} else {
		err = j.runner.work(ctx, j, jobs.NewMeter(j.runner.o.Now))
	}
	if ctx.Err() != nil || j.runner.o.Stopped(nil) != nil || errors.Is(err, spread.ErrGone) {
		return spread.Outcome{Back: true}
	}
	state, code, text := j.runner.ending(ctx, j.Record, err)
	m := entries.Message{End: &entries.End{State: string(state), Code: code, Error: text}}
	out := spread.Outcome{Page: crawl.Page{Kept: true}}
	if out.Entries, err = m.Pieces(spread.MaxEntry); err != nil {
		j.Logger().Warn("the end of a job can't be kept", "error", err)
	}
	return out
}

// lookEvery is the time between two looks at whether a job is still this machine's.
const lookEvery = 50 * time.Millisecond

// whileHere is ctx until the job has ended, or moved to another machine. Call left in the end.
func (j *Job) whileHere(ctx context.Context) (_ context.Context, left func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		for !j.part.Over() {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
		cancel(spread.ErrGone)
	})
	return ctx, func() {
		cancel(nil)
		watch.Wait()
	}
}

// openFrontier opens the queue of the line. That of a job that moves is on the shard, beside the one that the job itself is in.
func (l *Line) openFrontier() (err error) {
	o := crawl.Options{Limit: l.o.Limit, Pace: l.Pace}
	if l.part == nil {
		l.Frontier, err = l.runner.openLine(l.DB(), l.Record.ID, o)
		return err
	}
	o.Now, o.Attempts = l.runner.o.Now, Attempts
	l.Frontier, err = crawl.Open(l.DB(), linesOf(l.Record.ID), o)
	return err
}

// linesOf is the name of the queue of a job that moves.
func linesOf(job string) string { return job + "/line" }

// completeMoving is complete of a job that moves: the results are its mirrors'.
func (l *Line) completeMoving(ctx context.Context, item crawl.Item, out Outcome) error {
	page, m, err := l.message(item, out)
	if err != nil {
		return err
	}
	if m.Left, err = leftIn(ctx, l.Frontier); err != nil {
		return err
	}
	m.Left.Active = max(m.Left.Active-1, 0)
	if page.Denied = nil; !page.Failed { // whose reason the line may need in the end
		page.Result, page.More = nil, nil
	}
	page.InTx = func(tx crawl.Tx, _ uint64) error {
		err := errors.Join(l.task.Complete(tx, item, out), out.inTx(tx, 0, len(m.Documents)))
		if err != nil {
			return err
		}
		return l.sendIn(tx, m)
	}
	return l.runner.o.Ledger.Book(l.Record.Owner, out.Credits, func() error { return l.Frontier.Complete(ctx, item, page) })
}

func leftIn(ctx context.Context, f *crawl.Frontier) (*entries.Left, error) {
	s, err := f.Stats(ctx)
	return &entries.Left{Queued: s.Queued, Active: s.Leased}, err
}

// sendLeft has the mirrors of a job that moves know how many pages are left.
func (l *Line) sendLeft(ctx context.Context) error {
	if l.part == nil {
		return nil
	}
	left, err := leftIn(ctx, l.Frontier)
	if err != nil {
		return err
	}
	return l.send(entries.Message{Left: left})
}
