package engine

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// AgentStep is a step of an agent, as an "action" event carries it: what was to be seen, what was done, and why.
//
// A step with Actions can be done again without a model: scrape its URL with them. For an "interact" they are those of all its parts, in order;
// there may be more than one scrape takes ([actions.MaxActions]).
type AgentStep struct {
	// Number counts from 1; Part counts the single steps on a page within a step, and is 0 for others. A plan and a result have no
	// number.
	Number int `json:"number"`
	Part   int `json:"part,omitempty"`
	// URL of the page that it was about; Digest stands for what the model saw of it, and Seen is its beginning.
	URL    string `json:"url,omitempty"`
	Digest string `json:"digest,omitempty"`
	Seen   string `json:"seen,omitempty"`
	// Tool is "plan", "search", "map", "scrape", "extract", "note", "interact", "done", "result", or within an interact one on the page: "click",
	// "type", "select", "press", "scroll", "wait", "extract", "goto", "done". Another is a mistake of the model's, with an Error. Arguments and Why
	// are the model's.
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Why       string          `json:"why,omitempty"`
	// Did tells what was done; Error why it was not.
	Did   string `json:"did,omitempty"`
	Error string `json:"error,omitempty"`
	// Actions do the same on the page. Incomplete says that some of it can't be done so: in frames of other sites and shadow trees.
	Actions    []actions.Action `json:"actions,omitempty"`
	Incomplete bool             `json:"incomplete,omitempty"`
}

// Trace lists the steps of an agent so far, in order. It is empty for other jobs.
func (j *Job) Trace(ctx context.Context) ([]AgentStep, error) {
	var steps []AgentStep
	for e, err := range j.store.jobs.Past(ctx, j.id) {
		if err != nil {
			return nil, j.fail(ctx, err)
		}
		if e.Type != jobs.EventAction {
			continue
		}
		var s AgentStep
		if err := json.Unmarshal(e.Data, &s); err != nil {
			return nil, j.fail(ctx, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}
