package httpapi

import (
	"sync"

	"github.com/winnow-go/winnow/engine"
)

// purse holds back credits of teams whose credits are limited, for what is at work and not in the engine's account yet: so many
// requests at once can't use more than one after the other. Of jobs that were at work when the service ended it knows nothing.
type purse struct {
	mu    sync.Mutex
	teams map[string]*promised
}

// promised is what a team's requests and jobs at work may still cost.
type promised struct {
	requests int64
	jobs     map[string]int64 // all that each may cost, what it has used included
}

func newPurse() *purse { return &purse{teams: map[string]*promised{}} }

// of gives a team's promises. The caller holds mu.
func (p *purse) of(team string) *promised {
	if p.teams[team] == nil {
		p.teams[team] = &promised{jobs: map[string]int64{}}
	}
	return p.teams[team]
}

func (p *purse) forget(team string) {
	if t := p.teams[team]; t != nil && t.requests == 0 && len(t.jobs) == 0 {
		delete(p.teams, team)
	}
}

// noLimit is told where there is no limit: what every client's numbers can hold.
const noLimit = 1<<53 - 1

// remaining are the credits that the team has not used.
func (c *call) remaining() (int64, error) {
	if c.limits.Credits == 0 {
		return noLimit, nil
	}
	used, err := c.api.engine.Usage(c.r.Context(), c.team)
	return max(0, c.limits.Credits-used.Credits), err
}

// afford holds so many credits until the request ends, in place of what it holds already.
func (c *call) afford(credits int64) error {
	_, err := c.affordUpTo(credits, credits)
	return err
}

// affordUpTo holds as many credits as there are, from least to most.
func (c *call) affordUpTo(least, most int64) (int64, error) {
	if c.limits.Credits == 0 {
		return most, nil
	}
	p := c.api.purse
	p.mu.Lock()
	defer p.mu.Unlock()
	at, err := c.atWork(p.of(c.team)) // first: what is booked meanwhile counts twice, not never
	if err != nil {
		return 0, err
	}
	left, err := c.remaining()
	if err != nil {
		return 0, err
	}
	can := min(most, left-at+c.held)
	if can < least {
		return 0, errNoCredits
	}
	p.of(c.team).requests += can - c.held
	c.held = can
	return can, nil
}

// atWork is what the team's requests, jobs and sessions may still cost. Jobs that have ended are dropped.
func (c *call) atWork(t *promised) (int64, error) {
	sum := t.requests
	for id, most := range t.jobs {
		job, err := c.api.engine.Job(c.r.Context(), id)
		if engine.CodeOf(err) == engine.CodeNotFound {
			delete(t.jobs, id)
			continue
		}
		if err != nil {
			return 0, err
		}
		s, err := job.Status(c.r.Context())
		switch {
		case err != nil:
			return 0, err
		case s.State.Final():
			delete(t.jobs, id)
		default:
			sum += max(0, most-s.CreditsUsed)
		}
	}
	sessions, err := c.sessions(engine.SessionActive)
	for _, s := range sessions {
		sum += int64(s.Credits) // they are booked at its end
	}
	return sum, err
}

// priceOf a job's page: whether its data is kept is an option of the job.
func priceOf(page engine.ScrapeOptions, private bool) int64 {
	page.ZeroDataRetention = page.ZeroDataRetention || private
	return int64(page.Price())
}

// promise holds what the request holds for a job, until that ends, beside what is held for it already.
func (c *call) promise(job string) {
	if c.held == 0 {
		return
	}
	p := c.api.purse
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(c.team).jobs[job] += c.held
}

// release gives back what the request holds.
func (c *call) release() {
	p := c.api.purse
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.held > 0 {
		p.of(c.team).requests -= c.held
		c.held = 0
	}
	p.forget(c.team)
}
