package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// CrawlOptions are those that the crawl goes by, defaults and what a model made of its prompt included. Of other
// jobs it is a [CodeNotFound] error.
func (j *Job) CrawlOptions(ctx context.Context) (CrawlOptions, error) {
	var p crawlParams
	err := j.asked(ctx, KindCrawl, &p)
	return p.Options, err
}

// AgentOptions are those that the agent goes by, defaults included. Of other jobs it is a [CodeNotFound] error.
func (j *Job) AgentOptions(ctx context.Context) (AgentOptions, error) {
	var o AgentOptions
	err := j.asked(ctx, KindAgent, &o)
	return o, err
}

// asked reads what a job of that kind was made with.
func (j *Job) asked(ctx context.Context, kind string, params any) error {
	if j.kind != kind {
		return &Error{Code: CodeNotFound, Op: j.kind, Err: errors.New("the job is of another kind")}
	}
	r, err := j.runner.Records.Get(ctx, j.id)
	if err != nil {
		return j.fail(ctx, err)
	}
	if err := json.Unmarshal(r.Params, params); err != nil {
		return j.fail(ctx, fmt.Errorf("parameters of the job: %w", err))
	}
	return nil
}
