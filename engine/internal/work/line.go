package work

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Task is what distinguishes the kinds of jobs that are lines of pages. Visit is called by several workers at the same time.
type Task interface {
	// Feed queues what isn't found on pages. It may take long.
	Feed(ctx context.Context) error
	// Visit makes what an item comes to.
	Visit(ctx context.Context, item crawl.Item) Outcome
	// Complete adds to the transaction in which an item ends. It may be called more than once for one item.
	Complete(tx jobs.Tx, item crawl.Item, out Outcome) error
	// Ended returns the reason for which the whole job has failed, nil for none, [ErrEnough] where the job is done though
	// its line isn't.
	Ended(ctx context.Context) error
}

// LineOptions say how a line is worked off.
type LineOptions struct {
	// Workers at once, at least 1.
	Workers int
	// Delay between two requests to one host; with one a host gets one request at a time.
	Delay time.Duration
	// Limit of pages; see [crawl.Options].
	Limit int
	// Until is when the line is left as it is; zero: never.
	Until time.Time
	// Close is called when the workers have ended, or opening the line failed; may be nil.
	Close func()
}

// Line is the queue of pages of a running job.
type Line struct {
	*Job
	// Frontier and Pace are there when the task is fed, and later.
	Frontier *crawl.Frontier
	Pace     *crawl.Pace
	// Late reports, to [Task.Ended], that the line was left at [LineOptions.Until].
	Late bool

	task      Task
	o         LineOptions
	meter     *jobs.Meter
	inBrowser browserPages // to be tried again there
}

// work opens the line, feeds it and works it off.
func (l *Line) work(ctx context.Context, open func(*Line) (Task, LineOptions, error)) (err error) {
	l.task, l.o, err = open(l)
	if l.o.Close != nil {
		defer l.o.Close()
	}
	if err != nil {
		return err
	}
	l.Pace = crawl.NewPace(crawl.PaceOptions{Delay: l.o.Delay, Concurrency: l.o.Workers, Now: l.runner.o.Now})
	l.Frontier, err = l.runner.openFrontier(l.Record.ID, crawl.Options{Limit: l.o.Limit, Pace: l.Pace})
	if err != nil {
		return err
	}
	timed, stop := l.withUntil(ctx)
	defer stop()
	if err := l.workOff(timed); err != nil && (timed.Err() == nil || ctx.Err() != nil) {
		return err
	}
	l.Late = timed.Err() != nil
	return l.task.Ended(ctx)
}

func (l *Line) withUntil(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.o.Until.IsZero() {
		return ctx, func() {}
	}
	left := l.o.Until.Sub(l.now())
	return context.WithTimeoutCause(ctx, left, &deadline.TimeoutError{After: left})
}

func (l *Line) workOff(ctx context.Context) error {
	fed := make(chan struct{})
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		defer close(fed)
		defer recovered(&err)
		return l.task.Feed(ctx)
	})
	for range l.o.Workers {
		group.Go(func() error { return l.worker(ctx, fed) })
	}
	return group.Wait()
}

// worker takes items until there are none and none can come.
func (l *Line) worker(ctx context.Context, fed <-chan struct{}) error {
	for {
		feeding := !closed(fed) // asked first: what is fed after this is in line
		items, wait, err := l.Frontier.Lease(ctx, 1, 0)
		switch {
		case err != nil:
			return err
		case len(items) == 1:
			if err := l.handle(ctx, items[0]); err != nil {
				return err
			}
		case wait.Done && !feeding:
			return nil
		default:
			if err := l.pause(ctx, wait, fed, feeding); err != nil {
				return err
			}
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// pause waits until there may be something to do.
func (l *Line) pause(ctx context.Context, wait crawl.Wait, fed <-chan struct{}, feeding bool) error {
	var due <-chan time.Time
	if !wait.Until.IsZero() {
		timer := time.NewTimer(wait.Until.Sub(l.now()))
		defer timer.Stop()
		due = timer.C
	}
	if !feeding {
		fed = nil // it would never block
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-due:
	case <-fed:
	case <-wait.Changed:
	}
	return nil
}
