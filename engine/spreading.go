package engine

import (
	"encoding/json"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

// spreadCrawl is how a crawl is spread over a cluster.
func spreadCrawl(params []byte) (spread.Job, []crawl.Found, error) {
	var p crawlParams
	if err := json.Unmarshal(params, &p); err != nil {
		return spread.Job{}, nil, err
	}
	seeds, err := crawling.Seeds(p.task(1))
	return spread.Job{Limit: p.Options.Limit, Delay: p.Options.Delay, Active: p.Options.MaxConcurrency}, seeds, err
}
