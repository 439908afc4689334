package work

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/llm"
)

// fakePart is a shard of a job that moves.
type fakePart struct {
	spread.Part
	db *cache.Map

	mu   sync.Mutex
	over bool
	full error // of Append
	list [][]byte
}

func newFakePart() *fakePart { return &fakePart{db: cache.NewMap()} }

func (p *fakePart) DB() crawl.DB { return p.db }

func (p *fakePart) Over() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over
}

func (p *fakePart) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
}

func (p *fakePart) Append(_ crawl.Tx, entry []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full != nil {
		return p.full
	}
	p.list = append(p.list, entry)
	return nil
}

// messages are those of entries, each of which is whole.
func messages(t *testing.T, list [][]byte) (all []entries.Message) {
	t.Helper()
	for _, entry := range list {
		m, err := entries.Join(entry)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

var movingRecord = jobs.Record{ID: "job", Kind: kind, Owner: "team", URL: "https://a.example/", Elsewhere: true}

// visit has a job that moves worked on.
func visit(ctx context.Context, t *testing.T, p *fakePart, k Kind, attempt int) spread.Outcome {
	t.Helper()
	k.Moves = true
	r, _ := newRunner(t, cache.NewMap(), k)
	part, err := r.Part(p, movingRecord)
	if err != nil {
		t.Fatal(err)
	}
	defer part.Close()
	return part.Visit(ctx, crawl.Item{Attempt: attempt})
}

func TestMoving_endsAsItsWorkDoes(t *testing.T) {
	for _, c := range []struct {
		run     func(context.Context, *Job) error
		attempt int
		state   jobs.State
		text    string
	}{
		{func(context.Context, *Job) error { return nil }, maxAttempts, jobs.Completed, ""},
		{func(context.Context, *Job) error { return errors.New("no luck") }, 1, jobs.Failed, "no luck"},
		{func(context.Context, *Job) error { panic("oops") }, 1, jobs.Failed, "oops"},
		{func(context.Context, *Job) error { return nil }, maxAttempts + 1, jobs.Failed, "tried 10 times"},
	} {
		out := visit(t.Context(), t, newFakePart(), Kind{Run: c.run}, c.attempt)
		m := messages(t, out.Entries)
		if out.Back || !out.Page.Kept || len(m) != 1 || m[0].End == nil || m[0].End.State != string(c.state) || !strings.Contains(m[0].End.Error, c.text) {
			t.Errorf("%s: got %+v with %+v", c.text, out, m)
		}
	}
}

// The work ends, and says nothing, when the job has ended, its shard is gone, or the machine leaves.
func TestMoving_isGivenBack(t *testing.T) {
	p := newFakePart()
	wait := func(ctx context.Context, _ *Job) error {
		p.end()
		<-ctx.Done()
		return nil
	}
	gone := func(context.Context, *Job) error { return spread.ErrGone }
	ended, cancel := context.WithCancel(t.Context())
	leaves := func(context.Context, *Job) error {
		cancel()
		return nil
	}
	for name, out := range map[string]spread.Outcome{
		"over": visit(t.Context(), t, p, Kind{Run: wait}, 1), "gone": visit(t.Context(), t, newFakePart(), Kind{Run: gone}, 1),
		"leaves": visit(ended, t, newFakePart(), Kind{Run: leaves}, 1),
	} {
		if !out.Back || len(out.Entries) > 0 {
			t.Errorf("%s: got %+v", name, out)
		}
	}
}

// What a step keeps is there as a whole, for the next machine and for readers, or not at all.
func TestKeep_isAllOrNothing(t *testing.T) {
	p := newFakePart()
	m := Moment{
		Usage: llm.Usage{Calls: 1}, Credits: 3, State: map[string]any{"state": 1}, Notes: map[string]any{"note": "seen"},
		Event: "action", Data: "done",
	}
	step := func(_ context.Context, j *Job) error { return j.Keep(m) }
	p.full = errors.New("it is over")
	visit(t.Context(), t, p, Kind{Run: step}, 1)
	check := func(want bool) func(context.Context, *Job) error {
		return func(_ context.Context, j *Job) error {
			state := 0
			found, err := j.Noted("state", &state)
			used, usedErr := j.Usage()
			credits, creditsErr := j.Credits()
			if err := errors.Join(err, usedErr, creditsErr); err != nil {
				return err
			}
			if found != want || (state == 1) != want || (used.Calls == 1) != want || (credits == 3) != want {
				t.Errorf("state %d, %+v, %d credits, want all of it: %t", state, used, credits, want)
			}
			return nil
		}
	}
	visit(t.Context(), t, p, Kind{Run: check(false)}, 1)
	p.full = nil
	visit(t.Context(), t, p, Kind{Run: step}, 1)
	visit(t.Context(), t, p, Kind{Run: check(true)}, 2) // another machine
	list := messages(t, p.list)
	if len(list) != 1 || list[0].Event == nil || list[0].Spent == nil || string(list[0].Notes["note"]) != `"seen"` || len(list[0].Notes) != 1 {
		t.Errorf("got %+v", list)
	}
}

// A line goes on where another machine was, and of it and its notes nothing stays on the shard.
func TestMoving_linesGoOnAndAreForgotten(t *testing.T) {
	p, ctx := newFakePart(), t.Context()
	task := &fakeTask{urls: []string{"https://a.example/1", "https://a.example/2"}}
	dies := errors.New("the machine is gone")
	task.visit = func(l *Line, item crawl.Item) Outcome {
		note, err := l.Noting(item.URL, "read")
		if err != nil {
			return Outcome{Failed: err}
		}
		if strings.HasSuffix(item.URL, "2") {
			p.full = dies
		}
		return Outcome{Documents: []any{item.URL}, Credits: 1, InTx: func(tx jobs.Tx, _ uint64, _ int) error { return note(tx) }}
	}
	visit(ctx, t, p, Kind{Line: line(task, LineOptions{})}, 1)
	p.full, task.visit = nil, nil
	visited := make(chan string, 9)
	task.visiting = visited
	visit(ctx, t, p, Kind{Line: line(task, LineOptions{})}, 2)
	if len(visited) != 1 || <-visited != "https://a.example/2" {
		t.Errorf("%d more pages were visited after the second", len(visited))
	}
	pages := 0
	for _, m := range messages(t, p.list) {
		if m.Page != nil {
			pages++
		}
	}
	r, _ := newRunner(t, cache.NewMap(), Kind{})
	if err := r.Forget(p.db, movingRecord.ID); err != nil || pages != 2 {
		t.Errorf("%d pages, %v", pages, err)
	}
	for _, bucket := range []string{noteBucket, "crawl.jobs"} {
		_ = p.db.View(func(tx jobs.Tx) error {
			for key := range tx.Scan(bucket, nil) {
				t.Errorf("%s keeps %q", bucket, key)
			}
			return nil
		})
	}
}
