package httpapi

import (
	"cmp"
	"iter"
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
		one := activityItem{ID: a.ID, Endpoint: a.Endpoint, APIVersion: cmp.Or(a.Labels.Version, "v2"), CreatedAt: stamp(a.CreatedAt)}
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

// creditHistory is GET /v2/team/credit-usage/historical.
func (c *call) creditHistory() error {
	used, err := c.usage()
	if err != nil {
		return err
	}
	periods := []period{}
	for m, credits := range byMonth(used.Days, func(d engine.DayUsage) int64 { return d.Credits }) {
		periods = append(periods, period{m.start, m.end, credits})
	}
	return c.reply(periodsBody{true, periods})
}

// month is one of a calendar, in UTC.
type month struct{ start, end string }

// byMonth gives the sum of what is used of each month, oldest first, without months of nothing.
func byMonth(days []engine.DayUsage, used func(engine.DayUsage) int64) iter.Seq2[month, int64] {
	return func(yield func(month, int64) bool) {
		for len(days) > 0 {
			first, n, sum := days[0].Day, 0, int64(0)
			for ; n < len(days) && days[n].Day[:len("2006-01")] == first[:len("2006-01")]; n++ {
				sum += used(days[n])
			}
			if sum > 0 && !yield(monthOf(first), sum) {
				return
			}
			days = days[n:]
		}
	}
}

func monthOf(day string) month {
	at, _ := time.Parse("2006-01", day[:len("2006-01")]) // the engine's own spelling
	return month{at.Format(time.RFC3339), at.AddDate(0, 1, 0).Format(time.RFC3339)}
}

// tokenUsageBody tells what is left of the team's tokens.
type tokenUsageBody struct {
	Success bool `json:"success"`
	Data    struct {
		RemainingTokens    int64      `json:"remainingTokens"`
		PlanTokens         int64      `json:"planTokens"`
		BillingPeriodStart *time.Time `json:"billingPeriodStart"`
		BillingPeriodEnd   *time.Time `json:"billingPeriodEnd"`
	} `json:"data"`
}

// tokenUsage is GET /v2/team/token-usage. Tokens of language models are counted but have no limit: both numbers are 2^53−1.
func (c *call) tokenUsage() error {
	body := tokenUsageBody{Success: true}
	body.Data.RemainingTokens, body.Data.PlanTokens = noLimit, noLimit
	return c.reply(body)
}

// tokenPeriod is what models read and wrote for the team in one month.
type tokenPeriod struct {
	StartDate  string `json:"startDate"`
	EndDate    string `json:"endDate"`
	TokensUsed int64  `json:"tokensUsed"`
}

// tokenPeriodsBody tells that month by month.
type tokenPeriodsBody struct {
	Success bool          `json:"success"`
	Periods []tokenPeriod `json:"periods"`
}

// tokenHistory is GET /v2/team/token-usage/historical.
func (c *call) tokenHistory() error {
	used, err := c.usage()
	if err != nil {
		return err
	}
	periods := []tokenPeriod{}
	for m, tokens := range byMonth(used.Days, func(d engine.DayUsage) int64 { return d.Tokens }) {
		periods = append(periods, tokenPeriod{m.start, m.end, tokens})
	}
	return c.reply(tokenPeriodsBody{true, periods})
}

// usage is what the team has used. What single keys used isn't kept.
func (c *call) usage() (engine.Usage, error) {
	if by := c.r.URL.Query().Get("byApiKey"); by != "" && by != "false" {
		return engine.Usage{}, invalid("byApiKey", "not supported")
	}
	return c.api.engine.Usage(c.r.Context(), c.team)
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

// queueStatus is GET /v2/team/queue-status.
func (c *call) queueStatus() error {
	l, err := c.load()
	if err != nil {
		return err
	}
	recent, err := c.recentSuccess()
	if err != nil {
		return err
	}
	return c.reply(queueBody{true, l.active + l.waiting, l.active, l.waiting, c.mostPages(), recent})
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

// mostPages that the team may have at work at once.
func (c *call) mostPages() int {
	most := c.api.engine.MaxPages()
	if c.limits.Pages > 0 {
		most = min(most, c.limits.Pages)
	}
	return most
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
	return c.reply(concurrencyBody{true, l.active, c.mostPages()})
}
