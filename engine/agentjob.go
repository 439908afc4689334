package engine

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// AgentJob is an agent that [Engine.StartAgent] started. Safe for concurrent use.
type AgentJob struct{ *Job }

func newAgentJob(j *Job) *AgentJob { return &AgentJob{Job: j} }

// Result waits for the end of the agent and returns its result, JSON by the schema that was given. A job that failed or
// was cancelled is an [*Error] with its code; beside it is the result that the job had kept until then, nil for none.
func (j *AgentJob) Result(ctx context.Context) (json.RawMessage, error) {
	kept, err := j.result(ctx)
	return kept.Data, err
}

// AgentOptions returns the options of the agent, with defaults.
func (j *AgentJob) AgentOptions(ctx context.Context) (AgentOptions, error) {
	var o AgentOptions
	err := j.params(ctx, &o)
	return o, err
}

// Trace lists the steps of the agent so far, in order.
func (j *AgentJob) Trace(ctx context.Context) ([]ModelStep, error) {
	var steps []ModelStep
	for e, err := range j.Past(ctx) {
		if err != nil {
			return nil, err
		}
		if e.Type != jobs.EventAction {
			continue
		}
		var s ModelStep
		if err := json.Unmarshal(e.Data, &s); err != nil {
			return nil, j.fail(ctx, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}
