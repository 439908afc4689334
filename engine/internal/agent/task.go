package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// stateNote is the name of a job's State among its notes.
const stateNote = "agent"

// resultTool is the tool of the step that makes the result. It has no number.
const resultTool = "result"

// grace is what the result may take after the time of an agent is over.
const grace = 2 * time.Minute

// TaskOptions are those of a job.
type TaskOptions struct {
	// Options of the run. Model, Tools and MaxTime are required; State, Last, CheckCredits, Pay and OnStep are the task's.
	Options
	// MaxCredits and MaxTokens of the whole job.
	MaxCredits, MaxTokens int
	// Event returns what an event carries of a step, for JSON.
	Event func(toolloop.Step) any
}

// task is the job of an agent: it keeps the accounts of a run.
type task struct {
	job    *work.Job
	o      TaskOptions
	meter  *llm.Meter // of the whole job, with what earlier processes have left
	booked llm.Usage  // of the meter, in the job's account
	spent  int        // credits of the job so far
	owed   int        // of them, not yet in its account
	last   any        // event of the step that made the result
}

// Work does the job of an agent, or resumes it. Errors are those of [Run].
func Work(ctx context.Context, j *work.Job, o TaskOptions) error {
	if _, done, err := j.Result(); done || err != nil {
		return err
	}
	t := &task{job: j, o: o}
	run, err := t.options()
	if err != nil {
		return err
	}
	left := max(run.MaxTime-run.State.Took, 0)
	ctx, cancel := context.WithTimeoutCause(ctx, left+grace, &deadline.TimeoutError{After: run.MaxTime})
	defer cancel()
	out, err := Run(ctx, run)
	if err != nil {
		if err := t.book(); err != nil {
			return err
		}
		return err
	}
	return t.end(work.Result{Data: out.Result, Warning: out.Warning})
}

// end keeps the result together with the step that made it.
func (t *task) end(r work.Result) error {
	notes, err := r.Notes()
	if err == nil {
		err = t.keep(work.Moment{Notes: notes, Event: jobs.EventAction, Data: t.last})
	}
	return err
}

// options of the run, with what an earlier process has left.
func (t *task) options() (Options, error) {
	o := t.o.Options
	if _, err := t.job.Noted(stateNote, &o.State); err != nil {
		return o, err
	}
	used, err := t.job.Usage()
	if err != nil {
		return o, err
	}
	if t.spent, err = t.job.Credits(); err != nil {
		return o, err
	}
	tokens := max(t.o.MaxTokens-used.Tokens(), 1)
	t.meter = llm.NewMeter(o.Model, llm.MeterOptions{MaxTokens: tokens})
	o.Last = t.meter
	// A tenth is kept for the result.
	o.Model = llm.NewMeter(t.meter, llm.MeterOptions{MaxTokens: max(tokens*9/10, 1)})
	o.CheckCredits, o.Pay, o.OnStep = t.checkCredits, t.pay, t.step
	return o, nil
}

// checkCredits returns an error when the credits are used up.
func (t *task) checkCredits() error {
	if t.spent >= t.o.MaxCredits {
		return fmt.Errorf("%w (%d)", ErrCredits, t.o.MaxCredits)
	}
	return nil
}

func (t *task) pay(credits int) {
	t.spent += credits
	t.owed += credits
}

// step keeps in one transaction what a step has cost, the state and the event. A job that has ended meanwhile, which is an error, pays all
// the same.
func (t *task) step(s toolloop.Step, state State) error {
	if s.Number == 0 && s.Tool == resultTool {
		t.last = t.o.Event(s)
		return nil
	}
	err := t.keep(work.Moment{State: map[string]any{stateNote: state}, Event: jobs.EventAction, Data: t.o.Event(s)})
	if err != nil {
		return errors.Join(err, t.book())
	}
	return nil
}

// book brings tokens and credits into the job's account.
func (t *task) book() error {
	if t.meter.Usage() == t.booked && t.owed == 0 {
		return nil
	}
	return t.keep(work.Moment{})
}

// keep keeps a moment, with what is to be booked.
func (t *task) keep(m work.Moment) error {
	now := t.meter.Usage()
	m.Credits, m.Usage = t.owed, llm.Usage{
		Calls: now.Calls - t.booked.Calls, InputTokens: now.InputTokens - t.booked.InputTokens,
		OutputTokens: now.OutputTokens - t.booked.OutputTokens, Cost: now.Cost - t.booked.Cost,
	}
	err := t.job.Keep(m)
	if err == nil {
		t.booked, t.owed = now, 0
	}
	return err
}
