package httpapi

import (
	"context"

	"github.com/winnow-go/winnow/engine"
)

// account is the engine's account of credits, as package quota reads it.
type account struct{ engine *engine.Engine }

// Used implements quota.Account.
func (a account) Used(ctx context.Context, team string) (int64, error) {
	used, err := a.engine.Usage(ctx, team)
	return used.Credits, err
}

// Job implements quota.Account.
func (a account) Job(ctx context.Context, id string) (used int64, running bool, err error) {
	job, err := a.engine.Job(ctx, id)
	if engine.CodeOf(err) == engine.CodeNotFound {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	s, err := job.Status(ctx)
	return s.CreditsUsed, err == nil && !s.State.Final(), err
}

// Sessions implements quota.Account.
func (a account) Sessions(ctx context.Context, team string) (sum int64, err error) {
	all, err := a.engine.Sessions(ctx, engine.SessionActive)
	for _, s := range all {
		if s.Owner == team {
			sum += int64(s.Credits)
		}
	}
	return sum, err
}

// priceOf a job's page: whether its data is kept is an option of the job.
func priceOf(page engine.ScrapeOptions, private bool) int64 {
	page.ZeroDataRetention = page.ZeroDataRetention || private
	return int64(page.Price())
}
