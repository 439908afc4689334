package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/llm"
)

// Options of a run. Prompt and Tools are required; the limits are the caller's to fill in.
type Options struct {
	// Prompt is the caller's own text.
	Prompt string
	// URLs that the caller gave. Their sites alone are within reach; without any, those of what searches find.
	URLs []string
	// Strict leaves nothing within reach but the URLs themselves.
	Strict bool
	// Search says that Tools can search; it is offered where no URLs are given.
	Search bool
	// Schema of the result; nil: any JSON object.
	Schema *llm.Schema
	// Plan asks for a plan before the first step.
	Plan bool
	// MaxSteps of the model, the single steps on a page among them; MaxPages that are scraped or operated.
	MaxSteps, MaxPages int
	// MaxTime is when no further step begins; 0: the context alone ends it.
	MaxTime time.Duration
	// CheckCredits returns an error when the credits are used up. Nil: they never are.
	CheckCredits func() error
	// Pay is called with the credits that a use of the tools has cost. Nil: they are not counted.
	Pay func(credits int)
	// State of an earlier run of the same job, which is resumed.
	State State
	// OnStep is called after each step with the state to go on from. Tool is "plan", "search", "map", "scrape", "interact",
	// "extract", "note", "done", "result", or one on a page; a plan and a result have no number. An error ends the run.
	OnStep func(toolloop.Step, State) error
	Tools  Tools
	// Model of the steps; Last, of the result, may have tokens left when Model has none. Nil is Model.
	Model, Last llm.Model
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// State is what outlasts a restart.
type State struct {
	Plan string `json:"plan,omitempty"`
	// Number of the last step; Steps of the model so far, those on pages among them; Pages so far.
	Number int `json:"number,omitempty"`
	Steps  int `json:"steps,omitempty"`
	Pages  int `json:"pages,omitempty"`
	// Notes are what was found; Visited and Sites the pages that were read, and the hosts that searches have brought within reach.
	Notes   []Note   `json:"notes,omitempty"`
	Visited []string `json:"visited,omitempty"`
	Sites   []string `json:"sites,omitempty"`
	// Took is the time of earlier runs.
	Took time.Duration `json:"took,omitempty"`
}

// Outcome of a run.
type Outcome struct {
	// Result is JSON that follows the schema.
	Result json.RawMessage
	// Warning says that a limit ended the run before the model did; else empty.
	Warning string
	State   State
}

// Errors of a run, beside those of the model, of ctx, OnStep and fatal ones of the tools.
var (
	// ErrGaveUp: the model says that the goal can't be reached; the text says why.
	ErrGaveUp = errors.New("the model says that the goal can't be reached")
	// ErrNothing: a limit was met before anything was found; the limit's error is wrapped too.
	ErrNothing = errors.New("nothing was found within the limits")
)

// Run works towards the goal. The Outcome is valid beside an error, but for its Result.
func Run(ctx context.Context, o Options) (Outcome, error) {
	a := newAgent(o)
	if err := a.plan(ctx); err != nil {
		return a.finish(ctx, err)
	}
	steps := a.o.MaxSteps - a.state.Steps
	err := errors.Join(a.checkCredits(), a.runsOut(steps))
	if err == nil {
		var end toolloop.End
		end, err = toolloop.Run(ctx, a.o.Model, toolloop.Options{
			System: a.system(), Goal: a.goal(), Tools: a.tools(), MaxSteps: steps, MaxTime: a.left(), Views: 2, OnStep: a.step, Now: a.o.Now,
		})
		if end.Text != "" {
			a.answer = end.Text
		}
	}
	return a.finish(ctx, err)
}

func newAgent(o Options) *agent {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Last == nil {
		o.Last = o.Model
	}
	a := &agent{o: o, state: o.State, pages: map[string]Page{}}
	a.began = o.Now()
	return a
}

// agent is a run in progress.
type agent struct {
	o      Options
	state  State
	began  time.Time
	pages  map[string]Page // read in this run, by address
	order  []string        // of pages, the oldest first
	now    toolloop.Step   // what the tool under way leaves for its step
	answer string
	gaveUp bool
	lost   error // why a step on a page was the last
}

// runsOut returns an error when no steps or no time are left.
func (a *agent) runsOut(steps int) error {
	switch {
	case steps <= 0:
		return toolloop.ErrSteps
	case a.o.MaxTime > 0 && a.left() <= 0:
		return toolloop.ErrTime
	}
	return nil
}

// left is the time that is left; 0 without a limit.
func (a *agent) left() time.Duration {
	if a.o.MaxTime <= 0 {
		return 0
	}
	return a.o.MaxTime - a.took()
}

// bound is the time that is left for an answer of the model; nil without a limit.
func (a *agent) bound() *time.Duration {
	if a.o.MaxTime <= 0 {
		return nil
	}
	return new(a.left())
}

func (a *agent) took() time.Duration { return a.o.State.Took + a.o.Now().Sub(a.began) }

func (a *agent) checkCredits() error {
	if a.o.CheckCredits == nil {
		return nil
	}
	return a.o.CheckCredits()
}

func (a *agent) pay(credits int) {
	if a.o.Pay != nil {
		a.o.Pay(credits)
	}
}

// plan requests a plan, once per job.
func (a *agent) plan(ctx context.Context) error {
	if !a.o.Plan || a.state.Plan != "" || a.state.Steps > 0 {
		return nil
	}
	answer, err := toolloop.Ask(ctx, a.o.Model, llm.Request{
		Messages:  []llm.Message{{Role: llm.System, Text: a.system()}, {Role: llm.User, Text: a.goal() + "\n\n" + planRequest}},
		MaxTokens: min(400, max(1, a.o.Model.Info().Output)),
	}, a.bound())
	if err != nil {
		return err
	}
	a.state.Plan = toolloop.Clip(strings.TrimSpace(answer.Text), 2000)
	return a.report(toolloop.Step{Tool: "plan", Did: a.state.Plan})
}

// report passes a step and the state to the caller.
func (a *agent) report(s toolloop.Step) error {
	if a.o.OnStep == nil {
		return nil
	}
	return a.o.OnStep(s, a.snapshot())
}

// snapshot is the state as it is now.
func (a *agent) snapshot() State {
	s := a.state
	s.Took = a.took()
	return s
}

// maxText bounds what a step says of what came of it, in bytes.
const maxText = 4000

// step finishes the record of a step.
func (a *agent) step(s toolloop.Step, r toolloop.Result) error {
	step := a.now
	a.now = toolloop.Step{}
	a.state.Steps++
	a.state.Number++
	step.Number, step.Tool, step.Why, step.Arguments = a.state.Number, s.Tool, s.Why, s.Arguments
	if text := toolloop.Clip(r.String(), maxText); r.Failed {
		step.Error = text
	} else {
		step.Did = text
	}
	if err := a.report(step); err != nil {
		return err
	}
	if err := a.checkCredits(); err != nil && !r.Done {
		return err
	}
	return a.runsOut(a.o.MaxSteps - a.state.Steps + 1) // the loop has its own last step; parts on pages count too
}

// driven is the options of work on one page.
func (a *agent) driven() drive.Options {
	return drive.Options{
		MaxSteps: max(1, a.o.MaxSteps-a.state.Steps-1), MaxTime: a.pageTime(), Allow: a.within, Now: a.o.Now,
		OnStep: func(s toolloop.Step) error {
			s.Number, s.Part = a.state.Number+1, s.Number
			a.lost = a.report(s)
			if a.lost == nil {
				a.lost = a.checkCredits()
			}
			return a.lost
		},
	}
}

// pageTime bounds the work on one page.
func (a *agent) pageTime() time.Duration {
	const most = 4 * time.Minute
	if left := a.left(); left > 0 {
		return min(most, left)
	}
	return most
}

func (a *agent) outcome(result json.RawMessage) Outcome {
	return Outcome{Result: result, State: a.snapshot()}
}

// finish makes the result, also where a limit ended the work.
func (a *agent) finish(ctx context.Context, err error) (Outcome, error) {
	limit := a.limit(err)
	switch {
	case err != nil && limit == "":
		return a.outcome(nil), err
	case err == nil && a.gaveUp:
		return a.outcome(nil), fmt.Errorf("%w: %s", ErrGaveUp, toolloop.Clip(oneLine(a.answer), 300))
	case err != nil && len(a.state.Notes) == 0:
		return a.outcome(nil), fmt.Errorf("%w: %w", ErrNothing, err)
	}
	result, failed := a.result(ctx)
	if failed != nil {
		return a.outcome(nil), failed
	}
	out := a.outcome(result)
	switch {
	case limit != "":
		out.Warning = "The work ended before its goal: " + limit + ". The result is of what was found until then."
	case len(a.state.Visited) == 0:
		out.Warning = "No page was read: the result is what the model has said by itself."
	}
	return out, a.report(toolloop.Step{Tool: resultTool, Did: "made the result"})
}

// limit says which limit ended the work, "" for none.
func (a *agent) limit(err error) string {
	for _, known := range []error{toolloop.ErrSteps, toolloop.ErrStuck, toolloop.ErrTime, llm.ErrBudget, ErrCredits} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return ""
}

// ErrCredits is what Options.CheckCredits gives when the credits are used up.
var ErrCredits = errors.New("the allowed credits are used up")

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
