package jobs

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

const defaultKeep = 24 * time.Hour

// pruneEvery is how often the background looks for expired jobs. They are invisible as
// soon as they expire; this only frees their room.
const pruneEvery = 10 * time.Minute

// Options of Jobs. The zero value works; without Send no job may have a webhook.
type Options struct {
	// Keep is how long a job is kept after its end. Defaults to 24 hours.
	Keep time.Duration
	// Now is the clock of all times that are kept and compared. Defaults to time.Now.
	Now func() time.Time
	// Ages is the clock by which jobs expire. Defaults to Now.
	Ages func() time.Time
	// After is the timer of retries and pruning, for the clock of Now. It is called with
	// durations of 0 and below too. Defaults to time.After.
	After func(d time.Duration) <-chan time.Time
	// Logger gets what has no caller: deliveries that were given up, rows that can't be read. Neither secrets nor
	// hooks' addresses are logged. Nil is silent.
	Logger *slog.Logger

	// Send sends one webhook and gives the answer's status. It follows no redirect, asks
	// whatever policy there is, and returns soon after ctx (at most 10 s) has ended. The
	// header is its own to change. Without it a job with a webhook is refused, and what
	// was still to be delivered from an earlier time waits.
	Send func(ctx context.Context, url string, header http.Header, body []byte) (status int, err error)
	// Payload gives the data of a page or action event: a JSON array, usually of one document. A
	// text in failed says that the page failed and why. An error counts as a failed
	// attempt to deliver. Without it such events have no data.
	Payload func(ctx context.Context, r Record, e Event) (data json.RawMessage, failed string, err error)
	// Drop is called before an expired job's rows are deleted, to drop what belongs to
	// it elsewhere; from Open on, from a goroutine of its own. It may be called again for
	// the same id. After an error the job's rows stay, and it is tried again later.
	Drop func(ctx context.Context, id string) error
}

// Jobs are the jobs of one store. Made by [Open]. Safe for concurrent use. Two Jobs on
// one store at the same time would deliver twice.
type Jobs struct {
	db       DB
	o        Options
	notifier notifier

	ctx        context.Context // ends with Close
	cancel     context.CancelFunc
	work       sync.WaitGroup
	pruning    chan struct{} // holds one while jobs are pruned
	dispatcher dispatcher
}

// Open gives the jobs of a store and takes up deliveries where an earlier process left
// them. Expired jobs begin to go at once. The store stays the caller's to close, after
// Close.
func Open(db DB, o Options) (*Jobs, error) {
	if o.Keep < 0 {
		return nil, &FieldError{"Keep", o.Keep, "0 (the default) or more"}
	}
	j := &Jobs{db: db, o: withDefaults(o), pruning: make(chan struct{}, 1)}
	j.notifier.topics = map[string]*topic{}
	j.dispatcher = dispatcher{kick: make(chan struct{}, 1), busy: map[uint64]sender{}}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	if j.o.Send != nil {
		j.work.Go(j.deliverAll)
	}
	j.work.Go(j.pruneAll)
	return j, nil
}

func withDefaults(o Options) Options {
	if o.Keep == 0 {
		o.Keep = defaultKeep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Ages == nil {
		o.Ages = o.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Close breaks off what is being sent, which counts as not tried, and waits for all
// goroutines. Who waits in [Jobs.Wait] or [Jobs.Events] gets [ErrClosed], as do later
// calls. A second Close does nothing.
func (j *Jobs) Close() error {
	j.cancel()
	j.work.Wait()
	return nil
}

// now is to the millisecond, as times are kept.
func (j *Jobs) now() time.Time { return j.o.Now().UTC().Truncate(time.Millisecond) }

// at is a time as it is kept; zero: now.
func (j *Jobs) at(t time.Time) time.Time {
	if t.IsZero() {
		return j.now()
	}
	return t.UTC().Truncate(time.Millisecond)
}

// ready is called at the beginning of each call.
func (j *Jobs) ready(ctx context.Context) error {
	if j.ctx.Err() != nil {
		return ErrClosed
	}
	return ctx.Err()
}

func (j *Jobs) view(ctx context.Context, f func(Tx) error) error {
	if err := j.ready(ctx); err != nil {
		return err
	}
	return j.db.View(f)
}

func (j *Jobs) update(ctx context.Context, f func(Tx) error) error {
	if err := j.ready(ctx); err != nil {
		return err
	}
	return j.db.Update(f)
}

// Wake wakes those who follow a job, and the webhooks, when there is something new. It is for [Jobs.AppendIn] alone:
// all other methods do it themselves.
func (j *Jobs) Wake(id string) {
	if u, err := parseID(id); err == nil {
		j.notifier.wake(u.String())
	}
	j.dispatcher.wake()
}
