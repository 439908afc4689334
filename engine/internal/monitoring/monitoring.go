// Package monitoring keeps monitors and runs their checks: when each is due, which pages it has, and whether these have changed since
// the last check. It fetches nothing: pages come from a [Source], and checks are jobs of a store that [Jobs] is the face of, so that
// they go on where an earlier process left them and webhooks are delivered as those of other jobs are.
//
// A run is claimed in the monitor's row before its job is created, under a key that is always the same for the run: whatever dies
// between, the run is done once. A page, its snapshot, its event and the counts of the check are one transaction.
//
//   - monitoring.go — [Monitors], [Options], [Open]: start here
//   - row.go — what is kept, in which buckets
//   - manage.go — [Monitors.Create], [Monitors.Update], [Monitors.Delete]
//   - target.go — what a target may be, and in which formats its pages are fetched
//   - observe.go — what an observed page is: itself, gone, or neither
//   - read.go — [Monitors.List], [Monitors.Checks], [Monitors.Detail], [Monitors.Changes]
//   - plan.go — which run is due: over restarts and jumps of the clock
//   - claim.go — a run gets its job and its check
//   - run.go — [Monitors.Run]: a check from its first page to its end
//   - notes.go — what a target must not cost twice in a check
//   - page.go — one page of a check
//   - compare.go — whether a page has changed
//   - noise.go — what is taken for noise, and is no more
//   - fields.go — which fields of data have changed
//   - finish.go — the end of a check
//   - prune.go — what is too old goes
//   - payload.go — what webhooks carry
package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Kind is that of the jobs of checks.
const Kind = "monitor"

// Errors of calls.
var (
	ErrNotFound = errors.New("there is no monitor or check of this id")
	ErrBusy     = errors.New("a check of the monitor is running")
	errGone     = errors.New("the monitor was deleted")
)

// DB is the store that all is kept in; see [jobs.DB].
type DB interface {
	View(f func(jobs.Tx) error) error
	Update(f func(jobs.Tx) error) error
}

// Jobs carry checks. The methods are safe for concurrent use.
type Jobs interface {
	// Start creates the job of a check and starts it. One that an earlier call has created under the key is found and not started again;
	// ended reports that it has ended.
	Start(ctx context.Context, n New) (id string, ended bool, err error)
	// AppendIn adds an event to a job, in a transaction on the store of the monitors; it is [jobs.ErrFinished] where the job has ended.
	AppendIn(tx jobs.Tx, id string, e jobs.Event) (seq uint64, err error)
	// Wake is called when such a transaction is durable.
	Wake(id string)
}

// New is what the job of a check is made of.
type New struct {
	Owner   string
	Name    string           // of the monitor
	Webhook *jobs.StoredHook // nil: none
	Key     string           // of idempotency
	Params  Params
}

// Params are those of a check's job. Their JSON stands in files.
type Params struct {
	Monitor string `json:"monitor"`
	Claim   Claim  `json:"claim"`
}

// Source gets the pages of targets. The methods are safe for concurrent use.
type Source interface {
	// Pages hands over the pages of a target, each once, in any order. An error of each ends it and is returned. Called again for the same
	// check it fetches nothing again that it has fetched.
	Pages(ctx context.Context, p Pass, each func(Observation) error) (Outcome, error)
}

// Pass is a way through a target, or through given pages of it.
type Pass struct {
	Check      string // id
	Owner      string
	Definition json.RawMessage // of the monitor
	Target     Target
	Number     int      // of the target in the definition
	URLs       []string // the pages; nil: those of the target
	Notes      Notes    // of the target in this check
}

// Notes keep what a source must not do twice in a check, until that has ended. Safe for concurrent use.
type Notes interface {
	// Get reads what was put under a name into v, and reports whether there is something.
	Get(name string, v any) (bool, error)
	// Put returns once what it was given is durable.
	Put(name string, v any) error
}

// Outcome is what a pass was.
type Outcome struct {
	Jobs    []string
	Results int // of searches
	Credits int // of searches; those of pages are with them
}

// Observation is a page as it is now.
type Observation struct {
	URL      string
	Key      string // by which the page is known, where URLs of it vary; "": the URL
	ScrapeID string
	Title    string
	Status   int // HTTP; 0: no answer
	Text     string
	JSON     json.RawMessage // nil: none is wanted
	Picture  []byte          // encoded; nil: none is wanted
	Credits  int
	Gone     bool   // the site says that there is no such page
	Failure  string // why the page is no version of itself: a wall, an error, something is missing; "" for none
}

// Judge says by a goal in words whether a change matters. It returns the credits that this cost.
type Judge func(ctx context.Context, owner, goal string, p *monitor.Page) (*monitor.Judgment, int, error)

// Options of monitors. Those without a default are required.
type Options struct {
	DB     DB
	Jobs   Jobs
	Source Source
	Judge  Judge // nil: there is no model
	// Noise knows what varies without meaning; nil: every change of a text counts.
	Noise Noise
	// Pictures compares pictures; nil: pictures aren't compared.
	Pictures Pictures
	// OnChange is called with each change once it is kept, from the goroutine of its check; nil: no callback is made. One that was kept just
	// before the process died is not reported again.
	OnChange func(monitor.Change)
	Now      func() time.Time                       // the clock of schedules
	Ages     func() time.Time                       // by which what is kept expires
	After    func(d time.Duration) <-chan time.Time // the timer for the clock of Now; nil: time.After
	Log      *slog.Logger
}

// Monitors are those of one store. Made by [Open]. Safe for concurrent use.
type Monitors struct {
	o    Options
	kick chan struct{}

	mu      sync.Mutex
	planned map[string]planned // by monitor
}

// planned is when a monitor has to be looked at.
type planned struct {
	due     time.Time // zero: never
	made    time.Time // when due was planned
	pending bool      // a run is claimed and has no check yet, or may have lost it
	writes  uint64    // of the row that this is from
}

// Open reads the monitors of a store. They run by their schedules once [Monitors.Serve] is called. [Monitors.Run] does their jobs.
func Open(o Options) (*Monitors, error) {
	if o.After == nil {
		o.After = time.After
	}
	m := &Monitors{o: o, kick: make(chan struct{}, 1), planned: map[string]planned{}}
	err := o.DB.View(func(tx jobs.Tx) error {
		for key, data := range tx.Scan(bucketMonitors, nil) {
			var r Monitor
			if err := unpack(data, &r); err != nil {
				o.Log.Error("a monitor can't be read, and does not run", "monitor", string(key), "error", err)
				continue
			}
			m.index(&r)
		}
		return nil
	})
	return m, err
}

// index notes when a monitor has to be looked at.
func (m *Monitors) index(r *Monitor) {
	p := planned{made: r.Planned, due: r.Due, pending: r.Claim != nil, writes: r.Writes}
	if r.Status != monitor.Active {
		p.due = time.Time{}
	}
	m.note(r.ID, p)
	m.wake()
}

// note keeps what is known of a monitor in memory, unless a later row is known: a check may end before the one that started it goes on.
func (m *Monitors) note(id string, p planned) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.planned[id].writes <= p.writes {
		m.planned[id] = p
	}
}

func (m *Monitors) forget(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.planned, id)
}

func (m *Monitors) wake() {
	select {
	case m.kick <- struct{}{}:
	default:
	}
}

// now is to the millisecond, as times are kept.
func (m *Monitors) now() time.Time { return m.o.Now().UTC().Truncate(time.Millisecond) }

// maxWait is after which time the clock is looked at again: it may have been set.
const maxWait = time.Minute

// Serve starts what is due, until ctx ends. It is called once, from a goroutine that its caller waits for.
func (m *Monitors) Serve(ctx context.Context) {
	m.sweep(ctx)
	var pruned time.Time
	for ctx.Err() == nil {
		wait := m.round(ctx)
		if now := m.o.Ages(); now.Sub(pruned) >= pruneEvery {
			m.pruneResting(ctx, now)
			pruned = now
		}
		select {
		case <-m.o.After(wait):
		case <-m.kick:
		case <-ctx.Done():
		}
	}
}
