package work

import (
	"context"
	"errors"
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

// Finisher is a [Task] that may have more to do in the end.
type Finisher interface {
	// Last is called when nothing is left to do, and may be so by several workers at the same time. It may queue more, and reports whether it
	// did.
	Last(ctx context.Context) (more bool, err error)
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
	// Corrections are worked off before anything else, and before the job ends; its task is a [Corrector] then. Nil: there are none.
	Corrections Corrections
	// Close is called when the workers have ended, or opening the line failed; may be nil.
	Close func()
	// Within derives the context of the workers, and what ends it; may be nil.
	Within func(context.Context) (_ context.Context, end func() error, err error)
}

// Line is the queue of pages of a running job.
type Line struct {
	*Job
	// Frontier and Pace are there when the task is fed, and later.
	Frontier *crawl.Frontier
	Pace     *crawl.Pace
	// Late reports, to [Task.Ended], that the line was left at [LineOptions.Until].
	Late bool

	apart     bool // it is a part of a job that is spread
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
	if l.o.Within != nil {
		within, end, err := l.o.Within(ctx)
		if err != nil {
			return err
		}
		ctx = within
		defer func() { err = errors.Join(err, end()) }()
	}
	l.Pace = crawl.NewPace(crawl.PaceOptions{Delay: l.o.Delay, Concurrency: l.o.Workers, Now: l.runner.o.Now})
	if err := l.openFrontier(); err != nil {
		return err
	}
	timed, stop := l.withUntil(ctx)
	defer stop()
	if err := l.workOff(timed); err != nil && (timed.Err() == nil || ctx.Err() != nil) {
		return err
	}
	l.Late = timed.Err() != nil
	if err := l.sendLeft(ctx); err != nil {
		return err
	}
	return l.task.Ended(ctx)
}

func (l *Line) withUntil(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.o.Until.IsZero() {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, l.o.Until.Sub(l.now()), &deadline.TimeoutError{After: l.o.Until.Sub(l.Record.Created)})
}

func (l *Line) workOff(ctx context.Context) error {
	fed := make(chan struct{})
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		defer close(fed)
		defer recovered(&err)
		if err := l.task.Feed(ctx); err != nil {
			return err
		}
		return l.sendLeft(ctx)
	})
	for range l.o.Workers {
		group.Go(func() error { return l.worker(ctx, fed) })
	}
	return group.Wait()
}

// worker takes items until there are none and none can come.
func (l *Line) worker(ctx context.Context, fed <-chan struct{}) error {
	for {
		if did, err := l.correct(ctx); did || err != nil {
			if err != nil {
				return err
			}
			continue
		}
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
			if over, err := l.over(ctx, wait); over || err != nil {
				return err
			}
		default:
			if err := l.pause(ctx, wait, fed, feeding); err != nil {
				return err
			}
		}
	}
}

// over reports whether nothing is left to do, and waits while another worker has a correction in hand, or its host needs a pause.
func (l *Line) over(ctx context.Context, wait crawl.Wait) (bool, error) {
	if more, err := l.more(ctx); more || err != nil {
		return false, err
	}
	if l.o.Corrections == nil {
		return true, nil
	}
	if l.o.Corrections.InHand() == 0 {
		if more, err := l.o.Corrections.Last(); !more || err != nil {
			return !more, err
		}
	}
	timer := time.NewTimer(hostPause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-wait.Changed:
	case <-timer.C:
	}
	return false, nil
}

// more reports whether the task, or another worker at its end, has queued more.
func (l *Line) more(ctx context.Context) (bool, error) {
	last, ok := l.task.(Finisher)
	if !ok {
		return false, nil
	}
	if more, err := last.Last(ctx); more || err != nil {
		return more, err
	}
	s, err := l.Frontier.Stats(ctx)
	return s.Queued+s.Leased > 0, err
}

// hostPause is the time until the next look at whether a host may be requested.
const hostPause = 100 * time.Millisecond

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
