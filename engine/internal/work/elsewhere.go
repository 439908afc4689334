package work

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Elsewhere has the jobs that are spread over several machines. What is kept of one here is a mirror: all machines have the same, once they
// have read as far. Safe for concurrent use.
type Elsewhere interface {
	// Follow keeps a mirror up to date until the job has ended, and ends it; or until ctx has.
	Follow(ctx context.Context, job *Job) error
	// Find makes the mirror of a job that isn't here. [jobs.ErrNotFound].
	Find(ctx context.Context, id string) (jobs.Record, error)
	// Sync waits until the mirror has what there is at the beginning of the call.
	Sync(ctx context.Context, id string) error
	// Pending counts the pages of a job that are queued and active on all machines, or that were left when it ended.
	Pending(ctx context.Context, id string) (queued, active int, err error)
	// Cancel ends a job.
	Cancel(ctx context.Context, id string) error
	// Drop forgets what is kept of a job beside its mirror.
	Drop(db DB, id string) error
}

// Lookup returns the record of a job, as it is now, which may be one of another machine. [jobs.ErrNotFound].
func (r *Runner) Lookup(ctx context.Context, id string) (jobs.Record, error) {
	record, err := r.Records.Get(ctx, id)
	if r.o.Elsewhere == nil {
		return record, err
	}
	if errors.Is(err, jobs.ErrNotFound) {
		record, err = r.o.Elsewhere.Find(ctx, id)
	}
	if err != nil || !record.Elsewhere || record.State.Final() {
		return record, err
	}
	if err := r.o.Elsewhere.Sync(ctx, id); err != nil {
		return record, err
	}
	return r.Records.Get(ctx, id)
}

// Stats counts the pages of a job.
func (r *Runner) Stats(ctx context.Context, id string) (crawl.Stats, error) {
	f, err := r.Frontier(id)
	if err != nil {
		return crawl.Stats{}, err
	}
	s, err := f.Stats(ctx)
	if err != nil || r.o.Elsewhere == nil {
		return s, err
	}
	if record, err := r.Records.Get(ctx, id); err != nil || !record.Elsewhere {
		return s, err
	}
	queued, active, err := r.o.Elsewhere.Pending(ctx, id)
	s.Queued, s.Leased, s.Known = s.Queued+queued, s.Leased+active, s.Known+queued+active
	return s, err
}

// cancelElsewhere cancels a job that is spread, and waits until it has ended; away is false for others.
func (r *Runner) cancelElsewhere(ctx context.Context, id string) (away bool, err error) {
	if r.o.Elsewhere == nil {
		return false, nil
	}
	record, err := r.Records.Get(ctx, id)
	switch {
	case err != nil || !record.Elsewhere:
		return false, err
	case record.State.Final():
		return true, jobs.ErrFinished
	}
	if err := r.o.Elsewhere.Cancel(ctx, id); err != nil {
		return true, err
	}
	if record, err = r.Records.Wait(ctx, id); err == nil && record.State != jobs.Cancelled {
		err = jobs.ErrFinished
	}
	return true, err
}
