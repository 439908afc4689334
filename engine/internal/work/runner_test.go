package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
)

const kind = "chore"

// owner is the fake owner of a runner.
type owner struct {
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu     sync.Mutex
	booked map[string]int
	tokens map[string]int
}

var errClosed = errors.New("the owner is closed")

func (o *owner) begin(ctx context.Context) (context.Context, func(), error) {
	if o.ctx.Err() != nil {
		return nil, nil, errClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(o.ctx, cancel)
	o.work.Add(1)
	return ctx, func() { forget(); cancel(); o.work.Done() }, nil
}

func (o *owner) stopped(error) error {
	if o.ctx.Err() != nil {
		return errClosed
	}
	return nil
}

func (o *owner) Book(who string, credits int, write func() error) error {
	err := write()
	if err == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.booked[who] += credits
	}
	return err
}

func (o *owner) Tokens(who string, u llm.Usage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tokens[who] += u.Tokens()
}

func (o *owner) close() {
	o.cancel()
	o.work.Wait()
}

// newRunner opens a runner on a store, with one kind of job.
func newRunner(t *testing.T, db DB, k Kind, change ...func(*Options)) (*Runner, *owner) {
	t.Helper()
	o := &owner{booked: map[string]int{}, tokens: map[string]int{}}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	options := Options{
		DB: db, Kinds: map[string]Kind{kind: k}, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Begin: o.begin, Stopped: o.stopped, Ledger: o,
		Failure: func(_ context.Context, op, url string, err error) error {
			return fmt.Errorf("%s of %s: %w", op, url, err)
		},
		Code:   func(err error) string { return fmt.Sprintf("CODE_%d", len(strings.Split(err.Error(), ":"))) },
		Failed: func(url string) any { return map[string]string{"gone": url} },
	}
	for _, f := range change {
		f(&options)
	}
	r, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		o.close()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, o
}

// created makes a job and doesn't start it.
func created(t *testing.T, r *Runner) jobs.Record {
	t.Helper()
	record, _, err := r.Records.Create(t.Context(), jobs.New{Kind: kind, Owner: "team", URL: "https://a.example/", Params: json.RawMessage(`{"n":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// done runs a job to its end.
func done(t *testing.T, r *Runner) jobs.Record {
	t.Helper()
	record := created(t, r)
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	record, err := r.Records.Wait(t.Context(), record.ID)
	if err != nil {
		t.Fatal(err)
	}
	return record
}

func TestRunner_aPanicFailsTheJobAlone(t *testing.T) {
	r, _ := newRunner(t, cache.NewMap(), Kind{Run: func(context.Context, *Job) error { panic("oops") }})
	if got := done(t, r); got.State != jobs.Failed || !strings.Contains(got.Error, "oops") || !strings.HasPrefix(got.Error, "chore of https://a.example/") || got.Code == "" {
		t.Errorf("got %+v", got)
	}
}

func TestRunner_aJobOfUnknownKindFails(t *testing.T) {
	r, _ := newRunner(t, cache.NewMap(), Kind{})
	if got := done(t, r); got.State != jobs.Failed || !strings.Contains(got.Error, `unknown kind "chore"`) {
		t.Errorf("got %+v", got)
	}
}

func TestRunner_whatATaskRunKeepsAndSpends(t *testing.T) {
	used := llm.Usage{Calls: 1, InputTokens: 10, OutputTokens: 2}
	r, o := newRunner(t, cache.NewMap(), Kind{Run: func(ctx context.Context, j *Job) error {
		var p struct{ N int }
		return errors.Join(j.Params(&p), j.Note("n", p.N+1), j.Spend(used, 3), j.Event(ctx, jobs.EventAction, "did"), j.KeepResult(Result{Data: json.RawMessage(`7`), Warning: "w"}))
	}})
	got := done(t, r)
	n := 0
	if found, err := r.Noted(got.ID, "n", &n); !found || err != nil || n != 2 {
		t.Errorf("noted: %v, %v, %d", found, err, n)
	}
	if result, found, err := r.Result(got.ID); !found || err != nil || string(result.Data) != "7" {
		t.Errorf("result: %v, %v, %s", found, err, result.Data)
	}
	if w, found, err := r.Warning(got.ID); !found || err != nil || w != "w" {
		t.Errorf("warning: %v, %v, %q", found, err, w)
	}
	if u, err := r.Usage(got.ID); err != nil || u != used {
		t.Errorf("usage: %+v, %v", u, err)
	}
	if got.State != jobs.Completed || got.Credits != 3 || o.booked["team"] != 3 || o.tokens["team"] != 12 {
		t.Errorf("got %+v, %v, %v", got, o.booked, o.tokens)
	}
}

func TestRunner_aCancelledJobEnds(t *testing.T) {
	begun, cause := make(chan struct{}), make(chan error, 1)
	r, o := newRunner(t, cache.NewMap(), Kind{Run: func(ctx context.Context, _ *Job) error {
		close(begun)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return ctx.Err()
	}})
	record := created(t, r)
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := r.Cancel(t.Context(), record.ID, "GONE"); err != nil {
		t.Fatal(err)
	}
	if err := <-cause; !errors.Is(err, ErrCancelled) {
		t.Errorf("the work ended with %v", err)
	}
	if err := r.Cancel(t.Context(), record.ID, "GONE"); !errors.Is(err, jobs.ErrFinished) {
		t.Errorf("again: %v", err)
	}
	o.close()
	if got, err := r.Records.Get(t.Context(), record.ID); err != nil || got.State != jobs.Cancelled || got.Code != "GONE" || r.Working() != 0 {
		t.Errorf("got %+v, %v, %d at work", got, err, r.Working())
	}
}

// A job whose owner ends is taken up by the next one.
func TestRunner_goesOnWithWhatAnEarlierOneLeft(t *testing.T) {
	db, begun := cache.NewMap(), make(chan struct{})
	r, o := newRunner(t, db, Kind{Run: func(ctx context.Context, _ *Job) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	}})
	record := created(t, r)
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	<-begun
	o.close()
	if err := r.Start(record); !errors.Is(err, errClosed) {
		t.Errorf("a job of a closed owner: %v", err)
	}
	next, _ := newRunner(t, db, Kind{Run: func(context.Context, *Job) error { return nil }})
	if err := next.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := next.Records.Wait(t.Context(), record.ID); err != nil || got.State != jobs.Completed {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRunner_forgetsWhatExpiredJobsKeep(t *testing.T) {
	dropped := make(chan string, 9)
	var mu sync.Mutex
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	r, _ := newRunner(t, cache.NewMap(), Kind{
		Line: line(&fakeTask{urls: []string{"https://a.example/1"}}, LineOptions{}),
		Drop: func(_ DB, job string) error { dropped <- job; return nil },
	}, func(o *Options) { o.Now = clock })
	got := done(t, r)
	if err := r.Job(got).Note("n", 1); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	now = now.Add(25 * time.Hour)
	mu.Unlock()
	if n, err := r.Records.Prune(t.Context()); err != nil || n > 1 { // 0 where the background was first
		t.Fatal(n, err)
	}
	if id := <-dropped; id != got.ID {
		t.Errorf("dropped %s, want %s", id, got.ID)
	}
	n := 0
	if found, err := r.Noted(got.ID, "n", &n); found || err != nil {
		t.Errorf("a note is still there: %v, %v", found, err)
	}
	f, err := r.Frontier(got.ID)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := f.Stats(t.Context()); err != nil || s.Known != 0 {
		t.Errorf("pages are still there: %+v, %v", s, err)
	}
}

func TestRunner_takesNoMoreThanThereIsRoomFor(t *testing.T) {
	full := errors.New("full up")
	r, _ := newRunner(t, cache.NewMap(), Kind{Line: line(&fakeTask{urls: []string{"https://a.example/"}}, LineOptions{})}, func(o *Options) { o.Room, o.Full = 1, full })
	if got := done(t, r); got.State != jobs.Failed || !strings.Contains(got.Error, "full up") {
		t.Errorf("got %+v", got)
	}
}

func TestRunner_addsToJobsAtWorkOnly(t *testing.T) {
	task := &fakeTask{urls: []string{"https://a.example/1"}, hold: make(chan struct{})}
	r, _ := newRunner(t, cache.NewMap(), Kind{Line: line(task, LineOptions{})})
	record := created(t, r)
	kept := 0
	keep := func() error { kept++; return nil }
	found := []crawl.Found{{URL: "https://a.example/2"}}
	if err := r.Add(t.Context(), record.ID, keep, found); !errors.Is(err, jobs.ErrFinished) || kept != 0 {
		t.Errorf("before it began: %v, kept %d times", err, kept)
	}
	task.visiting = make(chan string, 2)
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	<-task.visiting
	if err := r.Add(t.Context(), record.ID, keep, found); err != nil || kept != 1 {
		t.Errorf("at work: %v, kept %d times", err, kept)
	}
	close(task.hold)
	if _, err := r.Records.Wait(t.Context(), record.ID); err != nil {
		t.Fatal(err)
	}
	if url := <-task.visiting; url != "https://a.example/2" {
		t.Errorf("visited %s", url)
	}
	if err := r.Add(t.Context(), record.ID, keep, found); !errors.Is(err, jobs.ErrFinished) || kept != 1 {
		t.Errorf("after its end: %v, kept %d times", err, kept)
	}
}

// slowReader is a store in which the next view, once it is armed, waits.
type slowReader struct {
	DB
	armed         atomic.Bool
	begun, letEnd chan struct{}
}

func (s *slowReader) View(f func(jobs.Tx) error) error {
	if s.armed.CompareAndSwap(true, false) {
		close(s.begun)
		<-s.letEnd
	}
	return s.DB.View(f)
}

// A reader of how far a job is opens its pages too, maybe in the moment in which its workers do: what is added comes to the workers.
func TestRunner_addsToTheWorkersBesideAReader(t *testing.T) {
	db := &slowReader{DB: cache.NewMap(), begun: make(chan struct{}), letEnd: make(chan struct{})}
	task := &fakeTask{urls: []string{"https://a.example/1"}, hold: make(chan struct{}), visiting: make(chan string, 2)}
	open, read := line(task, LineOptions{}), make(chan error, 1)
	var r *Runner
	r, _ = newRunner(t, db, Kind{Line: func(l *Line) (Task, LineOptions, error) {
		db.armed.Store(true)
		go func() {
			_, err := r.Frontier(l.Record.ID)
			read <- err
		}()
		<-db.begun
		return open(l)
	}})
	record := created(t, r)
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	<-task.visiting
	close(db.letEnd)
	if err := <-read; err != nil {
		t.Fatal(err)
	}
	if err := r.Add(t.Context(), record.ID, func() error { return nil }, []crawl.Found{{URL: "https://b.example/2"}}); err != nil {
		t.Fatal(err)
	}
	close(task.hold)
	if url := <-task.visiting; url != "https://b.example/2" {
		t.Errorf("visited %s", url)
	}
	if _, err := r.Records.Wait(t.Context(), record.ID); err != nil {
		t.Error(err)
	}
}
