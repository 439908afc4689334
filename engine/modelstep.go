package engine

import (
	"encoding/json"

	"github.com/winnow-go/winnow/actions"
)

// ModelStep is one step of a model: of an agent, in an "action" event, or of a prompt in a session, in
// [InteractResult]. It says what the model saw, what was done, and why.
//
// A step with Actions can be done again without a model: scrape its URL with them. For an "interact" of an agent they are those of all its
// parts, in order; there may be more than one scrape takes ([actions.MaxActions]).
type ModelStep struct {
	// Number counts from 1; Part counts the single steps on a page within a step of an agent, and is 0 for others. A plan and a
	// result of an agent have no number.
	Number int `json:"number"`
	Part   int `json:"part,omitempty"`
	// URL of the page that it was about; Digest stands for what the model saw of it, and Seen is its beginning.
	URL    string `json:"url,omitempty"`
	Digest string `json:"digest,omitempty"`
	Seen   string `json:"seen,omitempty"`
	// Tool on a page is "click", "type", "select", "press", "scroll", "wait", "extract", "goto" or "done"; of an agent it is "plan",
	// "search", "map", "scrape", "extract", "note", "interact", "done" or "result". Another is a mistake of the model's, with an
	// Error. Arguments and Why are the model's.
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Why       string          `json:"why,omitempty"`
	// Did says what was done; Error why it was not.
	Did   string `json:"did,omitempty"`
	Error string `json:"error,omitempty"`
	// Actions do the same on the page. Incomplete says that some of it can't be done so: in frames of other sites and shadow trees.
	Actions    []actions.Action `json:"actions,omitempty"`
	Incomplete bool             `json:"incomplete,omitempty"`
}

// interactStep is a step in the JSON of an [InteractResult]: the URL is always there, and Incomplete is called lost.
type interactStep struct {
	ModelStep
	URL     string `json:"url"`
	Partial bool   `json:"lost,omitempty"`
}

// plainResult is an InteractResult without its methods; its steps are written beside it.
type plainResult InteractResult

type interactResult struct {
	*plainResult
	Steps []interactStep `json:"steps,omitempty"`
}

// MarshalJSON writes a step's Incomplete as "lost".
func (r InteractResult) MarshalJSON() ([]byte, error) {
	plain := plainResult(r)
	return json.Marshal(interactResult{&plain, interactSteps(r.Steps)})
}

func interactSteps(steps []ModelStep) (list []interactStep) {
	for _, s := range steps {
		step := interactStep{ModelStep: s, URL: s.URL, Partial: s.Incomplete}
		step.Incomplete = false
		list = append(list, step)
	}
	return list
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *InteractResult) UnmarshalJSON(data []byte) error {
	in := interactResult{(*plainResult)(r), interactSteps(r.Steps)} // a result without steps leaves those that are there
	err := json.Unmarshal(data, &in)
	r.Steps = nil
	for _, s := range in.Steps {
		s.ModelStep.URL, s.Incomplete = s.URL, s.Partial
		r.Steps = append(r.Steps, s.ModelStep)
	}
	return err
}
