package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/records"
	"github.com/winnow-go/winnow/engine/internal/sessions"
)

// Limits of the service for interacting.
const (
	maxCode         = 100_000 // characters
	maxPrompt       = 10_000
	defaultInteract = 30 * time.Second
	minInteract     = time.Second
	maxInteract     = 300 * time.Second
	maxPrompted     = 15 * time.Minute
	maxPromptSteps  = 25
)

// InteractRequest is code or a prompt, exactly one of them.
type InteractRequest struct {
	// Code that is run against the page, 1 to 100,000 characters.
	Code string
	// Prompt is a task for the model, 1 to 10,000 characters.
	Prompt string
	// Language of Code: "node", also when empty, "python" or "bash".
	Language string
	// Timeout, 1 s to 300 s, of the code, or of each of the model's steps. Zero is 30 s.
	Timeout time.Duration
	// MaxSteps of a prompt, 1 to 25. Zero is 25.
	MaxSteps int
	// MaxTokens that the model may use for a prompt. Zero is 500,000.
	MaxTokens int
	// OnStep is called after each step of a prompt, from the goroutine of the call. It must not use the session: calls,
	// Close included, wait for the prompt's end. If nil, no callback is made.
	OnStep func(ModelStep)
}

// InteractResult is what came of code or a prompt.
type InteractResult struct {
	// SessionID of the session that it ran in.
	SessionID string `json:"sessionId"`
	// Success: the code ended with exit code 0 and in time; the prompt's task is done.
	Success bool `json:"success"`
	// Output is the model's final answer; of a prompt alone.
	Output string `json:"output,omitempty"`
	// Stdout and Stderr of the code; of a prompt, what its steps gave.
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	// Result is the value of the last expression, or the last snapshot of the page. Nil: none.
	Result *string `json:"result"`
	// ExitCode; 0 is success. Killed says that the time was over.
	ExitCode int  `json:"exitCode"`
	Killed   bool `json:"killed"`
	// Error says why it failed.
	Error string `json:"error,omitempty"`
	// Steps of a prompt, and Actions that do the same without a model, as far as Replayable says so.
	Steps      []ModelStep      `json:"steps,omitempty"`
	Actions    []actions.Action `json:"actions,omitempty"`
	Replayable bool             `json:"replayable,omitempty"`
	// TokensUsed and ModelCost of a prompt.
	TokensUsed int     `json:"tokensUsed,omitempty"`
	ModelCost  float64 `json:"modelCost,omitempty"`
	// Credits that the session has cost so far.
	Credits int `json:"creditsUsed"`
	// LiveViewURL and InteractiveLiveViewURL are empty without [Options.LiveView].
	LiveViewURL            string `json:"liveViewUrl,omitempty"`
	InteractiveLiveViewURL string `json:"interactiveLiveViewUrl,omitempty"`
}

func (r *InteractRequest) check() error {
	switch code, prompt := utf8.RuneCountInString(r.Code), utf8.RuneCountInString(r.Prompt); {
	case (r.Code == "") == (r.Prompt == ""):
		return &OptionError{Field: "code, prompt", Value: fmt.Sprintf("%d and %d characters", code, prompt), Want: "exactly one of them"}
	case code > maxCode:
		return &OptionError{Field: "code", Value: fmt.Sprintf("%d characters", code), Want: fmt.Sprintf("1 to %d characters", maxCode)}
	case prompt > maxPrompt:
		return &OptionError{Field: "prompt", Value: fmt.Sprintf("%d characters", prompt), Want: fmt.Sprintf("1 to %d characters", maxPrompt)}
	}
	r.Timeout, r.Language = cmp.Or(r.Timeout, defaultInteract), cmp.Or(r.Language, "node")
	switch r.Language {
	case "node", "python", "bash":
	default:
		return &OptionError{Field: "language", Value: r.Language, Want: `"node", "python" or "bash"`}
	}
	if r.Timeout < minInteract || r.Timeout > maxInteract {
		return &OptionError{Field: "timeout", Value: r.Timeout, Want: fmt.Sprintf("%s to %s", minInteract, maxInteract)}
	}
	if r.MaxSteps = cmp.Or(r.MaxSteps, maxPromptSteps); r.MaxSteps < 1 || r.MaxSteps > maxPromptSteps {
		return &OptionError{Field: "maxSteps", Value: r.MaxSteps, Want: fmt.Sprintf("1 to %d", maxPromptSteps)}
	}
	if r.MaxTokens < 0 {
		return &OptionError{Field: "maxTokens", Value: r.MaxTokens, Want: fmt.Sprintf("1 or more, or 0 for %d", defaultTokens)}
	}
	return nil
}

// wholeTime is what all steps of a prompt may take.
func (r *InteractRequest) wholeTime() time.Duration {
	return min(r.Timeout*time.Duration(r.MaxSteps), maxPrompted)
}

// Interact goes on in the browser with a page that was scraped in the last 24 hours. The first call begins a session at the
// state in which the scrape left its page: URL, WaitFor, Actions and Profile are gone through again, headers, location
// and the like are not. Later calls find the page as the last one left it. Errors: [CodeNotFound] without such a
// scrape, as after one under zero data retention or lockdown, of which nothing is kept; [CodeReplay] when the page can't be
// led to that state again, which costs nothing; [CodeSessionDestroyed] once the session has ended, also by its TTL and with
// its engine; [CodeSessionLimit], [CodeNotConfigured], [CodeSessionFailed]. Code that fails is no error: see
// [InteractResult]. The owner isn't checked.
func (e *Engine) Interact(ctx context.Context, scrapeID string, r InteractRequest) (*InteractResult, error) {
	if err := r.check(); err != nil {
		return nil, failure(ctx, "interact", "", err)
	}
	if r.Prompt != "" {
		if err := e.mayAsk("a prompt", false); err != nil {
			return nil, failure(ctx, "interact", "", err)
		}
	}
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, failure(context.Background(), "interact", "", err)
	}
	defer done()
	s, err := e.sessionOf(ctx, scrapeID)
	if err != nil {
		return nil, failure(ctx, "interact", "", err)
	}
	return s.interact(ctx, r)
}

// interact runs code or a prompt.
func (s *Session) interact(ctx context.Context, r InteractRequest) (*InteractResult, error) {
	if r.Prompt != "" {
		return s.Ask(ctx, r)
	}
	return s.Run(ctx, r)
}

// StopInteract ends the session of a scrape.
func (e *Engine) StopInteract(ctx context.Context, scrapeID string) (SessionInfo, error) {
	var info sessions.Info
	err := e.manage(ctx, "interact", "", func(ctx context.Context) error {
		if _, err := e.stores.Records.Head(ctx, scrapeID); err != nil {
			return err
		}
		var err error
		info, err = e.sessions.Stop(scrapeID)
		return err
	})
	return SessionInfo(info), err
}

// sessionOf gives the session that goes on with a scrape, begun where there was none. Calls at the same time
// share one.
func (e *Engine) sessionOf(ctx context.Context, scrapeID string) (*Session, error) {
	record, err := e.stores.Records.Head(ctx, scrapeID)
	if err != nil {
		return nil, err
	}
	if record.Code != "" || record.Replay.URL == "" {
		return nil, &Error{Code: CodeReplay, Err: errors.New("the scrape failed, or what led to its page is not kept: scrape it again")}
	}
	s, err := e.sessions.Continue(ctx, scrapeID, func(ctx context.Context) (*sessions.Session, error) {
		return e.replay(ctx, record)
	})
	if err != nil {
		return nil, err
	}
	return &Session{engine: e, room: s}, nil
}

// replay begins a session and leads it to where the scrape left its page.
func (e *Engine) replay(ctx context.Context, r records.Record) (*sessions.Session, error) {
	request, err := e.sessionRequest(SessionOptions{Profile: (*Profile)(r.Replay.Profile), Owner: r.Owner})
	if err != nil {
		return nil, err
	}
	request.Scrape = r.ID
	s, err := e.sessions.Replay(ctx, request, sessions.Replay{URL: r.Replay.URL, WaitFor: r.Replay.WaitFor, Actions: r.Replay.Actions})
	if err != nil {
		return nil, replayError(ctx, err)
	}
	e.noteSession(ctx, s, "interact", r.Replay.URL)
	return s, nil
}
