// Package quota bounds what teams and keys may use: rates of requests, pages, sessions and streams at once, and credits. What a team has
// used already it asks an [Account].
//
//   - credits.go — [Credits] and [CreditHold]: credits that are reserved for what is running
//   - rates.go — [Rates]: requests of a key within a window of time
//   - teams.go — [Teams]: pages, sessions and streams of a team at once
package quota

import (
	"context"
	"errors"
	"sync"
)

// Unlimited stands for the credits of a team without a limit: the largest number that all clients can hold.
const Unlimited = 1<<53 - 1

// ErrNoCredits is the error of a reservation that is more than what is left.
var ErrNoCredits = errors.New("the team does not have enough credits")

// Account knows what is booked and what is running.
type Account interface {
	// Used returns the credits that are booked for a team.
	Used(ctx context.Context, team string) (int64, error)
	// Job returns what a job has used so far, and whether it runs: it doesn't where it has ended or is unknown.
	Job(ctx context.Context, id string) (used int64, running bool, err error)
	// Sessions returns what the team's active sessions have cost so far. It is booked at their end.
	Sessions(ctx context.Context, team string) (int64, error)
}

// Credits reserves credits of teams whose credits are limited, for what is running and not booked yet: many requests at once
// can't use more than one after the other. It knows nothing of jobs that were started before it was made. It is safe for concurrent use.
type Credits struct {
	account Account
	mu      sync.Mutex
	teams   map[string]*reserved
}

// reserved is what a team's running requests and jobs may still cost.
type reserved struct {
	requests int64
	jobs     map[string]int64 // all that each may cost, what it has used included
}

// NewCredits returns one without reservations.
func NewCredits(a Account) *Credits { return &Credits{account: a, teams: map[string]*reserved{}} }

// of returns a team's reservations. The caller holds mu.
func (c *Credits) of(team string) *reserved {
	if c.teams[team] == nil {
		c.teams[team] = &reserved{jobs: map[string]int64{}}
	}
	return c.teams[team]
}

// forget drops a team without reservations. The caller holds mu.
func (c *Credits) forget(team string) {
	if t := c.teams[team]; t != nil && t.requests == 0 && len(t.jobs) == 0 {
		delete(c.teams, team)
	}
}

// running is what the team's requests, jobs and sessions may still cost. Jobs that have ended are dropped. The caller holds mu.
func (c *Credits) running(ctx context.Context, team string) (int64, error) {
	t := c.of(team)
	sum := t.requests
	for id, limit := range t.jobs {
		used, running, err := c.account.Job(ctx, id)
		switch {
		case err != nil:
			return 0, err
		case !running:
			delete(t.jobs, id)
		default:
			sum += max(0, limit-used)
		}
	}
	sessions, err := c.account.Sessions(ctx, team)
	return sum + sessions, err
}

// Hold returns the hold of one request of a team that may use limit credits in all, 0 for no limit. It holds nothing yet.
func (c *Credits) Hold(team string, limit int64) *CreditHold {
	return &CreditHold{credits: c, team: team, limit: limit}
}

// CreditHold is what one request has reserved. It is for one goroutine.
type CreditHold struct {
	credits *Credits
	team    string
	limit   int64
	held    int64
}

// Remaining returns the credits that the team has not used, [Unlimited] without a limit.
func (h *CreditHold) Remaining(ctx context.Context) (int64, error) {
	if h.limit == 0 {
		return Unlimited, nil
	}
	used, err := h.credits.account.Used(ctx, h.team)
	return max(0, h.limit-used), err
}

// Reserve reserves so many credits until Release, in place of what it holds already. Without enough of them it is [ErrNoCredits].
func (h *CreditHold) Reserve(ctx context.Context, credits int64) error {
	_, err := h.ReserveUpTo(ctx, credits, credits)
	return err
}

// ReserveUpTo reserves as many credits as are left, at least lowest and at most highest, and returns how many.
func (h *CreditHold) ReserveUpTo(ctx context.Context, lowest, highest int64) (int64, error) {
	if h.limit == 0 {
		return highest, nil
	}
	c := h.credits
	c.mu.Lock()
	defer c.mu.Unlock()
	running, err := c.running(ctx, h.team) // first: what is booked meanwhile counts twice, not never
	if err != nil {
		return 0, err
	}
	left, err := h.Remaining(ctx)
	if err != nil {
		return 0, err
	}
	can := min(highest, left-running+h.held)
	if can < lowest {
		return 0, ErrNoCredits
	}
	c.of(h.team).requests += can - h.held
	h.held = can
	return can, nil
}

// KeepFor reserves what the hold has for a job as well, until that ends, in addition to what is reserved for it already.
func (h *CreditHold) KeepFor(job string) {
	if h.held == 0 {
		return
	}
	h.credits.mu.Lock()
	defer h.credits.mu.Unlock()
	h.credits.of(h.team).jobs[job] += h.held
}

// Release gives back what the request holds.
func (h *CreditHold) Release() {
	c := h.credits
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.held > 0 {
		c.of(h.team).requests -= h.held
		h.held = 0
	}
	c.forget(h.team)
}
