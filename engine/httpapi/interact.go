package httpapi

import (
	"context"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// interactBody is the answer to code and prompts. CDPURL is always empty.
type interactBody struct {
	Success   bool   `json:"success"`
	SessionID string `json:"sessionId"`
	CDPURL    string `json:"cdpUrl"`
	views
	Output   *string `json:"output,omitempty"`
	Stdout   string  `json:"stdout"`
	Result   *string `json:"result"`
	Stderr   string  `json:"stderr"`
	ExitCode int     `json:"exitCode"`
	Killed   bool    `json:"killed"`
	Error    string  `json:"error,omitempty"`
	Credits  int     `json:"creditsUsed"`
}

func interacted(r *engine.InteractResult, prompted bool) interactBody {
	b := interactBody{
		Success: r.Success, SessionID: r.SessionID, views: views{r.LiveViewURL, r.InteractiveLiveViewURL},
		Stdout: r.Stdout, Result: r.Result, Stderr: r.Stderr, ExitCode: r.ExitCode, Killed: r.Killed, Error: r.Error, Credits: r.Credits,
	}
	if prompted {
		b.Output = &r.Output
	}
	return b
}

// handleInteract is POST /v2/scrape/{id}/interact.
func handleInteract(c *call) error {
	var r engine.InteractRequest
	f := c.labels(decode.InteractFields(&r))
	if err := c.body(f); err != nil {
		return err
	}
	if (r.Code == "") == (r.Prompt == "") {
		return decode.Invalid("code", "want exactly one of code and prompt")
	}
	rec, err := c.record()
	if err != nil {
		return err
	}
	done, err := roomForScrape(c, rec.ID, r.Prompt != "")
	if err != nil {
		return err
	}
	defer done()
	result, err := work(c, "interact", func(ctx context.Context) (*engine.InteractResult, error) {
		return c.api.engine.Interact(ctx, rec.ID, r)
	})
	if err != nil {
		return err
	}
	return c.reply(interacted(result, r.Prompt != ""))
}

// roomForScrape counts the session of a scrape, which may have one already, and holds what a new one costs at least.
func roomForScrape(c *call, scrape string, prompted bool) (done func(), err error) {
	list, err := c.sessions(engine.SessionActive)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if s.Scrape == scrape {
			return func() {}, nil
		}
	}
	lowest := int64(sessionCredits)
	if prompted {
		lowest = promptedCredits
	}
	if err := c.credits.Reserve(c.r.Context(), lowest); err != nil {
		return nil, err
	}
	return c.roomForSession()
}

// handleStopInteract is DELETE /v2/scrape/{id}/interact.
func handleStopInteract(c *call) error {
	rec, err := c.record()
	if err != nil {
		return err
	}
	info, err := work(c, "stop interact", func(ctx context.Context) (engine.SessionInfo, error) {
		return c.api.engine.StopInteract(ctx, rec.ID)
	})
	if err != nil {
		return err
	}
	return c.reply(ended(info))
}

// handleExecute is POST /v2/browser/{id}/execute.
func handleExecute(c *call) error {
	var r engine.InteractRequest
	if err := c.body(c.labels(decode.CodeFields(&r))); err != nil {
		return err
	}
	if r.Code == "" {
		return decode.Required("code", "what to run")
	}
	id, err := c.id()
	if err != nil {
		return err
	}
	if _, err := c.session(id); err != nil {
		return err
	}
	s, err := c.api.engine.Session(c.r.Context(), id)
	if err != nil {
		return err
	}
	result, err := work(c, "execute", func(ctx context.Context) (*engine.InteractResult, error) { return s.Run(ctx, r) })
	if err != nil {
		return err
	}
	return c.reply(interacted(result, false))
}
