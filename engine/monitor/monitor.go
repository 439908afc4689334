// Package monitor has what monitors are described by and what they find: when they run, the checks they have made, the pages of a check,
// and the changes. The engine makes, runs and keeps monitors: see engine.Engine.CreateMonitor. This package fetches and keeps nothing;
// its JSON is that of the service.
//
//   - monitor.go — [Schedule], [Target], [Watch], [Summary]
//   - check.go — [Check], [Detail], [Page], [Diff], [Judgment], [Change], [Noise]
//   - limits.go — [Reserve]: what checks may use
//   - feed.go — [WriteAtom], [WriteNDJSON]: changes for readers
//   - digest.go — [Digest]: a check in a few lines
package monitor

import "time"

// Schedule says when a monitor runs. Exactly one of Cron, Text and Every is given; a monitor that was created by Text has Cron too
// where cron can say the same, else Every.
type Schedule struct {
	// Cron has the five fields minute, hour, day of month, month and day of week, with the usual names, lists, ranges and steps. An hour
	// that is fixed runs once a day where clocks change: at a time that occurs twice the first time, at one that is left out as much
	// later.
	Cron string `json:"cron,omitempty"`
	// Text is in English words: "hourly", "every 2 hours", "daily at 9:00", "weekdays at 8:30", "every monday and friday at 6pm".
	Text string `json:"text,omitempty"`
	// Timezone is an IANA name, such as Europe/Berlin. Empty is UTC.
	Timezone string `json:"timezone,omitempty"`
	// Every is a fixed interval from when the schedule was set, at least a minute.
	Every time.Duration `json:"every,omitempty"`
	// Jitter delays each run by up to this much, at most 24 hours and less than the time between two runs; how much is drawn from the
	// monitor and the run. Zero: none.
	Jitter time.Duration `json:"jitter,omitempty"`
}

// Status is whether a monitor runs.
type Status string

// The states of monitors.
const (
	Active Status = "active"
	Paused Status = "paused" // it runs only when that is requested
)

// Kinds of targets.
const (
	Scrape = "scrape"
	Crawl  = "crawl"
	Search = "search"
)

// Target is what a monitor watches: pages, a site, or what searches find.
type Target struct {
	// ID keeps what is known of the target's pages apart; at most 256 bytes. Empty when a monitor is created or changed: one is made.
	ID string `json:"id,omitempty"`
	// Type is [Scrape], [Crawl] or [Search]. Empty: by which of URLs, URL and Queries is given.
	Type string `json:"type"`
	// URLs of pages, 1 to 1000, of a scrape.
	URLs []string `json:"urls,omitempty"`
	// URL is the seed of a crawl. A page that was known and that a crawl doesn't come to is fetched by itself: it is removed when its site
	// says so.
	URL string `json:"url,omitempty"`
	// Queries of a search, 1 to 50. Each result that was not found before is new, by its address without tracking parameters and session
	// ids; one that is found no more is nothing, and if it is found again, new only after as many days as checks are kept.
	Queries []string `json:"queries,omitempty"`
	// Window is how old results may be: "5m", "15m", "1h", "6h", "24h" or "7d". Providers know hours, days and weeks: the next longer of
	// these is searched. Empty: any age.
	Window string `json:"searchWindow,omitempty"`
	// IncludeDomains, or ExcludeDomains, but not both, narrow a search.
	IncludeDomains []string `json:"includeDomains,omitempty"`
	ExcludeDomains []string `json:"excludeDomains,omitempty"`
	// MaxResults of each query, 1 to 100. Zero is 10.
	MaxResults int `json:"maxResults,omitempty"`
	// Watch says which part of the pages counts.
	Watch Watch `json:"watch,omitzero"`
}

// Watch says which part of a target's pages counts. The zero value is the text of their main content.
type Watch struct {
	// Parts are CSS selectors: only the text of what they match counts. A page in which nothing matches is an error, no change. At most 50.
	Parts []string `json:"parts,omitempty"`
	// Picture compares what the pages look like, by a screenshot of the whole page in a browser, beside their text.
	Picture bool `json:"picture,omitempty"`
	// IgnoreNoise is whether what varies without meaning ("2 days ago", counters, ads, order, tokens) is learnt and passed over. While
	// a page is new, and where something has begun to vary again and again, a change of nothing but numbers, times or dates is held back
	// (Noise of the page says so) until it shows to be noise, or was quiet for three checks: then it is reported, that much late. Money,
	// stocks, versions and dates of events are reported at once. Nil is true.
	IgnoreNoise *bool `json:"ignoreNoise,omitempty"`
}

// Summary counts the pages of a check.
type Summary struct {
	TotalPages int `json:"totalPages"`
	Same       int `json:"same"`
	Changed    int `json:"changed"`
	New        int `json:"new"`
	Removed    int `json:"removed"`
	Error      int `json:"error"`
}

// Count adds a page.
func (s *Summary) Count(p PageStatus) {
	s.TotalPages++
	switch p {
	case Same:
		s.Same++
	case Changed:
		s.Changed++
	case New:
		s.New++
	case Removed:
		s.Removed++
	default:
		s.Error++
	}
}
