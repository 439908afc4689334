package httpapi

import (
	"slices"
	"time"
)

// Limits say how much a key may ask for. The zero value sets none, and allows no zero data retention.
type Limits struct {
	// Rates by endpoint; one that isn't named has none.
	Rates map[Endpoint]Rate
	// Credits that the key's team may use, in all. Zero: no limit. A request begins only when what it will cost, by its options,
	// is left beside what the team has reserved for what is running; jobs are cut to it. Only unpredictable costs go beyond: further pages of
	// a PDF, the enhanced proxy where plain ones fail, the further minutes of sessions. Checks of monitors are bounded by it as requests
	// are, where a team's keys differ by the largest: a target that can't be paid is not fetched, which the check says as an error.
	Credits int64
	// Sessions of a browser that the key's team may have at once. Zero: as many as the engine allows.
	Sessions int
	// Pages that the requests of the key's team may work on at once, beside jobs; further ones are queued.
	// It also bounds the concurrency of each job. Zero: no limit but the engine's.
	Pages int
	// Streams that the key's team may have at once: each follows a job over a WebSocket. Zero: 20.
	Streams int
	// ZeroDataRetention lets requests ask for it, where the engine allows it too.
	ZeroDataRetention bool
}

// Rate is how many requests may begin within a window of time.
type Rate struct {
	// Requests, 1 or more.
	Requests int
	// Window begins with the first request after the last one. Zero is a minute.
	Window time.Duration
}

// Endpoint is what a rate is counted for: routes that cost alike.
type Endpoint string

// The endpoints. EndpointStatus stands for all that only reads, lists, cancels or ends.
const (
	EndpointScrape  Endpoint = "scrape"
	EndpointParse   Endpoint = "parse"
	EndpointBatch   Endpoint = "batch_scrape"
	EndpointCrawl   Endpoint = "crawl"
	EndpointMap     Endpoint = "map"
	EndpointSearch  Endpoint = "search"
	EndpointExtract Endpoint = "extract"
	EndpointAgent   Endpoint = "agent"
	EndpointBrowser Endpoint = "browser"
	EndpointExecute Endpoint = "execute" // code and prompts, in sessions and on scrapes
	EndpointStatus  Endpoint = "status"
)

func (e Endpoint) known() bool {
	return slices.Contains([]Endpoint{
		EndpointScrape, EndpointParse, EndpointBatch, EndpointCrawl, EndpointMap, EndpointSearch, EndpointExtract, EndpointAgent,
		EndpointBrowser, EndpointExecute, EndpointStatus,
	}, e)
}

// windows are the units of rates in a file of keys.
var windows = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
