package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// jobStore keeps jobs and runs them. An engine has two: one that lasts, in
// state.db, and one in memory for jobs that may leave no trace.
type jobStore struct {
	engine *Engine
	db     cache.DB
	jobs   *jobs.Jobs
	room   int64 // for what jobs keep in memory; 0, for a file: any

	mu        sync.Mutex
	working   map[string]*working
	frontiers map[string]*crawl.Frontier // of jobs that were worked on or read
}

// working is a job at work.
type working struct {
	cancel context.CancelCauseFunc
	meter  *jobs.Meter
}

// memoryJobs bounds what jobs keep in memory, their documents above all.
const memoryJobs = 1 << 30

var errMemoryFull = errors.New("jobs fill the memory that is set aside for them (1 GiB, for a day): Options.Dir keeps them on disk")

// frontierDB lets a frontier use a store's transactions, while there is room.
type frontierDB struct {
	cache.DB
	room int64 // 0: any
}

func (d frontierDB) View(f func(crawl.Tx) error) error {
	return d.DB.View(func(tx cache.Tx) error { return f(tx) })
}

func (d frontierDB) Update(f func(crawl.Tx) error) error {
	if d.room > 0 {
		if held, _, err := d.Size(); err != nil || held > d.room {
			return errors.Join(err, errMemoryFull)
		}
	}
	return d.DB.Update(func(tx cache.Tx) error { return f(tx) })
}

// jobsDB lets the jobs use the same.
type jobsDB struct{ cache.DB }

func (d jobsDB) View(f func(jobs.Tx) error) error {
	return d.DB.View(func(tx cache.Tx) error { return f(tx) })
}

func (d jobsDB) Update(f func(jobs.Tx) error) error {
	return d.DB.Update(func(tx cache.Tx) error { return f(tx) })
}

func (e *Engine) openJobs(db cache.DB) (*jobStore, error) {
	room := int64(0)
	if _, inMemory := db.(*cache.Map); inMemory {
		room = memoryJobs
	}
	s := &jobStore{engine: e, db: db, room: room, working: map[string]*working{}, frontiers: map[string]*crawl.Frontier{}}
	var err error
	s.jobs, err = jobs.Open(jobsDB{db}, jobs.Options{
		Now:     e.now,
		Logger:  e.log,
		Post:    e.postWebhook,
		Payload: s.payload,
		Drop:    s.drop,
	})
	return s, err
}

// drop forgets what an expired job has beside its record.
func (s *jobStore) drop(ctx context.Context, id string) error {
	if err := s.db.Update(func(tx cache.Tx) error { return tx.Delete(seedBucket, []byte(id)) }); err != nil {
		return err
	}
	if err := errors.Join(s.dropGiven(id), s.dropNotes(id)); err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.frontiers, id)
	s.mu.Unlock()
	return crawl.Drop(ctx, frontierDB{DB: s.db}, id)
}

// start runs a job until it has ended or the engine closes.
func (s *jobStore) start(r jobs.Record) error {
	ctx, done, err := s.engine.begin(context.Background())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &working{cancel: cancel, meter: jobs.NewMeter(s.engine.now)}
	s.mu.Lock()
	s.working[r.ID] = w
	s.mu.Unlock()
	go func() {
		defer done()
		defer cancel(nil)
		s.run(ctx, r, w.meter)
		s.mu.Lock()
		delete(s.working, r.ID)
		s.mu.Unlock()
	}()
	return nil
}

// stop ends a job's work, if it is at work.
func (s *jobStore) stop(id string, cause error) {
	s.mu.Lock()
	w := s.working[id]
	s.mu.Unlock()
	if w != nil {
		w.cancel(cause)
	}
}

// resume goes on with what an earlier engine left unfinished.
func (s *jobStore) resume(ctx context.Context) error {
	left, err := s.jobs.Unfinished(ctx)
	if err != nil {
		s.engine.log.Warn("jobs can't be read", "error", err)
	}
	for _, r := range left {
		if err := s.start(r); err != nil {
			return err
		}
	}
	return nil
}

// run works a job off and ends it. One whose engine closes stays as it is, to be
// taken up by the next.
func (s *jobStore) run(ctx context.Context, r jobs.Record, m *jobs.Meter) {
	err := s.work(ctx, r, m)
	for err == nil && ctx.Err() == nil && s.more(ctx, r.ID) {
		err = s.work(ctx, r, m)
	}
	if ctx.Err() != nil || s.engine.life.Err() != nil {
		return // cancelled, or the engine closes
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	state, code, text := jobs.Completed, "", ""
	if err != nil {
		f := failure(ctx, r.Kind, r.URL, err)
		state, code, text = jobs.Failed, string(f.Code), f.Error()
	}
	if _, err := s.jobs.Finish(ctx, r.ID, state, code, text); err != nil && !errors.Is(err, jobs.ErrFinished) {
		s.engine.log.Warn("a job can't be ended", "job", r.ID, "error", err)
	}
}

// more tells whether something was put in line at the last moment; if not, nothing
// can be any more.
func (s *jobStore) more(ctx context.Context, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.frontiers[id]; f != nil {
		if st, err := f.Stats(ctx); err == nil && st.Queued > 0 {
			return true
		}
	}
	delete(s.working, id)
	return false
}

// open makes the frontier that a job's workers use.
func (s *jobStore) open(id string, o crawl.Options) (*crawl.Frontier, error) {
	o.Now, o.Attempts = s.engine.now, pageAttempts
	f, err := crawl.Open(frontierDB{s.db, s.room}, id, o)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frontiers[id] = f
	return f, nil
}

// frontier gives what is known of a job's pages, for reading.
func (s *jobStore) frontier(id string) (*crawl.Frontier, error) {
	s.mu.Lock()
	f := s.frontiers[id]
	s.mu.Unlock()
	if f != nil {
		return f, nil
	}
	return s.open(id, crawl.Options{})
}

func (s *jobStore) close() error {
	if s == nil {
		return nil
	}
	return s.jobs.Close()
}

// startJobs opens both stores and goes on with what is unfinished.
func (e *Engine) startJobs() (err error) {
	e.hooks = e.newHookClient()
	if e.lasting, err = e.openJobs(e.stores.state); err != nil {
		return err
	}
	if e.hushed, err = e.openJobs(cache.NewMap()); err != nil {
		return err
	}
	if isTrue(e.options.ResumeJobs, true) {
		return e.lasting.resume(e.life)
	}
	return nil
}
