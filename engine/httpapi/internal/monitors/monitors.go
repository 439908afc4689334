// Package monitors has the bodies of monitors and their checks as the service spells them. What that lacks stands in objects of the
// name winnow.
//
//   - monitors.go — [MonitorRecord], [Of]
//   - checks.go — [MonitorCheck], [MonitorPage], and what they are made of
package monitors

import (
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/monitor"
)

// MonitorRecord is a monitor in answers. Of its options what may be a secret is left out: the webhook's and its headers, headers and
// passwords.
type MonitorRecord struct {
	ID               string           `json:"id"`
	Name             string           `json:"name"`
	Status           monitor.Status   `json:"status"`
	Schedule         MonitorTimes     `json:"schedule"`
	NextRunAt        *time.Time       `json:"nextRunAt"`
	LastRunAt        *time.Time       `json:"lastRunAt"`
	CurrentCheckID   *string          `json:"currentCheckId"`
	Targets          []WatchedTarget  `json:"targets"`
	Webhook          *MonitorWebhook  `json:"webhook,omitempty"`
	RetentionDays    int              `json:"retentionDays"`
	LastCheckSummary *monitor.Summary `json:"lastCheckSummary,omitempty"`
	Goal             *string          `json:"goal"`
	JudgeEnabled     bool             `json:"judgeEnabled"`
	CreatedAt        time.Time        `json:"createdAt"`
	UpdatedAt        time.Time        `json:"updatedAt"`
	Winnow           *MonitorTiming   `json:"winnow,omitempty"`
}

// MonitorWebhook is where events are sent, without secret and headers.
type MonitorWebhook struct {
	URL      string            `json:"url"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Events   []string          `json:"events,omitempty"`
}

func hookOf(w *engine.Webhook) *MonitorWebhook {
	if w == nil {
		return nil
	}
	return &MonitorWebhook{w.URL, w.Metadata, w.Events}
}

// MonitorTimes says when a monitor runs.
type MonitorTimes struct {
	Cron     string `json:"cron,omitempty"`
	Text     string `json:"text,omitempty"`
	Timezone string `json:"timezone"`
}

// MonitorTiming is what only this service has of a schedule, in milliseconds.
type MonitorTiming struct {
	Interval int64 `json:"interval,omitempty"`
	Jitter   int64 `json:"jitter,omitempty"`
}

// WatchedTarget is what a monitor watches.
type WatchedTarget struct {
	ID             string          `json:"id"`
	Type           string          `json:"type"`
	URLs           []string        `json:"urls,omitempty"`
	URL            string          `json:"url,omitempty"`
	Queries        []string        `json:"queries,omitempty"`
	SearchWindow   string          `json:"searchWindow,omitempty"`
	IncludeDomains []string        `json:"includeDomains,omitempty"`
	ExcludeDomains []string        `json:"excludeDomains,omitempty"`
	MaxResults     int             `json:"maxResults,omitempty"`
	ScrapeOptions  json.RawMessage `json:"scrapeOptions,omitempty"`
	CrawlOptions   json.RawMessage `json:"crawlOptions,omitempty"`
	Winnow         *monitor.Watch  `json:"winnow,omitempty"`
}

// Options spell the options of a target as requests do.
type Options func(t engine.MonitorTarget) (scrape, crawl any)

// Of is a monitor as an answer has it.
func Of(m *engine.Monitor, options Options) (MonitorRecord, error) {
	s := m.Schedule
	out := MonitorRecord{
		ID: m.ID, Name: m.Name, Status: m.Status, Schedule: MonitorTimes{s.Cron, s.Text, s.Timezone}, NextRunAt: stamp(m.NextRunAt),
		LastRunAt: stamp(m.LastRunAt), CurrentCheckID: text(m.CurrentCheckID), Targets: []WatchedTarget{}, Webhook: hookOf(m.Webhook),
		RetentionDays: m.RetentionDays, LastCheckSummary: m.LastSummary, Goal: text(m.Goal),
		JudgeEnabled: m.Goal != "" && (m.Judge == nil || *m.Judge),
		CreatedAt:    m.CreatedAt.UTC(), UpdatedAt: m.UpdatedAt.UTC(),
	}
	if out.Schedule.Timezone == "" {
		out.Schedule.Timezone = "UTC"
	}
	if m.Status == monitor.Paused {
		out.NextRunAt = nil
	}
	if s.Every != 0 || s.Jitter != 0 {
		out.Winnow = &MonitorTiming{s.Every.Milliseconds(), s.Jitter.Milliseconds()}
	}
	for _, t := range m.Targets {
		one, err := targetOf(t, options)
		if err != nil {
			return out, err
		}
		out.Targets = append(out.Targets, one)
	}
	return out, nil
}

func targetOf(t engine.MonitorTarget, options Options) (out WatchedTarget, err error) {
	out = WatchedTarget{
		ID: t.ID, Type: t.Type, URLs: t.URLs, URL: t.URL, Queries: t.Queries, SearchWindow: t.Window, IncludeDomains: t.IncludeDomains,
		ExcludeDomains: t.ExcludeDomains, MaxResults: t.MaxResults,
	}
	if w := t.Watch; len(w.Parts) > 0 || w.Picture || w.IgnoreNoise != nil {
		out.Winnow = &w
	}
	scrape, crawl := options(t)
	if t.Type != monitor.Search {
		if out.ScrapeOptions, err = json.Marshal(scrape); err != nil {
			return out, err
		}
	}
	if t.Type == monitor.Crawl {
		out.CrawlOptions, err = json.Marshal(crawl)
	}
	return out, err
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func stamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
