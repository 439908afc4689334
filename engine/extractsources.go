package engine

import (
	"context"
	"encoding/json"
)

// FieldSource is a page that a value comes from.
type FieldSource struct {
	URL string `json:"url"`
	// Quote of the page that holds the value, where Evidence was asked for.
	Quote string `json:"quote,omitempty"`
}

// Sources tells, for each value of an extraction's result, from which pages it comes: by
// JSON pointer (RFC 6901) into [Job.Result]. The page whose quote stands for the value is
// the first. It waits for the job's end. Nil without [ExtractOptions.ShowSources].
func (j *Job) Sources(ctx context.Context) (map[string][]FieldSource, error) {
	if _, err := j.Result(ctx); err != nil {
		return nil, err
	}
	kept, _, err := j.runner.Result(j.id)
	if err != nil || len(kept.More) == 0 || j.kind != KindExtract {
		return nil, err
	}
	var sources map[string][]FieldSource
	if err := json.Unmarshal(kept.More, &sources); err != nil {
		return nil, j.fail(ctx, err)
	}
	return sources, nil
}
