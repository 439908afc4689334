package monitors

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/winnow-go/winnow/engine/monitor"
)

// MonitorCheck is a check in answers.
type MonitorCheck struct {
	ID            string                `json:"id"`
	MonitorID     string                `json:"monitorId"`
	Status        monitor.CheckStatus   `json:"status"`
	Trigger       string                `json:"trigger"`
	ScheduledFor  *time.Time            `json:"scheduledFor"`
	StartedAt     *time.Time            `json:"startedAt"`
	FinishedAt    *time.Time            `json:"finishedAt"`
	ActualCredits int                   `json:"actualCredits"`
	BillingStatus string                `json:"billingStatus"`
	Summary       monitor.Summary       `json:"summary"`
	TargetResults []MonitorTargetResult `json:"targetResults"`
	Error         *string               `json:"error"`
	CreatedAt     time.Time             `json:"createdAt"`
	UpdatedAt     time.Time             `json:"updatedAt"`
	Winnow        MonitorCheckWinnow    `json:"winnow"`
}

// MonitorCheckWinnow is what only this service says of a check.
type MonitorCheckWinnow struct {
	Missed   int    `json:"missed,omitempty"`
	Baseline bool   `json:"baseline,omitempty"`
	Digest   string `json:"digest,omitempty"`
}

// MonitorTargetResult is what became of a target.
type MonitorTargetResult struct {
	TargetID        string   `json:"targetId"`
	Type            string   `json:"type"`
	ExpectedJobs    []string `json:"expectedJobs,omitempty"` // of a scrape
	CrawlID         string   `json:"crawlId,omitempty"`
	SearchCompleted *bool    `json:"searchCompleted,omitempty"`
	ResultCount     *int     `json:"resultCount,omitempty"`
	Error           string   `json:"error,omitempty"`
}

// MonitorCheckDetail is a check with a part of its pages.
type MonitorCheckDetail struct {
	MonitorCheck
	Pages []MonitorPage `json:"pages"`
	Next  *string       `json:"next"`
}

// MonitorPage is what a check found of a page.
type MonitorPage struct {
	ID               string              `json:"id"`
	TargetID         string              `json:"targetId"`
	URL              string              `json:"url"`
	Status           monitor.PageStatus  `json:"status"`
	PreviousScrapeID *string             `json:"previousScrapeId"`
	CurrentScrapeID  *string             `json:"currentScrapeId"`
	StatusCode       *int                `json:"statusCode"`
	Error            *string             `json:"error"`
	Metadata         MonitorPageMetadata `json:"metadata"`
	Diff             *MonitorDiff        `json:"diff,omitempty"`
	Snapshot         *MonitorSnapshot    `json:"snapshot,omitempty"`
	Judgment         *monitor.Judgment   `json:"judgment,omitempty"`
	CreatedAt        time.Time           `json:"createdAt"`
	Winnow           *MonitorPageWinnow  `json:"winnow,omitempty"`
}

// MonitorPageMetadata describes the page.
type MonitorPageMetadata struct {
	Title string `json:"title,omitempty"`
}

// MonitorDiff is how a page differs.
type MonitorDiff struct {
	Text string          `json:"text,omitempty"`
	JSON json.RawMessage `json:"json,omitempty"`
}

// MonitorSnapshot is the data that was read from a page.
type MonitorSnapshot struct {
	JSON json.RawMessage `json:"json"`
}

// MonitorPageWinnow is what only this service says of a page.
type MonitorPageWinnow struct {
	Noise []string      `json:"noise,omitempty"`
	Boxes []monitor.Box `json:"boxes,omitempty"`
	Share float64       `json:"share,omitempty"`
}

// CheckOf is a check as an answer has it.
func CheckOf(c *monitor.Check) MonitorCheck {
	out := MonitorCheck{
		ID: c.ID, MonitorID: c.MonitorID, Status: c.Status, Trigger: c.Trigger, ScheduledFor: c.ScheduledFor, StartedAt: stamp(c.StartedAt),
		FinishedAt: c.FinishedAt, ActualCredits: c.Credits, BillingStatus: "reserved", Summary: c.Summary, TargetResults: []MonitorTargetResult{},
		Error: text(c.Error), CreatedAt: c.StartedAt.UTC(), UpdatedAt: c.StartedAt.UTC(),
		Winnow: MonitorCheckWinnow{Missed: c.Missed, Baseline: c.Baseline},
	}
	if c.FinishedAt != nil {
		out.BillingStatus, out.UpdatedAt = "confirmed", c.FinishedAt.UTC()
	}
	for _, t := range c.Targets {
		out.TargetResults = append(out.TargetResults, resultOf(t))
	}
	return out
}

func resultOf(t monitor.TargetResult) MonitorTargetResult {
	out := MonitorTargetResult{TargetID: t.TargetID, Type: t.Type, Error: t.Error}
	switch {
	case t.Type == monitor.Search:
		out.SearchCompleted, out.ResultCount = &t.Done, &t.Results
	case t.Type == monitor.Crawl && len(t.Jobs) > 0:
		out.CrawlID = t.Jobs[0]
	default:
		out.ExpectedJobs = t.Jobs
	}
	return out
}

// DetailOf is a check with pages as an answer has it. next is the URL of further pages; "": there are none.
func DetailOf(d *monitor.Detail, next string) MonitorCheckDetail {
	out := MonitorCheckDetail{MonitorCheck: CheckOf(&d.Check), Pages: []MonitorPage{}, Next: text(next)}
	out.Winnow.Digest = d.Digest
	for _, p := range d.Pages {
		out.Pages = append(out.Pages, PageOf(d.ID, p))
	}
	return out
}

// PageOf is a page of a check as an answer has it.
func PageOf(check string, p monitor.Page) MonitorPage {
	out := MonitorPage{
		ID: check + "-" + strconv.FormatUint(p.ID, 10), TargetID: p.TargetID, URL: p.URL, Status: p.Status, PreviousScrapeID: text(p.Previous),
		CurrentScrapeID: text(p.Current), Error: text(p.Error), Metadata: MonitorPageMetadata{p.Title}, Judgment: p.Judgment,
		CreatedAt: p.At.UTC(),
	}
	if p.StatusCode != 0 {
		out.StatusCode = &p.StatusCode
	}
	if len(p.JSON) > 0 {
		out.Snapshot = &MonitorSnapshot{p.JSON}
	}
	own := MonitorPageWinnow{Noise: p.Noise}
	if p.Diff != nil {
		own.Boxes, own.Share = p.Diff.Boxes, p.Diff.Share
		out.Diff = &MonitorDiff{p.Diff.Text, p.Diff.JSON}
	}
	if len(own.Noise)+len(own.Boxes) > 0 {
		out.Winnow = &own
	}
	return out
}
