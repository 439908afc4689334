package monitor

import (
	"encoding/json"
	"time"
)

// CheckStatus is how a check stands.
type CheckStatus string

// The states of checks.
const (
	Running   CheckStatus = "running"
	Completed CheckStatus = "completed" // every page was compared
	Partial   CheckStatus = "partial"   // some pages or targets failed
	Failed    CheckStatus = "failed"    // all did, or the check was cancelled
)

// Final reports whether a check has ended.
func (s CheckStatus) Final() bool { return s != Running }

// What a check was started by.
const (
	Scheduled = "scheduled"
	Manual    = "manual"
)

// Check is one run of a monitor.
type Check struct {
	// ID is a UUIDv7, and the id of the job that carries the check.
	ID        string      `json:"id"`
	MonitorID string      `json:"monitorId"`
	Status    CheckStatus `json:"status"`
	// Trigger is [Scheduled] or [Manual].
	Trigger string `json:"trigger"`
	// ScheduledFor is the time of the schedule that the check stands for, without the jitter: no two checks of a monitor have the same.
	// Nil for a manual one.
	ScheduledFor *time.Time `json:"scheduledFor,omitempty"`
	// Missed is how many earlier times of the schedule the check stands for too, since no engine ran or the last check was running; at
	// most 1000.
	Missed int `json:"missed,omitempty"`
	// StartedAt, and FinishedAt once it has ended.
	StartedAt  time.Time  `json:"startedAt"`
	FinishedAt *time.Time `json:"finishedAt,omitempty"`
	// Credits that its pages, searches and judgments cost so far.
	Credits int `json:"credits"`
	// Baseline is set where that is so of all targets.
	Baseline bool `json:"baseline,omitempty"`
	// Summary of the pages so far.
	Summary Summary `json:"summary"`
	// Targets are what became of each.
	Targets []TargetResult `json:"targets,omitempty"`
	// Error says why the check, or a target of it, has failed.
	Error string `json:"error,omitempty"`
}

// Detail is a check with a part of its pages.
type Detail struct {
	Check
	Pages []Page `json:"pages"`
	// More: there are further pages of the query.
	More bool `json:"more,omitempty"`
	// Digest is the check in a few lines.
	Digest string `json:"digest"`
}

// Query says which pages of a check are read.
type Query struct {
	// Status of the pages. Empty: any.
	Status PageStatus
	// Skip leaves out the first of them; Limit is 1 to 1000, 0 for 100.
	Skip, Limit int
}

// TargetResult is what became of a target in a check.
type TargetResult struct {
	TargetID string `json:"targetId"`
	// Type is [Scrape], [Crawl] or [Search].
	Type string `json:"type"`
	// Jobs that fetched the pages; the engine knows them for a day.
	Jobs []string `json:"jobs,omitempty"`
	// Results that a search has given.
	Results int `json:"results,omitempty"`
	// Baseline is set where no earlier check has seen anything of the target: all pages are new, and none is reported as a change. A search
	// that found nothing has been seen, and a page that its site said is not there.
	Baseline bool `json:"baseline,omitempty"`
	// Done: the target was gone through.
	Done bool `json:"done"`
	// Error says why not.
	Error string `json:"error,omitempty"`
}

// PageStatus is what a check found of a page.
type PageStatus string

// What a check finds. A wall, an answer of an error, a short page that is headed as an error in English ("Internal Server Error", "Page
// not found"), an empty or incomplete page is [Error]: what was known of the page stays, and the next check compares with that. A page of
// a scrape that is new is a change only if its site said before that it is not there; one of a crawl or search if an earlier check has
// seen the target.
const (
	Same    PageStatus = "same"
	New     PageStatus = "new"     // seen for the first time, or again after it was removed
	Changed PageStatus = "changed" // what counts of it is another
	Removed PageStatus = "removed" // it was known, and its site says that it is gone (404, 410); reported once
	Error   PageStatus = "error"
)

// Page is what a check found of a page.
type Page struct {
	// ID within the check, from 1.
	ID       uint64     `json:"id"`
	TargetID string     `json:"targetId"`
	URL      string     `json:"url"`
	Status   PageStatus `json:"status"`
	// Previous and Current are the ids of the scrapes that were compared, which the engine knows for a day; "" for none.
	Previous string `json:"previousScrapeId,omitempty"`
	Current  string `json:"currentScrapeId,omitempty"`
	// StatusCode is the HTTP status; 0: there was no answer.
	StatusCode int `json:"statusCode,omitempty"`
	// Error says why the page could not be compared.
	Error string `json:"error,omitempty"`
	// Title of the page.
	Title string `json:"title,omitempty"`
	// Diff of a page that has changed.
	Diff *Diff `json:"diff,omitempty"`
	// JSON is what was read from the page by a schema; nil without one.
	JSON json.RawMessage `json:"json,omitempty"`
	// Noise that was passed over, in words; at most 100.
	Noise []string `json:"noise,omitempty"`
	// Judgment of the change by the monitor's goal; nil: there is no goal, or nothing to judge.
	Judgment *Judgment `json:"judgment,omitempty"`
	// At is when it was compared.
	At time.Time `json:"at"`
}

// Notable reports whether the page is a change to report: new, changed or removed, and not judged to be without meaning for the goal.
func (p *Page) Notable() bool {
	if p.Judgment != nil && !p.Judgment.Meaningful {
		return false
	}
	return p.Status == New || p.Status == Changed || p.Status == Removed
}

// Diff is how a page differs.
type Diff struct {
	// Text is a unified diff of the text; empty where only the data or the picture has changed. One of more than 256 KiB is cut, which its
	// last line says.
	Text string `json:"text,omitempty"`
	// JSON has previous and current by field where data was read by a schema, else the parsed form of Text.
	JSON json.RawMessage `json:"json,omitempty"`
	// Boxes of the picture that differ or have moved, in pixels of the current one, at most 100; Share of its area that differs, 0 to 1: what
	// has only moved is no part of it.
	Boxes []Box   `json:"boxes,omitempty"`
	Share float64 `json:"share,omitempty"`
}

// Box is a part of a picture, in pixels from its top left corner.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
	// From is where the same was in the previous picture; nil: it was nowhere.
	From *Box `json:"from,omitempty"`
}

// Judgment is what a model says of a change by the monitor's goal.
type Judgment struct {
	Meaningful bool `json:"meaningful"`
	// Confidence is "high", "medium" or "low".
	Confidence string `json:"confidence"`
	Reason     string `json:"reason"`
	// Changes that matter.
	Changes []Finding `json:"meaningfulChanges"`
}

// Finding is a change that matters to a goal.
type Finding struct {
	// Type is "added", "removed" or "changed".
	Type   string  `json:"type"`
	Before *string `json:"before"`
	After  *string `json:"after"`
	Reason string  `json:"reason"`
}

// Change is a page that is new, changed or removed, as the log of a monitor has it.
type Change struct {
	// Seq numbers the changes of a monitor from 1, upwards.
	Seq       uint64 `json:"seq"`
	MonitorID string `json:"monitorId"`
	CheckID   string `json:"checkId"`
	Page
}

// Noise is a rule by which differences of pages are passed over.
type Noise struct {
	TargetID string `json:"targetId"`
	// Pages is the form of address that the rule is known for: a host and a path in which "*" stands for what differs from page to page.
	Pages string `json:"pages"`
	// Rule is its id, by which it is taken back.
	Rule string `json:"rule"`
	Kind string `json:"kind"`
	// Words say what it takes for noise; Example is what it took last.
	Words   string `json:"words"`
	Example string `json:"example,omitempty"`
	// Count of the differences that it took for noise.
	Count int `json:"count"`
	// Learnt: it isn't built in. TakenBack: it doesn't apply any more.
	Learnt    bool `json:"learnt,omitempty"`
	TakenBack bool `json:"takenBack,omitempty"`
}
