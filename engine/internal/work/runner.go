package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/llm"
)

// Kind does the jobs of one kind. Either Line or Run is set.
type Kind struct {
	// Line opens a job that is a line of pages, or one that an earlier process left. The line's Frontier isn't there yet.
	Line func(*Line) (Task, LineOptions, error)
	// Run does any other job, from the beginning where an earlier process left it: what it has kept by notes is there. It
	// returns when the job is done or has failed, or soon after ctx has ended.
	Run func(context.Context, *Job) error
	// Payload is a webhook's data of an event, as [jobs.Options.Payload]; nil: that of a page or an agent's action.
	Payload func(ctx context.Context, r jobs.Record, e jobs.Event) (data json.RawMessage, failed string, err error)
	// Spread says how a job is spread over machines; nil: it isn't.
	Spread func(jobs.New) (spread.Job, []crawl.Found, error)
	// Moves: in a cluster, one machine does such a job as a whole, and another one resumes it when that is gone.
	Moves bool
	// Keep keeps what a page of a spread job left as [Outcome].Note or by [Job.Leave], in a transaction; may be nil.
	Keep func(tx jobs.Tx, job string, note json.RawMessage) error
	// Drop forgets what the kind keeps in buckets of its own; may be nil. It is called for jobs of every kind.
	Drop func(db DB, job string) error
}

// Options of a Runner. Those without a default are required.
type Options struct {
	// DB keeps all of it.
	DB DB
	// Room bounds the bytes that DB may hold where jobs add to it, in memory if it is there: beyond, Full is the error. 0: any number.
	Room int64
	Full error
	// Persist calls write, which writes to DB for a running job, and calls it again as long as the disk can't be written and ctx hasn't
	// ended: the job pauses. Nil: write is called once.
	Persist func(ctx context.Context, write func() error) error
	// Kinds by the name that jobs are created with.
	Kinds map[string]Kind
	// Now is the clock; Logger gets what no caller hears of.
	Now    func() time.Time
	Logger *slog.Logger
	// Ages is the clock by which jobs expire; nil: Now.
	Ages func() time.Time

	// Begin registers the work of a job: the context ends with the owner, which waits for done.
	Begin func(context.Context) (_ context.Context, done func(), err error)
	// Stopped returns the error of an owner that ends, when it does or when a page failed for that; else nil.
	Stopped func(page error) error
	// Failure returns an error as callers get it, Code its code. ctx is the job's; op is its kind, or "scrape" for a page.
	Failure func(ctx context.Context, op, url string, err error) error
	Code    func(error) string
	// Ledger counts what owners of jobs use.
	Ledger Ledger

	// Elsewhere has the jobs that are spread over machines; nil: there are none.
	Elsewhere Elsewhere

	// Send sends webhooks; see [jobs.Options].
	Send func(ctx context.Context, url string, header http.Header, body []byte) (status int, err error)
	// Failed returns what a webhook carries of a page that failed, for JSON.
	Failed func(url string) any
}

// Ledger counts what owners of jobs use. Safe for concurrent use.
type Ledger interface {
	// Book calls write, which brings credits into a job's account, and counts them for the owner where it succeeds.
	Book(owner string, credits int, write func() error) error
	// Tokens counts what models read and wrote.
	Tokens(owner string, u llm.Usage)
}

// Runner keeps jobs and runs them. Made by [Open]. Safe for concurrent use.
type Runner struct {
	// Records are the jobs' own: created, listed, followed and waited for.
	Records *jobs.Jobs

	o Options

	mu        sync.Mutex
	working   map[string]*working
	frontiers map[string]*crawl.Frontier // of jobs that were worked on or read
}

// working is a running job.
type working struct {
	cancel context.CancelCauseFunc
	meter  *jobs.Meter

	adding sync.Mutex      // held while pages are added, which may wait for the disk, and when the job ends
	over   bool            // no more can be added
	line   *crawl.Frontier // that its workers take pages from, nil while none is open; guarded by [Runner.mu]
}

var (
	// ErrCancelled ends the work of a job that was cancelled.
	ErrCancelled = errors.New("the job was cancelled")
	// ErrEnough, from [Task.Ended], completes a job though pages are left in line.
	ErrEnough = errors.New("the rest of the pages is left out")
)

// AttemptsError says that a page was begun as often as allowed and never came to an end.
type AttemptsError struct {
	Attempts int
	Cause    string // of the last failure that was noted; "" for none
}

func (e *AttemptsError) Error() string { return fmt.Sprintf("tried %d times: %s", e.Attempts, e.Cause) }

// Open opens the jobs of a store. Those that an earlier process left wait for [Runner.Resume]. Close it before the DB.
func Open(o Options) (*Runner, error) {
	r := &Runner{o: o, working: map[string]*working{}, frontiers: map[string]*crawl.Frontier{}}
	var err error
	r.Records, err = jobs.Open(o.DB, jobs.Options{Now: o.Now, Ages: o.Ages, Logger: o.Logger, Send: o.Send, Payload: r.payload, Drop: r.drop})
	return r, err
}

// Close ends what is done in the background, webhooks above all. Running jobs end with their owner.
func (r *Runner) Close() error {
	if r == nil {
		return nil
	}
	return r.Records.Close()
}

// Start runs a job until it has ended or the owner does.
func (r *Runner) Start(record jobs.Record) error {
	if record.Elsewhere && r.o.Elsewhere == nil {
		r.o.Logger.Warn("a job of a cluster stays as it is: the engine is in none", "job", record.ID)
		return nil
	}
	ctx, done, err := r.o.Begin(context.Background())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &working{cancel: cancel, meter: jobs.NewMeter(r.o.Now)}
	r.mu.Lock()
	r.working[record.ID] = w
	r.mu.Unlock()
	go func() {
		defer done()
		defer cancel(nil)
		r.run(ctx, record, w)
		r.mu.Lock()
		delete(r.working, record.ID)
		r.mu.Unlock()
	}()
	return nil
}

// TextCancelled is what is kept of why a job was cancelled.
const TextCancelled = "cancelled by its owner"

// Cancel ends a job for its owner; [jobs.ErrFinished] where it has ended.
func (r *Runner) Cancel(ctx context.Context, id, code string) error {
	if away, err := r.cancelElsewhere(ctx, id); away || err != nil {
		return err
	}
	if _, err := r.Records.Finish(ctx, id, jobs.Cancelled, code, TextCancelled); err != nil {
		return err
	}
	r.mu.Lock()
	w := r.working[id]
	r.mu.Unlock()
	if w != nil {
		w.cancel(ErrCancelled)
	}
	return nil
}

// Resume resumes what an earlier process left unfinished.
func (r *Runner) Resume(ctx context.Context) error {
	left, err := r.Records.Unfinished(ctx)
	if err != nil {
		r.o.Logger.Warn("jobs can't be read", "error", err)
	}
	for _, record := range left {
		if err := r.Start(record); err != nil {
			return err
		}
	}
	return nil
}

// DB is the store that it was opened with.
func (r *Runner) DB() DB { return r.o.DB }

// Working is how many jobs are running.
func (r *Runner) Working() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.working)
}

// run works a job off and ends it. One whose owner ends stays as it is, to be taken up by the next.
func (r *Runner) run(ctx context.Context, record jobs.Record, w *working) {
	job := &Job{Record: record, runner: r, ctx: ctx}
	err := r.work(ctx, job, w.meter)
	for err == nil && ctx.Err() == nil && r.more(ctx, record.ID, w) {
		err = r.work(ctx, job, w.meter)
	}
	if ctx.Err() != nil || r.o.Stopped(nil) != nil {
		return
	}
	state, code, text := r.ending(ctx, record, err)
	err = r.persist(ctx, func() error {
		_, err := r.Records.Finish(ctx, record.ID, state, code, text)
		return err
	})
	if err != nil && !errors.Is(err, jobs.ErrFinished) && ctx.Err() == nil {
		r.o.Logger.Warn("a job can't be ended", "job", record.ID, "error", err)
	}
}

// ending is how a job ends whose work came to an error, or to none.
func (r *Runner) ending(ctx context.Context, record jobs.Record, err error) (state jobs.State, code, text string) {
	if err == nil || errors.Is(err, ErrEnough) {
		return jobs.Completed, "", ""
	}
	code, text = r.reason(r.o.Failure(ctx, record.Kind, record.URL, err))
	return jobs.Failed, code, text
}

// reason is the code of an error and its text without what readers have beside it: the operation, the URL, the code, and the request's
// line.
func (r *Runner) reason(err error) (code, text string) {
	code, text = r.o.Code(err), err.Error()
	if _, cause, ok := strings.Cut(text, code+": "); ok && code != "" {
		text = cause
	}
	return code, requestLine.ReplaceAllString(text, "")
}

// requestLine is what the text of an error of a request begins with.
var requestLine = regexp.MustCompile(`^[A-Z]+ "[^"]*": `)

// work does a job to its end. A panic fails the job alone.
func (r *Runner) work(ctx context.Context, job *Job, m *jobs.Meter) (err error) {
	defer recovered(&err)
	kind := r.o.Kinds[job.Record.Kind]
	switch {
	case job.Record.Elsewhere && job.part == nil:
		return r.o.Elsewhere.Follow(ctx, job)
	case kind.Run != nil:
		return kind.Run(ctx, job)
	case kind.Line != nil:
		return (&Line{Job: job, meter: m}).work(ctx, kind.Line)
	}
	return fmt.Errorf("job of unknown kind %q", job.Record.Kind)
}

// more reports whether something was queued at the last moment; if not, nothing can be any more.
func (r *Runner) more(ctx context.Context, id string, w *working) bool {
	w.adding.Lock()
	defer w.adding.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.line != nil {
		if s, err := w.line.Stats(ctx); err == nil && s.Queued > 0 {
			w.line = nil
			return true
		}
	}
	w.over = true
	delete(r.working, id)
	return false
}

// Add queues further pages of a running job; [jobs.ErrFinished] where it has ended. keep is called before that and
// keeps them: a line that isn't open yet is fed what was kept.
func (r *Runner) Add(ctx context.Context, id string, keep func() error, found []crawl.Found) error {
	r.mu.Lock()
	w := r.working[id]
	r.mu.Unlock()
	if w == nil {
		return jobs.ErrFinished
	}
	w.adding.Lock()
	defer w.adding.Unlock()
	if w.over {
		return jobs.ErrFinished
	}
	if err := keep(); err != nil {
		return err
	}
	r.mu.Lock()
	line := w.line
	r.mu.Unlock()
	if line == nil {
		return nil
	}
	_, err := line.Put(ctx, found)
	return err
}

// persist calls write for a running job; see [Options.Persist].
func (r *Runner) persist(ctx context.Context, write func() error) error {
	if r.o.Persist == nil {
		return write()
	}
	return r.o.Persist(ctx, write)
}

// recovered, deferred, makes a panic the error of its function, with the stack.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
