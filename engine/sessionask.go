package engine

import (
	"cmp"
	"context"
	"errors"

	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
)

// Ask lets the model drive the session's page until the prompt's task is done, in at most 25 steps: it sees the page as a
// tree with references, and clicks, types, selects, presses, scrolls, waits, reads and loads addresses; what the page
// opens in other tabs is loaded in its own. What a page says can't change the task. The result has the steps, and the
// actions that do the same again without a model. A task that isn't done is no error but says so in the result.
func (s *Session) Ask(ctx context.Context, r InteractRequest) (*InteractResult, error) {
	if err := s.checkAsk(&r); err != nil {
		return nil, failure(ctx, "session", "", err)
	}
	meter := s.engine.model(cmp.Or(r.MaxTokens, defaultTokens))
	var got sessions.Answer
	err := s.engine.manage(ctx, "session", "", func(ctx context.Context) (err error) {
		got, err = s.room.Ask(ctx, meter, sessions.Task{Prompt: r.Prompt, MaxSteps: r.MaxSteps, MaxTime: r.wholeTime(), OnStep: r.onStep})
		return err
	})
	s.engine.stores.Ledger.Tokens(s.Info().Owner, s.engine.now(), got.Usage.Tokens())
	if err != nil {
		return nil, err
	}
	return s.stamp(promptResult(got)), nil
}

func (s *Session) checkAsk(r *InteractRequest) error {
	if r.Code != "" {
		return &OptionError{Field: "code", Value: "set", Want: "unset: Run takes code"}
	}
	if err := r.check(); err != nil {
		return err
	}
	return s.engine.mayAsk("a prompt", false)
}

// onStep hands a step to the caller.
func (r *InteractRequest) onStep(step toolloop.Step) error {
	if r.OnStep != nil {
		r.OnStep(ModelStep(step))
	}
	return nil
}

func promptResult(out sessions.Answer) *InteractResult {
	failed := out.Failed
	r := &InteractResult{
		Success: failed == nil, Output: out.Output, Stdout: out.Stdout, Result: &out.Snapshot.Text,
		Actions: out.Actions, Replayable: out.Complete, TokensUsed: out.Usage.Tokens(), ModelCost: out.Usage.Cost,
	}
	for _, step := range out.Steps {
		r.Steps = append(r.Steps, ModelStep(step))
	}
	if failed != nil {
		r.ExitCode, r.Stderr, r.Error = 1, failed.Error(), failed.Error()
		r.Killed = errors.Is(failed, toolloop.ErrTime)
	}
	return r
}
