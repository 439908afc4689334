package engine

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// JobState is how a job stands. A job is scraping until it is one of the others,
// and stays that.
type JobState string

// The states of the service.
const (
	JobScraping  JobState = "scraping"
	JobCompleted JobState = "completed"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Final reports whether nothing can follow on s.
func (s JobState) Final() bool { return s != JobScraping }

// ended reports whether s, as an event's type, is a job's last.
func (s JobState) ended() bool { return s == JobCompleted || s == JobFailed || s == JobCancelled }

// Kinds of jobs, as in events and webhooks.
const (
	KindCrawl   = "crawl"
	KindBatch   = "batch_scrape"
	KindExtract = "extract"
	KindAgent   = "agent"
)

// Job is a crawl, a batch, an extraction or an agent: at work, or done within the last day. Safe for
// concurrent use. It need not be closed.
type Job struct {
	runner *work.Runner
	id     string
	kind   string
	owner  string
	found  bool
}

// ID is a UUIDv7, by which [Engine.Job] finds the job again, also in a later engine
// on the same folder.
func (j *Job) ID() string { return j.id }

// Kind is [KindCrawl], [KindBatch], [KindExtract] or [KindAgent].
func (j *Job) Kind() string { return j.kind }

// Found tells that this is the job of an earlier call, which the idempotency key of the one that gave it has found.
func (j *Job) Found() bool { return j.found }

// Owner is whom the job belongs to.
func (j *Job) Owner() string { return j.owner }

// JobStatus is a job's status record.
type JobStatus struct {
	ID, Kind, Owner, URL string
	State                JobState
	// Total pages attempted: done, failed, at work and in line. Completed of them gave a
	// document, Failed did not.
	Total, Completed, Failed int
	// CreditsUsed so far.
	CreditsUsed int64
	// Usage is what models were asked for the job so far.
	Usage llm.Usage
	// CreatedAt, and CompletedAt once it has ended; zero before.
	CreatedAt, CompletedAt time.Time
	// ExpiresAt is when it is forgotten.
	ExpiresAt time.Time
	// Code and Error tell why it failed.
	Code  Code
	Error string
	// Warning tells of pages that were left out where a caller may not expect it.
	Warning string
	// Progress of a job at work.
	Progress Progress
}

// Event is something that happened to a job.
type Event struct {
	// Seq numbers a job's events from 1, without gaps.
	Seq uint64
	// Type is "started", "page", "action" (of an agent), "completed", "failed" or "cancelled".
	Type string
	At   time.Time
	// Result is the number of a page's document, from 1 (see [Job.Documents]); 0 for a
	// page that failed, and for other events.
	Result uint64
	// Data of a "page" event is a [PageEvent], of "failed" an object with code and error,
	// of "action" what the agent tells.
	Data json.RawMessage
}

// PageEvent is what a "page" event carries.
type PageEvent struct {
	URL      string   `json:"url"`
	Code     Code     `json:"code,omitempty"` // why it failed
	Error    string   `json:"error,omitempty"`
	Progress Progress `json:"progress"`
}

// Job finds a job by its id. One that isn't known, or no longer, is a [CodeNotFound]
// error. The owner isn't checked: a caller who serves several does that.
func (e *Engine) Job(ctx context.Context, id string) (*Job, error) {
	for _, runner := range []*work.Runner{e.durable, e.ephemeral} {
		r, err := runner.Records.Get(ctx, id)
		if err == nil {
			return jobOf(runner, r), nil
		}
		if !errors.Is(err, jobs.ErrNotFound) {
			return nil, failure(ctx, "job", "", err)
		}
	}
	return nil, &Error{Code: CodeNotFound, Op: "job", Err: jobs.ErrNotFound}
}

func jobOf(runner *work.Runner, r jobs.Record) *Job {
	return &Job{runner: runner, id: r.ID, kind: r.Kind, owner: r.Owner}
}

// Jobs lists all jobs that are known, newest first, or only those at work. Jobs
// under zero data retention and lockdown are not listed.
func (e *Engine) Jobs(ctx context.Context, active bool) ([]*Job, error) {
	q := jobs.Query{Limit: 1000}
	if active {
		q.State = jobs.Scraping
	}
	var found []*Job
	for {
		records, next, err := e.durable.Records.List(ctx, q)
		if err != nil {
			return nil, failure(ctx, "jobs", "", err)
		}
		for _, r := range records {
			found = append(found, jobOf(e.durable, r))
		}
		if q.Before = next; next == "" {
			return found, nil
		}
	}
}

func (j *Job) fail(ctx context.Context, err error) error {
	if errors.Is(err, jobs.ErrNotFound) {
		err = &Error{Code: CodeNotFound, Err: err}
	}
	return failure(ctx, j.kind, "", err)
}

// Wait returns when the job has ended, with its status. A job that failed is no
// error: its status says why.
func (j *Job) Wait(ctx context.Context) (JobStatus, error) {
	if _, err := j.runner.Records.Wait(ctx, j.id); err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	return j.Status(ctx)
}

// Cancel ends the job at once. What is done stays readable; pages at work are
// given up. A job that has ended already is a [CodeFinished] error.
func (j *Job) Cancel(ctx context.Context) error {
	err := j.runner.Cancel(ctx, j.id, string(CodeCancelled))
	if errors.Is(err, jobs.ErrFinished) {
		return &Error{Code: CodeFinished, Op: j.kind, Err: err}
	}
	if err != nil {
		return j.fail(ctx, err)
	}
	return nil
}

// Result is what a job that gives one answer came to: [Engine.StartExtract] and
// StartAgent; JSON, by the schema that was given. It waits for the job's end. A job that
// failed or was cancelled is an [*Error] with its code, and beside it stands what it had
// kept until then, nil for nothing. Of other jobs it is a [CodeNotFound] error: they have
// [Job.Documents].
func (j *Job) Result(ctx context.Context) (json.RawMessage, error) {
	r, err := j.runner.Records.Wait(ctx, j.id)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	kept, found, err := j.runner.Result(j.id)
	switch {
	case err != nil:
		return nil, j.fail(ctx, err)
	case r.State != jobs.Completed:
		return kept.Data, &Error{Code: Code(r.Code), Op: r.Kind, Err: errors.New(r.Error)}
	case !found:
		return nil, &Error{Code: CodeNotFound, Op: r.Kind, Err: errors.New("a job of this kind gives documents, not one result")}
	}
	return kept.Data, nil
}

// Events gives what happened to the job, from the event after since on (0: all), and
// waits for more until the job has ended. A slow or late reader loses none.
func (j *Job) Events(ctx context.Context, since uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for ev, err := range j.runner.Records.Events(ctx, j.id, since) {
			if err != nil {
				yield(Event{}, j.fail(ctx, err))
				return
			}
			if !yield(eventOf(ev), nil) {
				return
			}
		}
	}
}

// Past gives what has happened to the job so far, in order, and waits for nothing.
func (j *Job) Past(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for ev, err := range j.runner.Records.Past(ctx, j.id) {
			if err != nil {
				yield(Event{}, j.fail(ctx, err))
				return
			}
			if !yield(eventOf(ev), nil) {
				return
			}
		}
	}
}

func eventOf(ev jobs.Event) Event {
	return Event{Seq: ev.Seq, Type: ev.Type, At: ev.At, Result: ev.Ref, Data: ev.Data}
}
