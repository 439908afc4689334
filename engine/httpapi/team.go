package httpapi

import (
	"cmp"
	"iter"
	"strconv"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// activityEndpoints can be selected by name. Those that do not exist here have no requests.
var activityEndpoints = map[string]bool{
	"scrape": true, "crawl": true, "batch_scrape": true, "search": true, "extract": true, "llmstxt": true, "deep_research": true,
	"map": true, "agent": true, "browser": true, "interact": true,
}

const (
	defaultActivity = 50
	maxActivity     = 100
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

// handleActivity is GET /v2/team/activity.
func handleActivity(c *call) error {
	q := c.r.URL.Query()
	endpoint := q.Get("endpoint")
	if endpoint != "" && !activityEndpoints[endpoint] {
		return decode.Invalid("endpoint", "no such endpoint")
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit < 1 {
		limit = defaultActivity
	}
	query := engine.ActivityQuery{Owner: &c.team, Endpoint: endpoint, Cursor: q.Get("cursor"), Limit: min(limit, maxActivity)}
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

// usageBody has what is left of the team's credits.
type usageBody struct {
	Success bool `json:"success"`
	Data    struct {
		RemainingCredits   int64      `json:"remainingCredits"`
		PlanCredits        int64      `json:"planCredits"`
		BillingPeriodStart *time.Time `json:"billingPeriodStart"`
		BillingPeriodEnd   *time.Time `json:"billingPeriodEnd"`
	} `json:"data"`
}

// handleCreditUsage is GET /v2/team/credit-usage. Without a limit both numbers are 2^53−1. Credits are granted once, so there is no
// billing period.
func handleCreditUsage(c *call) error {
	left, plan, err := creditsLeft(c)
	if err != nil {
		return err
	}
	body := usageBody{Success: true}
	body.Data.RemainingCredits, body.Data.PlanCredits = left, plan
	return c.reply(body)
}

// creditsLeft is what is left of the team's credits, and what it had.
func creditsLeft(c *call) (left, plan int64, err error) {
	left, err = c.credits.Remaining(c.r.Context())
	return left, cmp.Or(c.limits.Credits, quota.Unlimited), err
}

// period is what was used in one month, in UTC.
type period struct {
	StartDate   string `json:"startDate"`
	EndDate     string `json:"endDate"`
	CreditsUsed int64  `json:"creditsUsed"`
}

// periodsBody has what the team used, month by month.
type periodsBody struct {
	Success bool     `json:"success"`
	Periods []period `json:"periods"`
}

// handleCreditHistory is GET /v2/team/credit-usage/historical.
func handleCreditHistory(c *call) error {
	used, err := usageOf(c)
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

// tokenUsageBody has what is left of the team's tokens.
type tokenUsageBody struct {
	Success bool `json:"success"`
	Data    struct {
		RemainingTokens    int64      `json:"remainingTokens"`
		PlanTokens         int64      `json:"planTokens"`
		BillingPeriodStart *time.Time `json:"billingPeriodStart"`
		BillingPeriodEnd   *time.Time `json:"billingPeriodEnd"`
	} `json:"data"`
}

// handleTokenUsage is GET /v2/team/token-usage. Tokens of language models are counted but have no limit: both numbers are 2^53−1.
func handleTokenUsage(c *call) error {
	body := tokenUsageBody{Success: true}
	body.Data.RemainingTokens, body.Data.PlanTokens = quota.Unlimited, quota.Unlimited
	return c.reply(body)
}

// tokenPeriod is what models read and wrote for the team in one month.
type tokenPeriod struct {
	StartDate  string `json:"startDate"`
	EndDate    string `json:"endDate"`
	TokensUsed int64  `json:"tokensUsed"`
}

// tokenPeriodsBody has that month by month.
type tokenPeriodsBody struct {
	Success bool          `json:"success"`
	Periods []tokenPeriod `json:"periods"`
}

// handleTokenHistory is GET /v2/team/token-usage/historical.
func handleTokenHistory(c *call) error {
	used, err := usageOf(c)
	if err != nil {
		return err
	}
	periods := []tokenPeriod{}
	for m, tokens := range byMonth(used.Days, func(d engine.DayUsage) int64 { return d.Tokens }) {
		periods = append(periods, tokenPeriod{m.start, m.end, tokens})
	}
	return c.reply(tokenPeriodsBody{true, periods})
}

// usageOf returns what the team has used. What single keys used isn't kept.
func usageOf(c *call) (engine.Usage, error) {
	if by := c.r.URL.Query().Get("byApiKey"); by != "" && by != "false" {
		return engine.Usage{}, decode.Invalid("byApiKey", "not supported")
	}
	return c.api.engine.Usage(c.r.Context(), c.team)
}

// load is what the team has running and queued.
type load struct{ active, waiting int }

func loadOf(c *call) (load, error) {
	jobs, err := c.ofTeam(true)
	if err != nil {
		return load{}, err
	}
	l := load{active: c.api.teams.Pages(c.team)}
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

// queueBody has what the team has running and queued. MostRecentSuccess is nil where no job was completed.
type queueBody struct {
	Success            bool       `json:"success"`
	JobsInQueue        int        `json:"jobsInQueue"`
	ActiveJobsInQueue  int        `json:"activeJobsInQueue"`
	WaitingJobsInQueue int        `json:"waitingJobsInQueue"`
	MaxConcurrency     int        `json:"maxConcurrency"`
	MostRecentSuccess  *time.Time `json:"mostRecentSuccess"`
}

// handleQueueStatus is GET /v2/team/queue-status.
func handleQueueStatus(c *call) error {
	l, err := loadOf(c)
	if err != nil {
		return err
	}
	recent, err := recentSuccess(c)
	if err != nil {
		return err
	}
	return c.reply(queueBody{true, l.active + l.waiting, l.active, l.waiting, maxPagesOf(c), recent})
}

// recentSuccess is when the team's last job was completed; nil: there is none.
func recentSuccess(c *call) (*time.Time, error) {
	jobs, err := c.ofTeam(false)
	if err != nil {
		return nil, err
	}
	var recent time.Time
	for _, job := range jobs[:min(len(jobs), maxListed)] {
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

// maxPagesOf is how many pages the team may have running at once.
func maxPagesOf(c *call) int {
	limit := c.api.engine.MaxPages()
	if c.limits.Pages > 0 {
		limit = min(limit, c.limits.Pages)
	}
	return limit
}

// concurrencyBody has how many of the team's pages are running.
type concurrencyBody struct {
	Success        bool `json:"success"`
	Concurrency    int  `json:"concurrency"`
	MaxConcurrency int  `json:"maxConcurrency"`
}

// handleConcurrency is GET /v2/concurrency-check.
func handleConcurrency(c *call) error {
	l, err := loadOf(c)
	if err != nil {
		return err
	}
	return c.reply(concurrencyBody{true, l.active, maxPagesOf(c)})
}
