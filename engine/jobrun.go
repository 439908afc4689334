package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// task is what tells a crawl from a batch or an extraction: jobs that are lines of pages.
type task interface {
	// feed puts in line what isn't found on pages. It may take its time.
	feed(ctx context.Context) error
	// visit makes what an item comes to.
	visit(ctx context.Context, item crawl.Item) outcome
	// note adds to the transaction in which an item ends.
	note(tx crawl.Tx, item crawl.Item, page crawl.Page) error
	// ended gives the reason for which the whole job has failed, nil for none, errEnough
	// where the job is done though its line isn't.
	ended(ctx context.Context) error
}

// outcome is what an item comes to: a page, or another try.
type outcome struct {
	page    crawl.Page
	docs    []*Document // the page's results
	failed  error       // why there is none; page.Failed is then set
	credits int
	retryAt time.Time            // set: not ended, to be tried again then
	also    func(crawl.Tx) error // adds to the transaction in which the item ends; may be nil
}

// run is one job at work.
type run struct {
	store     *jobStore
	engine    *Engine
	id        string
	owner     string
	frontier  *crawl.Frontier
	pace      *crawl.Pace
	task      task
	workers   int
	tabs      *jobTabs
	meter     *jobs.Meter
	inBrowser browserPages // to be tried again there
	until     time.Time    // the line is left as it is then; zero: never
	late      bool         // that has happened
}

// work does a job to its end.
func (s *jobStore) work(ctx context.Context, r jobs.Record, m *jobs.Meter) error {
	if do := dutyOf(r.Kind); do != nil {
		return s.onDuty(ctx, r, do)
	}
	job := &run{store: s, engine: s.engine, id: r.ID, owner: r.Owner, meter: m}
	var err error
	switch r.Kind {
	case KindCrawl:
		err = job.openCrawl(r)
	case KindBatch:
		err = job.openBatch(r)
	case KindExtract:
		err = job.openExtract(r)
	default:
		err = fmt.Errorf("job of unknown kind %q", r.Kind)
	}
	if err != nil {
		return err
	}
	return job.run(ctx)
}

// run feeds the line and works it off. A panic fails the job alone.
func (r *run) run(ctx context.Context) (err error) {
	defer recovered(&err)
	r.tabs = r.engine.tabs.ofJob(r.workers)
	defer r.tabs.end()
	timed, stop := r.withUntil(ctx)
	defer stop()
	fed := make(chan struct{})
	group, work := errgroup.WithContext(timed)
	group.Go(func() (err error) {
		defer close(fed)
		defer recovered(&err)
		return r.task.feed(work)
	})
	for range r.workers {
		group.Go(func() error { return r.worker(work, fed) })
	}
	if err := group.Wait(); err != nil && (timed.Err() == nil || ctx.Err() != nil) {
		return err
	}
	r.late = timed.Err() != nil
	return r.task.ended(ctx)
}

// errEnough ends a job as completed though pages of it are left in line.
var errEnough = errors.New("the rest of the pages is left out")

func (r *run) withUntil(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.until.IsZero() {
		return ctx, func() {}
	}
	left := r.until.Sub(r.engine.now())
	return context.WithTimeoutCause(ctx, left, &timeoutError{left})
}

// worker takes items until there are none and none can come.
func (r *run) worker(ctx context.Context, fed <-chan struct{}) error {
	for {
		feeding := !closed(fed) // asked first: what is fed after this is in line
		items, wait, err := r.frontier.Lease(ctx, 1, 0)
		switch {
		case err != nil:
			return err
		case len(items) == 1:
			if err := r.handle(ctx, items[0]); err != nil {
				return err
			}
		case wait.Done && !feeding:
			return nil
		default:
			if err := r.pause(ctx, wait, fed, feeding); err != nil {
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
func (r *run) pause(ctx context.Context, wait crawl.Wait, fed <-chan struct{}, feeding bool) error {
	var due <-chan time.Time
	if !wait.Until.IsZero() {
		timer := time.NewTimer(wait.Until.Sub(r.engine.now()))
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

// handle works on one item and writes down what came of it.
func (r *run) handle(ctx context.Context, item crawl.Item) error {
	out := r.attempt(ctx, item)
	if cause := r.givenUp(ctx, out); cause != nil {
		_ = r.frontier.Release(context.WithoutCancel(ctx), item)
		return cause
	}
	if !out.retryAt.IsZero() {
		err := r.frontier.Fail(ctx, item, out.retryAt, out.failed.Error())
		if !errors.Is(err, crawl.ErrAttempts) {
			return lost(err)
		}
	}
	return lost(r.complete(ctx, item, out))
}

// givenUp tells why a page was not worked off, which is no failure of the page: the job
// or the engine ends. The engine's end may reach the page before the job.
func (r *run) givenUp(ctx context.Context, out outcome) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case r.engine.life.Err() != nil || CodeOf(out.failed) == CodeCancelled:
		return ErrClosed
	}
	return nil
}

// lost forgives that an item's lease has ended meanwhile: another has it then.
func lost(err error) error {
	if errors.Is(err, crawl.ErrLeaseLost) {
		return nil
	}
	return err
}

// attempt keeps a panic over one page from ending the job.
func (r *run) attempt(ctx context.Context, item crawl.Item) (out outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = failedPage(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	if item.Attempt > pageAttempts {
		return failedPage(&Error{Code: CodeRetryLimit, Op: "scrape", URL: item.URL, Err: fmt.Errorf("tried %d times: %s", item.Attempt-1, item.Cause)})
	}
	return r.task.visit(ctx, item)
}

func failedPage(err error) outcome {
	return outcome{page: crawl.Page{Failed: true, Code: string(CodeOf(err))}, failed: err}
}

// complete writes results, event and credits in one transaction.
func (r *run) complete(ctx context.Context, item crawl.Item, out outcome) error {
	r.inBrowser.drop(item)
	page := out.page
	if err := pack(&page, out); err != nil {
		return err
	}
	if !page.Silent {
		r.meter.Note(max(len(out.docs), 1))
	}
	event, err := r.pageEvent(ctx, item, out)
	if err != nil {
		return err
	}
	page.Also = func(tx crawl.Tx, sequence uint64) error {
		if err := r.task.note(tx, item, page); err != nil {
			return err
		}
		if out.also != nil {
			if err := out.also(tx); err != nil {
				return err
			}
		}
		if err := r.store.jobs.AddIn(tx, r.id, int64(out.credits)); err != nil || page.Silent {
			return err
		}
		if page.Failed {
			_, err = r.store.jobs.AppendIn(tx, r.id, event)
			return err
		}
		for i := range out.docs {
			event.Ref = sequence + uint64(i)
			if _, err := r.store.jobs.AppendIn(tx, r.id, event); err != nil {
				return err
			}
		}
		return nil
	}
	err = r.engine.stores.ledger.book(r.owner, r.engine.now(), out.credits, func() error { return r.frontier.Complete(ctx, item, page) })
	if err == nil {
		r.store.jobs.Wake(r.id)
	}
	if errors.Is(err, jobs.ErrFinished) || errors.Is(err, jobs.ErrNotFound) {
		return errCancelled
	}
	return err
}

// pack makes results of the documents.
func pack(page *crawl.Page, out outcome) error {
	if out.failed != nil && page.Failed {
		page.Result = []byte(out.failed.Error())
		return nil
	}
	for i, doc := range out.docs {
		data, err := packDocument(doc)
		if err != nil {
			return err
		}
		if i == 0 {
			page.Result = data
		} else {
			page.More = append(page.More, data)
		}
	}
	return nil
}

func (r *run) pageEvent(ctx context.Context, item crawl.Item, out outcome) (jobs.Event, error) {
	progress, err := r.progress(ctx)
	if err != nil {
		return jobs.Event{}, err
	}
	progress.Active = max(progress.Active-1, 0) // as it is when the event can be read
	if out.page.Failed {
		progress.Failed++
	} else {
		progress.Done += len(out.docs)
	}
	e := PageEvent{URL: item.URL, Progress: progress}
	if out.failed != nil && out.page.Failed {
		e.Code, e.Error = CodeOf(out.failed), out.failed.Error()
	}
	data, err := json.Marshal(e)
	return jobs.Event{Type: jobs.EventPage, Data: data}, err
}

func (r *run) progress(ctx context.Context) (Progress, error) {
	s, err := r.frontier.Stats(ctx)
	if err != nil {
		return Progress{}, err
	}
	return r.meter.Progress(Progress{Done: s.Done, Failed: s.Failed, Known: s.Known, Queued: s.Queued, Active: s.Leased}), nil
}
