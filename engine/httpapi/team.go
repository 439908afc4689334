package httpapi

import (
	"strconv"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// activityEndpoints can be asked for by name. Those that this service hasn't have no requests.
var activityEndpoints = map[string]bool{
	"scrape": true, "crawl": true, "batch_scrape": true, "search": true, "extract": true, "llmstxt": true, "deep_research": true,
	"map": true, "agent": true, "browser": true, "interact": true,
}

const (
	defaultActivity = 50
	mostActivity    = 100
)

// activityItem is one request of the last 24 hours.
type activityItem struct {
	ID         string     `json:"id"`
	Endpoint   string     `json:"endpoint"`
	APIVersion string     `json:"api_version"`
	CreatedAt  *time.Time `json:"created_at"`
	Target     *string    `json:"target"`
}

// activityBody is a page of them; Cursor leads to the next one, and is nil on the last.
type activityBody struct {
	Success bool           `json:"success"`
	Data    []activityItem `json:"data"`
	Cursor  *string        `json:"cursor"`
	HasMore bool           `json:"has_more"`
}

// activity is GET /v2/team/activity.
func (c *call) activity() error {
	q := c.r.URL.Query()
	endpoint := q.Get("endpoint")
	if endpoint != "" && !activityEndpoints[endpoint] {
		return invalid("endpoint", "no such endpoint")
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit < 1 {
		limit = defaultActivity
	}
	query := engine.ActivityQuery{Owner: &c.team, Endpoint: endpoint, Cursor: q.Get("cursor"), Limit: min(limit, mostActivity)}
	found, next, err := c.api.engine.Activity(c.r.Context(), query)
	if err != nil {
		return err
	}
	body := activityBody{Success: true, Data: []activityItem{}, HasMore: next != ""}
	for _, a := range found {
		one := activityItem{ID: a.ID, Endpoint: a.Endpoint, APIVersion: "v2", CreatedAt: stamp(a.CreatedAt)}
		if a.Target != "" {
			one.Target = &a.Target
		}
		body.Data = append(body.Data, one)
	}
	if next != "" {
		body.Cursor = &next
	}
	return c.reply(body)
}

// usageBody tells what is left of the team's credits.
type usageBody struct {
	Success bool `json:"success"`
	Data    struct {
		RemainingCredits   int64      `json:"remainingCredits"`
		PlanCredits        int64      `json:"planCredits"`
		BillingPeriodStart *time.Time `json:"billingPeriodStart"`
		BillingPeriodEnd   *time.Time `json:"billingPeriodEnd"`
	} `json:"data"`
}

// creditUsage is GET /v2/team/credit-usage. Without a limit both numbers are 2^53−1. Credits are granted once, so there is no
// billing period.
func (c *call) creditUsage() error {
	left, err := c.remaining()
	if err != nil {
		return err
	}
	plan := c.limits.Credits
	if plan == 0 {
		plan = noLimit
	}
	body := usageBody{Success: true}
	body.Data.RemainingCredits, body.Data.PlanCredits = left, plan
	return c.reply(body)
}

// period is what was used in one month, in UTC.
type period struct {
	StartDate   string `json:"startDate"`
	EndDate     string `json:"endDate"`
	CreditsUsed int64  `json:"creditsUsed"`
}

// periodsBody tells what the team used, month by month.
type periodsBody struct {
	Success bool     `json:"success"`
	Periods []period `json:"periods"`
}

// creditHistory is GET /v2/team/credit-usage/historical. What single keys used isn't kept.
func (c *call) creditHistory() error {
	if by := c.r.URL.Query().Get("byApiKey"); by != "" && by != "false" {
		return invalid("byApiKey", "not supported")
	}
	used, err := c.api.engine.Usage(c.r.Context(), c.team)
	if err != nil {
		return err
	}
	periods := []period{}
	for _, day := range used.Days {
		at, err := time.Parse(time.DateOnly, day.Day)
		if err != nil {
			return err
		}
		first := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
		start := first.Format(time.RFC3339)
		if n := len(periods); n == 0 || periods[n-1].StartDate != start {
			periods = append(periods, period{StartDate: start, EndDate: first.AddDate(0, 1, 0).Format(time.RFC3339)})
		}
		periods[len(periods)-1].CreditsUsed += day.Credits
	}
	return c.reply(periodsBody{true, periods})
}

// load is what the team has at work and in line.
type load struct{ active, waiting int }

func (c *call) load() (load, error) {
	jobs, err := c.ofTeam(true, "")
	if err != nil {
		return load{}, err
	}
	l := load{active: c.api.teams.pages(c.team)}
	for _, job := range jobs {
		s, err := job.Status(c.r.Context())
		if err != nil {
			return load{}, err
		}
		l.active += int(s.Progress.Active)
		l.waiting += int(s.Progress.Queued)
	}
	return l, nil
}

// queueBody tells what the team has at work and in line. MostRecentSuccess is nil where no job was completed.
type queueBody struct {
	Success            bool       `json:"success"`
	JobsInQueue        int        `json:"jobsInQueue"`
	ActiveJobsInQueue  int        `json:"activeJobsInQueue"`
	WaitingJobsInQueue int        `json:"waitingJobsInQueue"`
	MaxConcurrency     int        `json:"maxConcurrency"`
	MostRecentSuccess  *time.Time `json:"mostRecentSuccess"`
}

// queueStatus is GET /v2/team/queue-status. maxConcurrency is 0 where the key has no limit of its own.
func (c *call) queueStatus() error {
	l, err := c.load()
	if err != nil {
		return err
	}
	recent, err := c.recentSuccess()
	if err != nil {
		return err
	}
	return c.reply(queueBody{true, l.active + l.waiting, l.active, l.waiting, c.limits.Pages, recent})
}

// recentSuccess is when the team's last job was completed; nil: there is none.
func (c *call) recentSuccess() (*time.Time, error) {
	jobs, err := c.ofTeam(false, "")
	if err != nil {
		return nil, err
	}
	var recent time.Time
	for _, job := range jobs[:min(len(jobs), mostListed)] {
		s, err := job.Status(c.r.Context())
		if err != nil {
			return nil, err
		}
		if s.State == engine.JobCompleted && s.CompletedAt.After(recent) {
			recent = s.CompletedAt
		}
	}
	return stamp(recent), nil
}

// concurrencyBody tells how many of the team's pages are at work.
type concurrencyBody struct {
	Success        bool `json:"success"`
	Concurrency    int  `json:"concurrency"`
	MaxConcurrency int  `json:"maxConcurrency"`
}

// concurrency is GET /v2/concurrency-check.
func (c *call) concurrency() error {
	l, err := c.load()
	if err != nil {
		return err
	}
	return c.reply(concurrencyBody{true, l.active, c.limits.Pages})
}
