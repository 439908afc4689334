package engine

import (
	"encoding/json"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/batching"
	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

// spreadCrawl is how a crawl is spread over a cluster.
func spreadCrawl(n jobs.New) (spread.Job, []crawl.Found, error) {
	var p crawlParams
	if err := json.Unmarshal(n.Params, &p); err != nil {
		return spread.Job{}, nil, err
	}
	seeds, err := crawling.Seeds(p.task(1))
	return spread.Job{Limit: p.Options.Limit, Delay: p.Options.Delay, Active: p.Options.MaxConcurrency}, seeds, err
}

// spreadBatch is how a batch is, whose URLs are beside its parameters.
func spreadBatch(n jobs.New) (spread.Job, []crawl.Found, error) {
	var p batchParams
	if err := json.Unmarshal(n.Params, &p); err != nil {
		return spread.Job{}, nil, err
	}
	seeds, err := batching.Seeds(n.With.([]string))
	return spread.Job{Limit: batching.MaxLine, Active: p.Options.MaxConcurrency}, seeds, err
}
