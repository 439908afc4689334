package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
)

// InteractStep is one step of a prompt.
type InteractStep struct {
	// Number counts from 1.
	Number int `json:"number"`
	// URL, Digest and Seen tell what the model saw before: the address, a hash of the snapshot, and its beginning.
	URL    string `json:"url"`
	Digest string `json:"digest,omitempty"`
	Seen   string `json:"seen,omitempty"`
	// Tool and Arguments as the model asked for them, Why in its words.
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Why       string          `json:"why,omitempty"`
	// Did tells what was done; Error why it was not.
	Did   string `json:"did,omitempty"`
	Error string `json:"error,omitempty"`
	// Actions do the same without a model. Lost says that none can.
	Actions []actions.Action `json:"actions,omitempty"`
	Lost    bool             `json:"lost,omitempty"`
}

// Ask lets the model drive the session's page until the prompt's task is done, in at most 25 steps: it sees the page as a
// tree with references, and clicks, types, selects, presses, scrolls, waits, reads and loads addresses; what the page
// opens in other tabs is loaded in its own. What a page says can't change the task. The result has the steps, and the actions that do the same again without a model. A task that isn't done is
// no error but says so in the result.
func (s *Session) Ask(ctx context.Context, r InteractRequest) (*InteractResult, error) {
	if err := s.checkAsk(&r); err != nil {
		return nil, failure(ctx, "session", "", err)
	}
	meter := s.engine.model(orDefault(r.MaxTokens, defaultTokens))
	var out drive.Outcome
	var failed error
	err := s.use(ctx, "session", func(ctx context.Context, page *browser.Page) error {
		s.promptedNow()
		page.Alone(true)
		defer page.Alone(false)
		out, failed = drive.Run(ctx, meter, sessionPage{drivePage{page: page}, s}, r.Prompt, drive.Options{
			MaxSteps: r.MaxSteps, MaxTime: r.wholeTime(), Allow: webAddress, Now: s.engine.now, OnStep: r.tell,
		})
		if ctx.Err() != nil || !undone(failed) {
			return failed
		}
		return nil
	})
	s.engine.stores.ledger.tokens(s.Info().Owner, s.engine.now(), out.Usage)
	if err != nil {
		return nil, err
	}
	return s.stamp(s.resultOf(out, failed)), nil
}

// sessionPage is the page of a session as a model operates it.
type sessionPage struct {
	drivePage
	session *Session
}

// Goto loads an address as Session.Goto does. What doesn't load is no end of the page.
func (p sessionPage) Goto(ctx context.Context, address string) error {
	href, err := parseTarget(address)
	if err != nil {
		return drive.Tell(err)
	}
	loading, cancel := context.WithTimeout(ctx, driveLoadTime)
	defer cancel()
	if err := p.session.visit(loading, p.page, href); err != nil {
		if p.session.browser.Err() != nil || loading.Err() != nil {
			return err // the page is gone
		}
		return drive.Tell(err)
	}
	return nil
}

// webAddress lets a model go anywhere in the web; the guard says where that is.
func webAddress(address string) error {
	_, err := parseTarget(address)
	return err
}

// undone tells of an error that it only says that the task wasn't done.
func undone(err error) bool {
	for _, known := range []error{drive.ErrGaveUp, toolloop.ErrSteps, toolloop.ErrStuck, toolloop.ErrTime} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
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

// tell hands a step to the caller.
func (r *InteractRequest) tell(step drive.Step) error {
	if r.OnStep != nil {
		r.OnStep(InteractStep(step))
	}
	return nil
}

// promptedNow makes the session's minutes cost what they cost with a model.
func (s *Session) promptedNow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record.Prompted = true
}

func (s *Session) resultOf(out drive.Outcome, failed error) *InteractResult {
	r := &InteractResult{
		Success: failed == nil, Output: out.Output, Stdout: out.Stdout, Result: &out.Snapshot.Text,
		Actions: out.Actions, Replayable: out.Complete, TokensUsed: out.Usage.Tokens(), ModelCost: out.Usage.Cost,
	}
	for _, step := range out.Steps {
		r.Steps = append(r.Steps, InteractStep(step))
	}
	if failed != nil {
		r.ExitCode, r.Stderr, r.Error = 1, failed.Error(), failed.Error()
		r.Killed = errors.Is(failed, toolloop.ErrTime)
	}
	return r
}
