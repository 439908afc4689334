package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/engine/internal/agent"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// agentNote is the agent.State of a job.
const agentNote = "agent"

// agentGrace is what the result may take after the time of an agent is over.
const agentGrace = 2 * time.Minute

// agentRun is an agent at work.
type agentRun struct {
	*work.Job
	engine  *Engine
	options AgentOptions
	meter   *llm.Meter // of the whole job, with what earlier engines have left
	steps   llm.Model  // the part of it that is for the steps
	told    llm.Usage  // that is in the job's account
	spent   int        // credits of the job so far
	owed    int        // of them, not yet in its account
}

// runAgent does the job of an agent, or goes on with it.
func (e *Engine) runAgent(ctx context.Context, j *work.Job) error {
	r := &agentRun{Job: j, engine: e}
	if err := j.Params(&r.options); err != nil {
		return err
	}
	schema, err := r.options.schema()
	if err != nil {
		return err
	}
	o, err := r.prepare()
	if err != nil {
		return err
	}
	o.Schema = schema
	left := r.options.Timeout - o.State.Took
	ctx, cancel := context.WithTimeoutCause(ctx, max(left, 0)+agentGrace, &deadline.TimeoutError{After: r.options.Timeout})
	defer cancel()
	out, err := agent.Run(ctx, o)
	if err := r.account(); err != nil {
		return err
	}
	if err != nil {
		return agentFailure(err)
	}
	return j.KeepResult(work.Result{Data: out.Result, Warning: out.Warning})
}

// prepare makes the options of the run, with what an earlier engine has left.
func (r *agentRun) prepare() (o agent.Options, err error) {
	private := r.options.ZeroDataRetention
	model, err := r.engine.modelFor(private)
	if err != nil {
		return o, err
	}
	used, err := r.Usage()
	if err != nil {
		return o, err
	}
	if _, err := r.Noted(agentNote, &o.State); err != nil {
		return o, err
	}
	r.spent = int(r.Record.Credits)
	tokens := max(r.options.MaxTokens-used.Tokens(), 1)
	r.meter = llm.NewMeter(model, llm.MeterOptions{MaxTokens: tokens, Parallel: modelParallel})
	_, cannot := r.engine.searchers(private)
	o.Prompt, o.URLs, o.Strict, o.Search = r.options.Prompt, r.options.URLs, r.options.StrictConstrainToURLs, cannot == nil
	o.Plan = r.options.Effort != EffortLow
	o.MaxSteps, o.MaxPages, o.MaxTime = r.options.MaxSteps, r.options.MaxPages, r.options.Timeout
	o.Afford, o.OnStep, o.Tools, o.Now = r.afford, r.step, r, r.engine.now
	// A tenth is kept for the result.
	r.steps = llm.NewMeter(r.meter, llm.MeterOptions{MaxTokens: max(tokens*9/10, 1), Parallel: modelParallel})
	o.Model, o.Last = r.steps, r.meter
	return o, nil
}

// afford tells that the credits are used up.
func (r *agentRun) afford() error {
	if r.spent >= r.options.MaxCredits {
		return fmt.Errorf("%w (%d)", agent.ErrCredits, r.options.MaxCredits)
	}
	return nil
}

// pay counts what something has cost.
func (r *agentRun) pay(credits int) {
	r.spent += credits
	r.owed += credits
}

// step keeps what a step has cost and left, then tells of it.
func (r *agentRun) step(s toolloop.Step, state agent.State) error {
	if err := r.account(); err != nil {
		return err
	}
	if err := r.Note(agentNote, state); err != nil {
		return err
	}
	return r.Event(context.Background(), jobs.EventAction, ModelStep(s)) // it fails when the job has ended
}

// account brings tokens and credits into the job's account.
func (r *agentRun) account() error {
	now := r.meter.Usage()
	delta := llm.Usage{
		Calls: now.Calls - r.told.Calls, InputTokens: now.InputTokens - r.told.InputTokens,
		OutputTokens: now.OutputTokens - r.told.OutputTokens, Cost: now.Cost - r.told.Cost,
	}
	if delta == (llm.Usage{}) && r.owed == 0 {
		return nil
	}
	err := r.Spend(delta, r.owed)
	if err == nil {
		r.told, r.owed = now, 0
	}
	return err
}

// agentFailure is why an agent has come to nothing, in the engine's codes.
func agentFailure(err error) error {
	if errors.Is(err, agent.ErrGaveUp) || errors.Is(err, agent.ErrNothing) {
		return &Error{Code: CodeAgentFailed, Err: err}
	}
	return err
}
