package engine

import (
	"context"
)

// Usage is what an owner has used.
type Usage struct {
	// Credits in all.
	Credits int64
	// Tokens of language models in all, read and written.
	Tokens int64
	// Days on which something was used, oldest first.
	Days []DayUsage
}

// DayUsage is what was used on one day.
type DayUsage struct {
	// Day in UTC, as 2006-01-02.
	Day     string
	Credits int64
	Tokens  int64
}

// Usage returns the credits and tokens that an owner has used; "" is scrapes without one. Every
// scrape counts, also those under lockdown and zero data retention, of which nothing
// else is kept.
func (e *Engine) Usage(ctx context.Context, owner string) (Usage, error) {
	_, done, err := e.begin(ctx)
	if err != nil {
		return Usage{}, failure(context.Background(), "usage", "", err)
	}
	defer done()
	used, err := e.stores.Ledger.Usage(owner)
	if err != nil {
		return Usage{}, failure(ctx, "usage", "", err)
	}
	u := Usage{Credits: used.Credits, Tokens: used.Tokens}
	for _, d := range used.Days {
		u.Days = append(u.Days, DayUsage(d))
	}
	return u, nil
}
