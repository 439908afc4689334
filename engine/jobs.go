package engine

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/auditing"
	"github.com/winnow-go/winnow/engine/internal/batching"
	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/ledger"
	"github.com/winnow-go/winnow/engine/internal/monitoring/carrying"
	"github.com/winnow-go/winnow/engine/internal/spreading"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// memoryJobs bounds what jobs keep in memory, their documents above all.
const memoryJobs = 1 << 30

var errMemoryFull = errors.New("jobs fill the memory that is set aside for them (1 GiB, for a day): Options.Dir keeps them on disk")

// kinds is the table of the kinds of jobs.
func (e *Engine) kinds() map[string]work.Kind {
	return map[string]work.Kind{
		KindCrawl:   {Line: e.openCrawl, Spread: spreadCrawl, Keep: crawling.Keep, Drop: e.dropCrawl},
		KindBatch:   {Line: e.openBatch, Spread: spreadBatch, Keep: batching.KeepGiven, Drop: dropBatch},
		KindExtract: {Line: e.openExtract, Moves: true},
		KindAgent:   {Run: e.runAgent, Moves: true},
		KindMonitor: e.monitors.Kind(),
	}
}

// dropCrawl forgets what a crawl has beside its record. In memory nothing is kept for longer.
func (e *Engine) dropCrawl(db work.DB, job string) error {
	return crawling.Drop(db, job, e.options.Dir == "")
}

// dropBatch forgets what jobs have that are given URLs, and what all have that scrape pages.
func dropBatch(db work.DB, job string) error {
	return errors.Join(batching.Drop(db, job), auditing.Drop(db, job))
}

// startJobs opens both stores and resumes unfinished jobs.
func (e *Engine) startJobs() (err error) {
	e.hooks = jobs.NewSender(e.client.Dialer().DialContext)
	e.monitors = new(carrying.Monitors)
	e.spread = spreading.New(e.options.Cluster, spreading.Options{Log: e.log, Now: e.now, Notes: notesOf, Cancelled: string(CodeCancelled)})
	if e.durable, err = e.openJobs(e.stores.State, e.stores.Room(memoryJobs), e.spread.Elsewhere()); err != nil {
		return err
	}
	if e.ephemeral, err = e.openJobs(cache.NewMap(), memoryJobs, nil); err != nil {
		return err
	}
	if err := errors.Join(e.openMonitors(), e.spread.Serve(e.durable, e.options.MaxPages)); err != nil || !isTrue(e.options.ResumeJobs, true) {
		return err
	}
	return errors.Join(e.durable.Resume(e.ctx), e.monitors.Start(e.begin))
}

func (e *Engine) openJobs(db cache.DB, room int64, elsewhere work.Elsewhere) (*work.Runner, error) {
	return work.Open(work.Options{
		DB: db, Room: room, Full: errMemoryFull,
		Persist: e.stores.Disk.Write,
		Kinds:   e.kinds(),
		Now:     e.now,
		Ages:    e.stores.Ages,
		Logger:  e.log,
		Begin:   e.begin,
		Stopped: e.stopped,
		Failure: func(ctx context.Context, op, url string, err error) error { return failure(ctx, op, url, err) },
		Code:    func(err error) string { return string(CodeOf(err)) },
		Ledger:  ledger.Jobs{Ledger: e.stores.Ledger, Now: e.now},
		Send:    e.hooks.Send, Elsewhere: elsewhere,
		Failed: func(url string) any {
			return Document{Metadata: Metadata{Acquisition: Acquisition{SourceURL: url}}}
		},
	})
}

// stopped implements [work.Options.Stopped].
func (e *Engine) stopped(page error) error {
	if e.ctx.Err() != nil || CodeOf(page) == CodeCancelled {
		return ErrClosed
	}
	return nil
}

// startJob creates a job, prepares what it needs, and starts it; or finds that of an earlier call.
func (e *Engine) startJob(ctx context.Context, private bool, n jobs.New, prepare func(*work.Job) error) (*Job, error) {
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	runner := e.runnerFor(private)
	r, existed, err := e.spread.Create(ctx, runner, n)
	if err != nil {
		return nil, jobError(err)
	}
	job := jobOf(runner, r)
	if existed {
		job.found = true
		return job, nil
	}
	at := runner.Job(r)
	if err := errors.Join(prepare(at), at.NoteAll(notesOf(ctx))); err != nil {
		_, finish := runner.Records.Finish(ctx, r.ID, jobs.Failed, string(CodeOf(err)), err.Error())
		return nil, errors.Join(err, finish)
	}
	if !private {
		e.note(ctx, Activity{ID: r.ID, Endpoint: n.Kind, Owner: n.Owner, Target: n.URL, CreatedAt: r.Created})
	}
	return job, runner.Start(r)
}

// noPreparation is for jobs that need nothing beside their record.
func noPreparation(*work.Job) error { return nil }

// runnerFor returns the runner of jobs that may, or may not, leave a trace.
func (e *Engine) runnerFor(private bool) *work.Runner {
	if private {
		return e.ephemeral
	}
	return e.durable
}

// jobError translates errors of package jobs.
func jobError(err error) error {
	if errors.Is(err, jobs.ErrIdempotencyReuse) {
		return &Error{Code: CodeIdempotency, Err: err}
	}
	if field, ok := errors.AsType[*jobs.FieldError](err); ok {
		return &OptionError{Field: field.Field, Value: field.Value, Want: field.Want}
	}
	return err
}

// Webhook is an address to which what happens to a job is sent. In JSON it is a URL or an object of url, headers, metadata, events and
// secret.
type Webhook struct {
	// URL is absolute, http or https.
	URL string
	// Headers of each request: at most 100. Not the signature's, nor those that belong to
	// the connection or to a proxy.
	Headers map[string]string
	// Metadata is repeated in each payload.
	Metadata map[string]string
	// Events that are sent; empty: all. Each is a full type ("crawl.page"), its last part
	// ("page") or another ending of it ("_scrape.page"), of started, completed and failed,
	// of page where the job is not an "extract" or "agent", of change where it is a crawl (see [Change]), and of action and cancelled
	// where it is an "agent".
	Events []string
	// Secret signs the bodies: the header X-Winnow-Signature carries "sha256=" and the HMAC-SHA256
	// of the body in hex. Empty: they aren't signed. It is kept with the job and never shown: JSON
	// of a Webhook doesn't have it.
	Secret string
}

// MarshalJSON writes the object form, without the secret.
func (w Webhook) MarshalJSON() ([]byte, error) { return jobs.Webhook(w).MarshalJSON() }

// UnmarshalJSON accepts a string, which is the URL, or an object of url, headers, metadata, events and secret. An unknown key is an
// error, also one that differs in case. Nothing is validated: the start of a job does that.
func (w *Webhook) UnmarshalJSON(data []byte) error { return (*jobs.Webhook)(w).UnmarshalJSON(data) }
