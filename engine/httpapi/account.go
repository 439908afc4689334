package httpapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/engine/monitor"
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

// reserveFor implements [monitor.Reserve]: a check of a team's monitor uses what the team has left, as its requests do. Owners that no key
// is of, and that are not anonymous, aren't bounded here.
func (a *api) reserveFor(ctx context.Context, team string, lowest, highest int64) (monitor.Hold, error) {
	l, known := a.limitsOf(team)
	if !known {
		return monitor.Hold{Credits: highest}, nil
	}
	h := a.credits.Hold(team, l.Credits)
	can, err := h.ReserveUpTo(ctx, lowest, highest)
	if errors.Is(err, quota.ErrNoCredits) {
		err = fmt.Errorf("%s: %w", codeNoCredits, err)
	}
	return monitor.Hold{Credits: can, Pages: min(l.Pages, decode.MaxConcurrency), KeepFor: h.KeepFor, Release: h.Release}, err
}

// limitsOf a team are the widest of its keys'.
func (a *api) limitsOf(team string) (widest Limits, known bool) {
	for _, k := range a.options.Keys {
		if k.Team == team {
			widest, known = wider(widest, a.callerWith(&k).limits, known), true
		}
	}
	if a.options.Anonymous && team == AnonymousTeam {
		widest, known = wider(widest, a.options.Limits, known), true
	}
	return widest, known
}

// wider is the wider of two limits of credits and pages, 0 of which is none; both: there is more than l.
func wider(l, other Limits, both bool) Limits {
	if !both {
		return other
	}
	if other.Credits == 0 || l.Credits != 0 && other.Credits > l.Credits {
		l.Credits = other.Credits
	}
	if other.Pages <= 0 || l.Pages > 0 && other.Pages > l.Pages {
		l.Pages = other.Pages
	}
	return l
}

// priceOf a job's page: whether its data is kept is an option of the job.
func priceOf(page engine.ScrapeOptions, private bool) int64 {
	page.ZeroDataRetention = page.ZeroDataRetention || private
	return int64(page.Price())
}
