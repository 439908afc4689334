package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// JobState is the state of a job. A job is scraping until it reaches one of the other states, and keeps that one.
type JobState string

// The states of the service.
const (
	JobScraping  JobState = "scraping"
	JobCompleted JobState = "completed"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Final reports whether a job in this state has ended.
func (s JobState) Final() bool { return s != JobScraping }

// Kinds of jobs, as in events and webhooks.
const (
	KindCrawl   = "crawl"
	KindBatch   = "batch_scrape"
	KindExtract = "extract"
	KindAgent   = "agent"
	KindMonitor = monitoring.Kind // of a check: see [Engine.MonitorCheck]
)

// Job is what all kinds of jobs have in common: a [CrawlJob], [BatchJob], [ExtractJob] or [AgentJob] that is running or
// has ended within the last day. Its methods of those names return the job as its kind. Safe for concurrent use. It
// need not be closed.
type Job struct {
	runner *work.Runner
	id     string
	kind   string
	owner  string
	found  bool
}

// ID is a UUIDv7 (a UUIDv5 for one of a cluster with an idempotency key), by which [Engine.Job] finds the job again, also in a later engine
// on the same folder.
func (j *Job) ID() string { return j.id }

// Kind is [KindCrawl], [KindBatch], [KindExtract], [KindAgent] or [KindMonitor].
func (j *Job) Kind() string { return j.kind }

// Found reports that this is the job of an earlier call, found by the idempotency key.
func (j *Job) Found() bool { return j.found }

// Owner is the tenant that owns the job.
func (j *Job) Owner() string { return j.owner }

// Crawl returns the job as a crawl, and whether it is one.
func (j *Job) Crawl() (*CrawlJob, bool) {
	if j.kind != KindCrawl {
		return nil, false
	}
	return newCrawlJob(j), true
}

// Batch returns the job as a batch, and whether it is one.
func (j *Job) Batch() (*BatchJob, bool) {
	if j.kind != KindBatch {
		return nil, false
	}
	return newBatchJob(j), true
}

// Extract returns the job as an extraction, and whether it is one.
func (j *Job) Extract() (*ExtractJob, bool) {
	if j.kind != KindExtract {
		return nil, false
	}
	return newExtractJob(j), true
}

// Agent returns the job as an agent, and whether it is one.
func (j *Job) Agent() (*AgentJob, bool) {
	if j.kind != KindAgent {
		return nil, false
	}
	return newAgentJob(j), true
}

// JobStatus is a job's status record.
type JobStatus struct {
	ID, Kind, Owner, URL string
	State                JobState
	// Total pages attempted: done, failed, active and queued. Completed of them gave a document, Failed did not.
	Total, Completed, Failed int
	// CreditsUsed so far. Pages that a crawl leaves out cost nothing, also those that had to be fetched for it.
	CreditsUsed int64
	// Usage of models for the job so far.
	Usage llm.Usage
	// CreatedAt, and CompletedAt once it has ended; zero before.
	CreatedAt, CompletedAt time.Time
	// ExpiresAt is when the job is removed.
	ExpiresAt time.Time
	// Code and Error say why it failed.
	Code  Code
	Error string
	// Warning names pages that were left out where a caller may not expect it.
	Warning string
	// Progress of a running job.
	Progress Progress
}

// Event is something that happened to a job.
type Event struct {
	// Seq numbers a job's events from 1, without gaps.
	Seq uint64
	// Type is "started", "page", "page.corrected", "change" (of a crawl), "action" (of an agent), "check.completed" (of a monitor),
	// "completed", "failed" or "cancelled".
	Type string
	At   time.Time
	// Result is the number of a page's document, from 1 (see [CrawlJob.Documents]); 0 for a page that failed, and for
	// other events. A "page.corrected" event says that another document has taken the place of that number.
	Result uint64
	// Data of a "page" event is a [PageEvent], of "page.corrected" an object with url,
	// of "failed" an object with code and error, of "action" a [ModelStep], of "change" a [Change] without its diff.
	Data json.RawMessage
}

// PageEvent is the data of a "page" event.
type PageEvent struct {
	URL      string   `json:"url"`
	Code     Code     `json:"code,omitempty"` // why it failed
	Error    string   `json:"error,omitempty"`
	Progress Progress `json:"progress"`
}

// Job finds a job by its id. An unknown or expired one is a [CodeNotFound] error. The owner is not checked: a caller
// that serves several tenants does that.
func (e *Engine) Job(ctx context.Context, id string) (*Job, error) {
	for _, runner := range []*work.Runner{e.ephemeral, e.durable} { // the latter may look further
		r, err := runner.Lookup(ctx, id)
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

// Jobs lists all known jobs, newest first, or only those that are running. Jobs under zero data retention and lockdown
// are not listed.
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

// Status returns the job's status record.
func (j *Job) Status(ctx context.Context) (JobStatus, error) {
	r, err := j.runner.Lookup(ctx, j.id)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	s, err := j.pageStats(ctx)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	used, err := j.runner.Usage(j.id)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	warning, err := j.warning(r, s)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	return JobStatus{
		ID: r.ID, Kind: r.Kind, Owner: r.Owner, URL: r.URL, State: JobState(r.State),
		Total: s.Known, Completed: s.Done, Failed: s.Failed, CreditsUsed: r.Credits, Usage: used,
		CreatedAt: r.Created, CompletedAt: r.Ended, ExpiresAt: r.Expires,
		Code: Code(r.Code), Error: r.Error, Warning: warning,
		Progress: Progress(j.runner.Progress(j.id, s)),
	}, nil
}

// pageStats counts the job's pages; an agent has none.
func (j *Job) pageStats(ctx context.Context) (crawl.Stats, error) {
	return j.runner.Stats(ctx, j.id)
}

// warning says what a caller may miss in the result.
func (j *Job) warning(r jobs.Record, s crawl.Stats) (string, error) {
	if warning, found, err := j.runner.Warning(j.id); err != nil || found {
		return warning, err
	}
	return crawling.Warning(r, s), nil
}

// Wait returns the status when the job has ended. A job that failed is not an error: its status says why.
func (j *Job) Wait(ctx context.Context) (JobStatus, error) {
	if _, err := j.runner.Records.Wait(ctx, j.id); err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	return j.Status(ctx)
}

// finish waits, and cancels the job when ctx ends first.
func (j *Job) finish(ctx context.Context) error {
	if _, err := j.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			_ = j.Cancel(context.WithoutCancel(ctx)) // it may just have ended
		}
		return err
	}
	return nil
}

// Cancel ends the job at once. Finished pages stay readable; active pages are abandoned. A job that has ended already is
// a [CodeFinished] error.
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

// Events returns the job's events from the one after since on (0: all), and waits for more until the job has ended. A
// slow or late reader loses none.
func (j *Job) Events(ctx context.Context, since uint64) iter.Seq2[Event, error] {
	return j.events(ctx, j.runner.Records.Events(ctx, j.id, since))
}

// Past returns the job's events so far, in order, without waiting.
func (j *Job) Past(ctx context.Context) iter.Seq2[Event, error] {
	return j.events(ctx, j.runner.Records.Past(ctx, j.id))
}

func (j *Job) events(ctx context.Context, from iter.Seq2[jobs.Event, error]) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for ev, err := range from {
			if err != nil {
				yield(Event{}, j.fail(ctx, err))
				return
			}
			if !yield(Event{Seq: ev.Seq, Type: ev.Type, At: ev.At, Result: ev.Ref, Data: ev.Data}, nil) {
				return
			}
		}
	}
}

// Labels returns those of the request that started the job.
func (j *Job) Labels(ctx context.Context) (l Labels, err error) {
	if _, err = j.runner.Noted(j.id, labelsNote, &l); err != nil {
		return Labels{}, j.fail(ctx, err)
	}
	return l, nil
}

// params reads the parameters that the job was started with.
func (j *Job) params(ctx context.Context, v any) error {
	r, err := j.runner.Records.Get(ctx, j.id)
	if err != nil {
		return j.fail(ctx, err)
	}
	if err := json.Unmarshal(r.Params, v); err != nil {
		return j.fail(ctx, fmt.Errorf("parameters of the job: %w", err))
	}
	return nil
}

// invalidURLs are those that were left out when the job was started.
func (j *Job) invalidURLs(ctx context.Context) ([]string, error) {
	var p struct {
		Invalid []string `json:"invalid"`
	}
	err := j.params(ctx, &p)
	return p.Invalid, err
}

// result waits for the end of a job that gives one result. Beside an error stands what the job had kept until then.
func (j *Job) result(ctx context.Context) (work.Result, error) {
	r, err := j.runner.Records.Wait(ctx, j.id)
	if err != nil {
		return work.Result{}, j.fail(ctx, err)
	}
	kept, found, err := j.runner.Result(j.id)
	switch {
	case err != nil:
		return work.Result{}, j.fail(ctx, err)
	case r.State != jobs.Completed:
		return kept, &Error{Code: Code(r.Code), Op: r.Kind, Err: errors.New(r.Error)}
	case !found:
		return work.Result{}, &Error{Code: CodeNotFound, Op: r.Kind, Err: errors.New("the job has kept no result")}
	}
	return kept, nil
}
