package engine

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// newTaskRun makes a job of no pages that no one works on.
func newTaskRun(t *testing.T, e *Engine) (*work.Job, *AgentJob) {
	t.Helper()
	r, _, err := e.durable.Records.Create(t.Context(), jobs.New{Kind: KindAgent, Owner: "team", Params: json.RawMessage(`{"prompt":"p"}`)})
	if err != nil {
		t.Fatal(err)
	}
	return e.durable.Job(r), newAgentJob(jobOf(e.durable, r))
}

func TestTaskRun_keepsWhatItIsGivenAcrossEngines(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	e := newTestEngine(t, Options{Dir: dir, ResumeJobs: new(false), Now: c.now})
	d, job := newTaskRun(t, e)
	var p struct{ Prompt string }
	if err := d.Params(&p); err != nil || p.Prompt != "p" {
		t.Fatalf("%+v, %v", p, err)
	}
	used := llm.Usage{Calls: 1, InputTokens: 10, OutputTokens: 2}
	err := errors.Join(
		d.Event(t.Context(), jobs.EventAction, map[string]string{"did": "click"}),
		d.Note("step", 1), d.Note("step", 2),
		d.Spend(used, 3), d.Spend(used, 4),
		d.KeepResult(work.Result{Data: json.RawMessage(`{"a":1}`), Warning: "half of it."}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}

	e = newTestEngine(t, Options{Dir: dir, ResumeJobs: new(false), Now: c.now})
	d = e.durable.Job(d.Record)
	step := 0
	if found, err := d.Noted("step", &step); err != nil || !found || step != 2 {
		t.Errorf("%v, %d, %v", found, step, err)
	}
	if found, err := d.Noted("other", &step); err != nil || found {
		t.Errorf("%v, %v", found, err)
	}
	job = refound(t, e, job.ID(), (*Job).Agent)
	s, err := job.Status(t.Context())
	if err != nil || s.Usage != used.Plus(used) || s.CreditsUsed != 7 || s.Warning != "half of it." {
		t.Errorf("%+v, %v", s, err)
	}
	if u, err := e.Usage(t.Context(), "team"); err != nil || u.Credits != 7 {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := e.durable.Records.Finish(t.Context(), job.ID(), jobs.Completed, "", ""); err != nil {
		t.Fatal(err)
	}
	if data, err := job.Result(t.Context()); err != nil || string(data) != `{"a":1}` {
		t.Errorf("%s, %v", data, err)
	}
	if err := d.Event(t.Context(), jobs.EventAction, 1); !errors.Is(err, jobs.ErrFinished) {
		t.Errorf("an event after the end: %v", err)
	}
	c.pass(25 * time.Hour)
	if _, err := e.durable.Records.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found, err := d.Noted("step", &step); err != nil || found {
		t.Errorf("kept after it was forgotten: %v, %v", found, err)
	}
}

func TestTaskRun_resultOfAJobThatHasNone(t *testing.T) {
	e := newTestEngine(t, Options{})
	d, job := newTaskRun(t, e)
	err := d.KeepResult(work.Result{Data: json.RawMessage(`"` + strings.Repeat("a", 16<<20) + `"`)})
	if err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a result without bounds: %v", err)
	}
	if err := d.KeepResult(work.Result{Data: json.RawMessage(`[1]`)}); err != nil {
		t.Fatal(err)
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if data, err := job.Result(t.Context()); CodeOf(err) != CodeCancelled || string(data) != `[1]` {
		t.Errorf("cancelled: %s, %v", data, err)
	}
	_, job = newTaskRun(t, e)
	if _, err := e.durable.Records.Finish(t.Context(), job.ID(), jobs.Completed, "", ""); err != nil {
		t.Fatal(err)
	}
	if data, err := job.Result(t.Context()); CodeOf(err) != CodeNotFound || data != nil {
		t.Errorf("none: %s, %v", data, err)
	}
}
