package engine

import (
	"context"
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/extracting"
)

// ExtractJob is an extraction that [Engine.StartExtract] started. Safe for concurrent use.
type ExtractJob struct {
	*Job
	jobDocuments
}

func newExtractJob(j *Job) *ExtractJob { return &ExtractJob{Job: j, jobDocuments: jobDocuments{j}} }

// Result waits for the end of the extraction and returns its data, JSON by the schema that was given. A job that failed
// or was cancelled is an [*Error] with its code; beside it is the data that the job had kept until then, nil for none.
func (j *ExtractJob) Result(ctx context.Context) (json.RawMessage, error) {
	kept, err := j.result(ctx)
	return kept.Data, err
}

// InvalidURLs lists the texts that were left out because they are no web addresses.
func (j *ExtractJob) InvalidURLs(ctx context.Context) ([]string, error) { return j.invalidURLs(ctx) }

// FieldSource is a page that a value comes from.
type FieldSource struct {
	URL string `json:"url"`
	// Quote of the page that holds the value, with [ExtractOptions.Evidence].
	Quote string `json:"quote,omitempty"`
}

// Sources returns the pages that each value of the result comes from, by JSON pointer (RFC 6901) into
// [ExtractJob.Result]. The page whose quote stands for the value is the first. It waits for the job's end. Nil without
// [ExtractOptions.ShowSources].
func (j *ExtractJob) Sources(ctx context.Context) (map[string][]FieldSource, error) {
	kept, err := j.result(ctx)
	if err != nil || len(kept.More) == 0 {
		return nil, err
	}
	var sources map[string][]FieldSource
	if err := json.Unmarshal(kept.More, &sources); err != nil {
		return nil, j.fail(ctx, err)
	}
	return sources, nil
}

// URLTrace is what an extraction has done with a page.
type URLTrace struct {
	URL string `json:"url"`
	// From is "given", "map" or "search".
	From string `json:"from"`
	// Status is "read" (it gave data), "empty" (it holds nothing of it), "failed", or
	// "waiting": its turn hasn't come, or never came.
	Status string `json:"status"`
	// Code and Error of one that failed.
	Code  Code   `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// URLTrace lists what became of the pages so far, in the order in which they were chosen; more are chosen than are read.
func (j *ExtractJob) URLTrace(ctx context.Context) ([]URLTrace, error) {
	pages, err := extracting.Traces(ctx, j.runner, j.id)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	list := make([]URLTrace, len(pages))
	for i, p := range pages {
		list[i] = URLTrace{URL: p.URL, From: p.From, Status: p.Status, Code: Code(p.Code), Error: p.Error}
	}
	return list, nil
}
