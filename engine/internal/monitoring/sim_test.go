package monitoring_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/llm"
)

var (
	errKilled = errors.New("the process is dead")
	errClosed = errors.New("the engine is closed")
)

// dying is a store whose process dies after some more transactions: nothing that it is given later has an effect.
type dying struct {
	*cache.Map
	left *atomic.Int64
	died chan struct{}
	once *sync.Once
}

func newDying(db *cache.Map, after int64) dying {
	d := dying{Map: db, left: new(atomic.Int64), died: make(chan struct{}), once: new(sync.Once)}
	d.left.Store(after)
	return d
}

func (d dying) Update(f func(jobs.Tx) error) error {
	if d.left.Add(-1) < 0 {
		d.once.Do(func() { close(d.died) })
		return errKilled
	}
	return d.Map.Update(f)
}

func (d dying) View(f func(jobs.Tx) error) error {
	if d.left.Load() < 0 {
		return errKilled
	}
	return d.Map.View(f)
}

// process is what runs between two kills: jobs and monitors on the store.
type process struct {
	t      testing.TB
	ctx    context.Context
	cancel context.CancelCauseFunc
	work   sync.WaitGroup
	runner *work.Runner
	m      *monitoring.Monitors
}

type noLedger struct{}

func (noLedger) Book(_ string, _ int, write func() error) error { return write() }
func (noLedger) Tokens(string, llm.Usage)                       {}

// boot starts a process. setUp may change the options of its monitors.
func boot(t testing.TB, db work.DB, now func() time.Time, source monitoring.Source, setUp func(*monitoring.Options)) *process {
	t.Helper()
	p := &process{t: t}
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	log := slog.New(slog.DiscardHandler)
	var err error
	p.runner, err = work.Open(work.Options{
		DB: db, Now: now, Logger: log, Ledger: noLedger{},
		Kinds: map[string]work.Kind{monitoring.Kind: {
			Run: func(ctx context.Context, j *work.Job) error {
				var params monitoring.Params
				if err := j.Params(&params); err != nil {
					return err
				}
				return p.m.Run(ctx, j.Record.ID, params, func() bool { return p.ctx.Err() != nil })
			},
			Payload: func(_ context.Context, r jobs.Record, e jobs.Event) (json.RawMessage, string, error) {
				var params monitoring.Params
				if err := json.Unmarshal(r.Params, &params); err != nil {
					return nil, "", err
				}
				return p.m.Payload(params.Monitor, r.ID, e)
			},
		}},
		Begin: func(ctx context.Context) (context.Context, func(), error) {
			if p.ctx.Err() != nil {
				return nil, nil, errClosed
			}
			p.work.Add(1)
			ctx, cancel := context.WithCancelCause(ctx)
			forget := context.AfterFunc(p.ctx, func() { cancel(errClosed) })
			return ctx, func() { forget(); cancel(nil); p.work.Done() }, nil
		},
		Stopped: func(error) error { return p.ctx.Err() },
		Failure: func(_ context.Context, _, _ string, err error) error { return err },
		Code:    func(error) string { return "CODE" },
		Send:    func(context.Context, string, http.Header, []byte) (int, error) { return 200, nil },
		Failed:  func(string) any { return nil },
	})
	if err != nil {
		if errors.Is(err, errKilled) {
			return p
		}
		t.Fatal(err)
	}
	o := monitoring.Options{DB: db, Jobs: carrier{p}, Source: source, Now: now, Ages: now, Log: log}
	if setUp != nil {
		setUp(&o)
	}
	if p.m, err = monitoring.Open(o); err != nil && !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if err := p.runner.Resume(p.ctx); err != nil && !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	p.work.Go(func() { p.m.Serve(p.ctx) })
	return p
}

// end ends the process and waits for its goroutines.
func (p *process) end() {
	p.cancel(errClosed)
	p.work.Wait()
	if err := p.runner.Close(); err != nil {
		p.t.Error(err)
	}
}

// carrier implements [monitoring.Jobs].
type carrier struct{ p *process }

func (c carrier) Start(ctx context.Context, n monitoring.New) (string, bool, error) {
	params, err := json.Marshal(n.Params)
	if err != nil {
		return "", false, err
	}
	r, existed, err := c.p.runner.Records.Create(ctx, jobs.New{Kind: monitoring.Kind, Owner: n.Owner, Params: params, IdempotencyKey: n.Key})
	if err != nil {
		return "", false, err
	}
	if !existed {
		err = c.p.runner.Start(r)
	}
	return r.ID, r.State.Final(), err
}

func (c carrier) AppendIn(tx jobs.Tx, id string, e jobs.Event) (uint64, error) {
	return c.p.runner.Records.AppendIn(tx, id, e)
}

func (c carrier) Wake(id string) { c.p.runner.Records.Wake(id) }

// site is the world outside of the process: pages whose text is known for each moment. What a check has fetched is kept, as jobs keep it.
type site struct {
	pages int
	text  func(page int, at time.Time) monitoring.Observation
	now   func() time.Time

	mu      sync.Mutex
	fetched map[string]monitoring.Observation // by check and page
	checks  map[string]time.Time              // when a check's first page was fetched
	fetches int
}

func newSite(pages int, now func() time.Time, text func(int, time.Time) monitoring.Observation) *site {
	return &site{pages: pages, text: text, now: now, fetched: map[string]monitoring.Observation{}, checks: map[string]time.Time{}}
}

func (s *site) Pages(ctx context.Context, p monitoring.Pass, each func(monitoring.Observation) error) (monitoring.Outcome, error) {
	for i := range s.pages {
		if ctx.Err() != nil {
			return monitoring.Outcome{}, ctx.Err()
		}
		if err := each(s.fetch(p.Check, i)); err != nil {
			return monitoring.Outcome{}, err
		}
	}
	return monitoring.Outcome{}, nil
}

func (s *site) fetch(check string, i int) monitoring.Observation {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := fmt.Sprintf("%s %d", check, i)
	o, found := s.fetched[k]
	if !found {
		if _, begun := s.checks[check]; !begun {
			s.checks[check] = s.now()
		}
		o = s.text(i, s.checks[check])
		o.URL, o.ScrapeID = fmt.Sprintf("https://site.example/%d", i), k
		s.fetched[k] = o
		s.fetches++
	}
	return o
}

func spec(s monitor.Schedule, pages int) monitoring.Spec {
	var urls []string
	for i := range pages {
		urls = append(urls, fmt.Sprintf("https://site.example/%d", i))
	}
	return monitoring.Spec{
		Name: "watch", Schedule: s, Days: 365, Definition: json.RawMessage("{}"),
		Targets: []monitoring.Target{{Target: monitor.Target{ID: "t", URLs: urls}, Text: true}},
	}
}

// simulated runs a test in simulated time. What all tests share is made before: it must not belong to one of them.
func simulated(t *testing.T, f func(t *testing.T)) {
	if _, err := packed.Encode("warm"); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, f)
}

// scale is how much of the whole proof is run: all of it with WINNOW_SOAK=1, else a fiftieth.
func scale(whole int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return whole
	}
	return whole / 50
}

const articles = "The quick report of the town says that %s, and the council will meet on the matter in the old hall by the river. " +
	"Readers have written to us about the bridge, the school and the market, and we answer them here as well as we can."

// chronicle is the labelled world of the long run: what each page says in each version, and when it is not itself.
type chronicle struct {
	seed  uint64
	begin time.Time
}

func (c chronicle) at(page int, day int) *rand.Rand {
	return rand.New(rand.NewPCG(c.seed, uint64(page)<<32|uint64(day)))
}

// version is how often a page has changed until a day.
func (c chronicle) version(page, day int) (n int) {
	for d := 1; d <= day; d++ {
		if c.at(page, d).Float64() < 0.02 {
			n++
		}
	}
	return n
}

// observe is a page as it is at a time: some days a wall, an error, an empty render or the half of it stands in its place.
func (c chronicle) observe(page int, at time.Time) monitoring.Observation {
	day := int(at.Sub(c.begin).Hours() / 24)
	r := c.at(page, day)
	_ = r.Float64() // of the version
	text := fmt.Sprintf("# Page %d\n\n", page) + fmt.Sprintf(articles, fmt.Sprintf("case %d of page %d is open", c.version(page, day), page))
	switch x := r.Float64(); {
	case x < 0.01:
		return monitoring.Observation{Status: 200, Text: "Please verify that you are human", Failure: "the page is a wall (captcha)"}
	case x < 0.02:
		return monitoring.Observation{Status: 503, Text: "Service unavailable", Failure: "the site answered with status 503"}
	case x < 0.03:
		return monitoring.Observation{Status: 200, Text: ""}
	case x < 0.20: // varies without meaning: white space and tracking parameters
		text = strings.ReplaceAll(text, ". ", ".   ") + fmt.Sprintf("\n\n[more](https://site.example/more?utm_source=s%d)", r.IntN(1000))
	default:
		text += "\n\n[more](https://site.example/more)"
	}
	return monitoring.Observation{Status: 200, Text: text}
}

// killing is a long run of a monitor whose processes are killed at any transaction.
type killing struct {
	seed               uint64
	pages, kills, days int
}

// run returns the process that is left at the end, with the monitor's id and how many were killed.
func (k killing) run(t *testing.T, world *site, setUp func(*monitoring.Options)) (p *process, id string, killed int) {
	t.Helper()
	r, db, begin := rand.New(rand.NewPCG(k.seed, 1)), cache.NewMap(), time.Now()
	p = boot(t, db, time.Now, world, setUp)
	m, err := p.m.Create(spec(monitor.Schedule{Cron: "0 6 * * *"}, k.pages))
	if err != nil {
		t.Fatal(err)
	}
	p.end()
	for {
		left := int64(1) << 60
		if killed < k.kills {
			left = int64(r.IntN(k.days * k.pages / k.kills * 2))
		}
		store := newDying(db, left)
		p = boot(t, store, time.Now, world, setUp)
		over := time.After(time.Until(begin.AddDate(0, 0, k.days)))
		select {
		case <-store.died:
			killed++
			p.end()
			time.Sleep(time.Duration(r.Int64N(int64(3 * time.Hour)))) // the process is down
		case <-over:
			synctest.Wait()
			return p, m.ID, killed
		}
	}
}

// accounted wants each run once, and each time of the schedule accounted for.
func accounted(t *testing.T, p *process, id string, days int) {
	t.Helper()
	slots, covered := map[time.Time]int{}, 0
	for _, c := range scheduled(t, p, id) {
		covered += 1 + c.Missed
		if slots[*c.ScheduledFor]++; slots[*c.ScheduledFor] > 1 {
			t.Errorf("the run for %s was done %d times", c.ScheduledFor, slots[*c.ScheduledFor])
		}
		if !c.Status.Final() {
			t.Errorf("the check for %s has not ended", c.ScheduledFor)
		}
	}
	if covered != days { // a run each day from the first at 6:00
		t.Errorf("%d runs are accounted for, want %d", covered, days)
	}
}

// Ninety days, half of them unless WINNOW_SOAK is 1, a check a day, with kills at any transaction: no run is doubled or lost, each change is
// reported once, and nothing else is.
func TestSimulation_ninetyDaysOfKills(t *testing.T) {
	simulated(t, func(t *testing.T) {
		c := chronicle{seed: 7, begin: time.Now()}
		k := killing{seed: rand.Uint64(), pages: scale(1000), kills: scale(200), days: max(45, scale(90))}
		world := newSite(k.pages, time.Now, c.observe)
		p, id, killed := k.run(t, world, nil)
		accounted(t, p, id, k.days)
		c.verify(t, p, world, id)
		p.end()
		t.Logf("seed %d: %d pages, %d days, %d kills, %d fetches", k.seed, k.pages, k.days, killed, world.fetches)
	})
}

// verify holds what the monitor has kept against what was to be.
func (c chronicle) verify(t *testing.T, p *process, world *site, id string) {
	checks := scheduled(t, p, id)
	known := map[int]int{} // version by page
	want, got := map[string]int{}, map[string]int{}
	wrong := 0
	for i := len(checks) - 1; i >= 0; i-- {
		check := checks[i]
		if check.Summary.TotalPages != world.pages {
			t.Errorf("the check for %s has %d pages, want %d", check.ScheduledFor, check.Summary.TotalPages, world.pages)
		}
		day := int(world.checks[check.ID].Sub(c.begin).Hours() / 24)
		for page := range world.pages {
			o := world.fetched[fmt.Sprintf("%s %d", check.ID, page)]
			if o.Failure != "" || o.Text == "" {
				continue
			}
			version := c.version(page, day)
			if was, seen := known[page]; seen && was != version {
				want[fmt.Sprintf("%s %s", check.ID, o.URL)]++
			}
			known[page] = version
		}
	}
	for change, err := range p.m.Changes(context.Background(), id, 0, func(err error) error { return err }) {
		if err != nil {
			t.Fatal(err)
		}
		got[change.CheckID+" "+change.URL]++ // one that is new, since the first check had no page of it, is wrong too
	}
	for k, n := range got {
		if want[k] != 1 || n != 1 {
			wrong++
		}
	}
	missed := 0
	for k := range want {
		if got[k] == 0 {
			missed++
		}
	}
	if wrong > 0 || missed > 0 {
		t.Errorf("%d of %d reports are wrong, %d of %d changes were missed", wrong, len(got), missed, len(want))
	}
	t.Logf("%d checks, %d changes reported of %d", len(checks), len(got), len(want))
	if len(want) == 0 {
		t.Error("nothing has changed: the test shows nothing")
	}
}
