// Package schedule says when a monitor runs: by cron, by words that cron can say, or by a fixed interval, in a time zone, each run
// delayed by a jitter of its own. Its functions are pure: the time is given.
//
//   - schedule.go — [Plan], [Parse]: the rules of a schedule; start here
//   - times.go — [Plan.Next], [Plan.Latest], [Plan.Delay]: the times of a schedule
//   - words.go — schedules in words
package schedule

import (
	"strings"
	"time"

	"github.com/adhocore/gronx"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Bounds of a schedule.
const (
	minEvery  = time.Minute
	maxEvery  = 366 * 24 * time.Hour
	maxJitter = 24 * time.Hour
	maxText   = 200
)

// Plan is a schedule that was checked. Safe for concurrent use.
type Plan struct {
	cron   string // "": every
	fixed  bool   // the hours of cron are fixed: each is once a day
	zone   *time.Location
	every  time.Duration
	anchor time.Time // of every
	jitter time.Duration
}

// Parse checks a schedule that was set at a time, and returns it with Cron or Every in place of words. The error is an [*option.Error].
func Parse(s monitor.Schedule, set time.Time) (*Plan, monitor.Schedule, error) {
	p := &Plan{jitter: s.Jitter, anchor: set.Truncate(time.Second)}
	s, err := normal(s)
	if err != nil {
		return nil, s, err
	}
	p.cron, p.every = s.Cron, s.Every
	if p.zone, err = zoneOf(s.Timezone); err != nil {
		return nil, s, err
	}
	if err := p.check(set); err != nil {
		return nil, s, err
	}
	if s.Jitter < 0 || s.Jitter > maxJitter || s.Jitter > 0 && s.Jitter >= p.gap(set) {
		return nil, s, &option.Error{Field: "schedule.jitter", Value: s.Jitter, Want: "0 to 24h, and less than the time between two runs"}
	}
	return p, s, nil
}

// normal makes cron or an interval of words. What was stored has both: the words don't count again.
func normal(s monitor.Schedule) (monitor.Schedule, error) {
	given := 0
	for _, is := range []bool{s.Cron != "", s.Text != "", s.Every != 0} {
		if is {
			given++
		}
	}
	if s.Text != "" {
		words, err := read(s.Text)
		if err != nil {
			return s, err
		}
		if given == 1 || given == 2 && words.cron == s.Cron && words.every == s.Every {
			s.Cron, s.Every, given = words.cron, words.every, 1
		}
	}
	if given != 1 {
		return s, &option.Error{Field: "schedule", Value: given, Want: "exactly one of cron, text and an interval"}
	}
	return s, nil
}

func zoneOf(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, &option.Error{Field: "schedule.timezone", Value: name, Want: "an IANA name such as Europe/Berlin, or none for UTC", Err: err}
	}
	return zone, nil
}

func (p *Plan) check(set time.Time) error {
	if p.cron == "" {
		if p.every < minEvery || p.every > maxEvery {
			return &option.Error{Field: "schedule.interval", Value: p.every, Want: "1m to 8784h"}
		}
		return nil
	}
	want := "five fields: minute, hour, day of month, month, day of week"
	fields := strings.Fields(p.cron)
	if len(p.cron) > maxText || len(fields) != 5 || !gronx.IsValid(p.cron) {
		return &option.Error{Field: "schedule.cron", Value: p.cron, Want: want}
	}
	p.fixed = !strings.ContainsAny(fields[1], "*/-")
	if p.Next(set).IsZero() {
		return &option.Error{Field: "schedule.cron", Value: p.cron, Want: want + ", with a time that comes"}
	}
	return nil
}

// gap is the time between the next two runs.
func (p *Plan) gap(now time.Time) time.Duration {
	next := p.Next(now)
	return p.Next(next).Sub(next)
}
