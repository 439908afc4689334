package engine

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Trace lists the steps of an agent so far, in order. It is empty for other jobs.
func (j *Job) Trace(ctx context.Context) ([]ModelStep, error) {
	var steps []ModelStep
	for e, err := range j.runner.Records.Past(ctx, j.id) {
		if err != nil {
			return nil, j.fail(ctx, err)
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
