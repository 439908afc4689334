// Package carrying has the checks of monitors carried by jobs of package work, and their pages fetched by such jobs: a check goes on
// where an earlier process left it, its pages are fetched once, at the pace of their hosts, and its webhook is one reader of its job's
// events.
//
//   - carrying.go — [Monitors], [Options]: start here
//   - pages.go — the pages of a target
//   - credits.go — what checks may use: [Room], [Reserve]
//   - targets.go — [Targets]: the options of a monitor, checked target by target
package carrying

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/monitoring/hearing"
	"github.com/winnow-go/winnow/engine/internal/monitoring/judging"
	"github.com/winnow-go/winnow/engine/internal/prices"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/llm"
)

// Options of monitors that are carried by jobs. All but Model are required.
type Options struct {
	Runner *work.Runner
	// Start creates a job and starts it, or finds the one of its key.
	Start func(ctx context.Context, n jobs.New) (id string, err error)
	// Fetch starts a job for the pages of a pass under a key, within the room that it reserves.
	Fetch func(ctx context.Context, p monitoring.Pass, key string, reserve Reserve) (id string, err error)
	// Find does a search of a target, and has its owner pay for it once keep has kept what was found: a search that is done again, since
	// the process died before, is paid once. The error of keep is returned, and nothing is paid.
	Find func(ctx context.Context, p monitoring.Pass, query string, keep func(Found) error) error
	// Model judges changes by goals; nil: there is none.
	Model llm.Model
	// Ledger counts what judgments cost; the jobs of pages count theirs.
	Ledger work.Ledger
	// Stopped reports whether the owner of the jobs has ended.
	Stopped func() bool

	limits *limits // of [Monitors.Limit]
}

// Monitors are those whose checks are jobs. The zero value is for [Monitors.Kind] alone, until Open is called. Safe for concurrent use.
type Monitors struct {
	*monitoring.Monitors
	o Options
}

// Open opens the monitors in the store of the jobs; DB, Jobs and Source of m are set here. It is called before the jobs are resumed.
func (m *Monitors) Open(o Options, with monitoring.Options) (err error) {
	o.limits = new(limits)
	m.o = o
	with.DB, with.Jobs, with.Source = o.Runner.DB(), carrier{o}, source{o}
	with.Noise, with.Pictures = hearing.Noise{}, hearing.Pictures
	if o.Model != nil {
		with.Judge = o.judge
	}
	m.Monitors, err = monitoring.Open(with)
	return err
}

// Limit has what checks begin from now on bounded by a function, beside those of earlier calls.
func (m *Monitors) Limit(r monitor.Reserve) { m.o.limits.add(r) }

// judge implements [monitoring.Judge].
func (o Options) judge(ctx context.Context, owner, goal string, p *monitor.Page) (*monitor.Judgment, int, error) {
	h, err := o.limits.reserve(ctx, owner, prices.Model, prices.Model)
	if err != nil {
		return nil, 0, err
	}
	defer h.release()
	j, used, err := judging.Judge(ctx, o.Model, goal, p)
	o.Ledger.Tokens(owner, used)
	if err != nil {
		return nil, 0, err
	}
	return j, prices.Model, o.Ledger.Book(owner, prices.Model, func() error { return nil })
}

// Kind is that of the jobs.
func (m *Monitors) Kind() work.Kind { return work.Kind{Run: m.run, Payload: m.payload} }

// Start runs monitors by their schedules until the context that begin returns ends.
func (m *Monitors) Start(begin func(context.Context) (_ context.Context, done func(), err error)) error {
	ctx, done, err := begin(context.Background())
	if err == nil {
		go func() { defer done(); m.Serve(ctx) }()
	}
	return err
}

// run is the work of a check's job.
func (m *Monitors) run(ctx context.Context, j *work.Job) error {
	var p monitoring.Params
	if err := j.Params(&p); err != nil {
		return err
	}
	return m.Monitors.Run(ctx, j.Record.ID, p, m.o.Stopped)
}

// payload is what webhooks carry of a check's job.
func (m *Monitors) payload(_ context.Context, r jobs.Record, e jobs.Event) (json.RawMessage, string, error) {
	var p monitoring.Params
	if err := json.Unmarshal(r.Params, &p); err != nil {
		return nil, "", err
	}
	return m.Monitors.Payload(p.Monitor, r.ID, e)
}

// carrier implements [monitoring.Jobs].
type carrier struct{ o Options }

func (c carrier) Start(ctx context.Context, n monitoring.New) (id string, ended bool, err error) {
	params, err := json.Marshal(n.Params)
	if err != nil {
		return "", false, err
	}
	id, err = c.o.Start(ctx, jobs.New{
		Kind: monitoring.Kind, Owner: n.Owner, URL: n.Name, Params: params, Webhook: (*jobs.Webhook)(n.Webhook), IdempotencyKey: n.Key,
	})
	if err != nil {
		return "", false, err
	}
	r, err := c.o.Runner.Records.Get(ctx, id)
	return id, r.State.Final(), err
}

func (c carrier) AppendIn(tx jobs.Tx, id string, e jobs.Event) (uint64, error) {
	return c.o.Runner.Records.AppendIn(tx, id, e)
}

func (c carrier) Wake(id string) { c.o.Runner.Records.Wake(id) }
