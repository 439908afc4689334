package engine

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
)

// newDuty makes a job of no pages that nobody works on.
func newDuty(t *testing.T, e *Engine) (*duty, *Job) {
	t.Helper()
	r, _, err := e.lasting.jobs.Create(t.Context(), jobs.New{Kind: KindAgent, Owner: "team", Params: json.RawMessage(`{"prompt":"p"}`)})
	if err != nil {
		t.Fatal(err)
	}
	return &duty{store: e.lasting, engine: e, record: r}, e.lasting.handle(r)
}

func TestDuty_keepsWhatItIsGivenAcrossEngines(t *testing.T) {
	dir := t.TempDir()
	e := newTestEngine(t, Options{Dir: dir, ResumeJobs: new(false)})
	d, job := newDuty(t, e)
	var p struct{ Prompt string }
	if err := d.params(&p); err != nil || p.Prompt != "p" {
		t.Fatalf("%+v, %v", p, err)
	}
	used := llm.Usage{Calls: 1, InputTokens: 10, OutputTokens: 2}
	err := errors.Join(
		d.event(t.Context(), jobs.EventAction, map[string]string{"did": "click"}),
		d.note("step", 1), d.note("step", 2),
		d.spend(used, 3), d.spend(used, 4),
		d.result(jobResult{Data: json.RawMessage(`{"a":1}`), Warning: "half of it."}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}

	e = newTestEngine(t, Options{Dir: dir, ResumeJobs: new(false)})
	d = &duty{store: e.lasting, engine: e, record: d.record}
	step := 0
	if found, err := d.noted("step", &step); err != nil || !found || step != 2 {
		t.Errorf("%v, %d, %v", found, step, err)
	}
	if found, err := d.noted("other", &step); err != nil || found {
		t.Errorf("%v, %v", found, err)
	}
	job, err = e.Job(t.Context(), job.ID())
	if err != nil {
		t.Fatal(err)
	}
	s, err := job.Status(t.Context())
	if err != nil || s.Usage != used.Plus(used) || s.CreditsUsed != 7 || s.Warning != "half of it." {
		t.Errorf("%+v, %v", s, err)
	}
	if u, err := e.Usage(t.Context(), "team"); err != nil || u.Credits != 7 {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := e.lasting.jobs.Finish(t.Context(), job.ID(), jobs.Completed, "", ""); err != nil {
		t.Fatal(err)
	}
	if data, err := job.Result(t.Context()); err != nil || string(data) != `{"a":1}` {
		t.Errorf("%s, %v", data, err)
	}
	if err := d.event(t.Context(), jobs.EventAction, 1); !errors.Is(err, jobs.ErrFinished) {
		t.Errorf("an event after the end: %v", err)
	}
	if err := e.lasting.drop(t.Context(), job.ID()); err != nil {
		t.Fatal(err)
	}
	if found, err := d.noted("step", &step); err != nil || found {
		t.Errorf("kept after it was forgotten: %v, %v", found, err)
	}
}

func TestDuty_resultOfAJobThatHasNone(t *testing.T) {
	e := newTestEngine(t, Options{})
	d, job := newDuty(t, e)
	err := d.result(jobResult{Data: json.RawMessage(`"` + strings.Repeat("a", maxResult) + `"`)})
	if err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a result without bounds: %v", err)
	}
	if err := d.result(jobResult{Data: json.RawMessage(`[1]`)}); err != nil {
		t.Fatal(err)
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if data, err := job.Result(t.Context()); CodeOf(err) != CodeCancelled || string(data) != `[1]` {
		t.Errorf("cancelled: %s, %v", data, err)
	}
	_, job = newDuty(t, e)
	if _, err := e.lasting.jobs.Finish(t.Context(), job.ID(), jobs.Completed, "", ""); err != nil {
		t.Fatal(err)
	}
	if data, err := job.Result(t.Context()); CodeOf(err) != CodeNotFound || data != nil {
		t.Errorf("none: %s, %v", data, err)
	}
}

func TestDuty_aPanicFailsTheJobAlone(t *testing.T) {
	e := newTestEngine(t, Options{})
	d, _ := newDuty(t, e)
	err := e.lasting.onDuty(t.Context(), d.record, func(context.Context, *duty) error { panic("oops") })
	if err == nil || !strings.Contains(err.Error(), "oops") {
		t.Errorf("got %v", err)
	}
}
