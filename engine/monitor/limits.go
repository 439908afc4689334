package monitor

import "context"

// Reserve reserves credits for a part of a check before that is begun, from those that the monitor's owner has left: as many as there
// are, at least lowest and at most highest. Where there are fewer than lowest it returns an error, whose text stands in the check: that
// part is not done, and comes again with the next check of the schedule. It is safe for concurrent use. Its context ends with the check.
type Reserve func(ctx context.Context, owner string, lowest, highest int64) (Hold, error)

// Hold is what was reserved. Its functions are called by one goroutine.
type Hold struct {
	// Credits that are reserved.
	Credits int64
	// Pages that a job may be at at once. Zero: no limit.
	Pages int
	// KeepFor reserves as much for a job, until that ends. Nil: there is nothing to reserve.
	KeepFor func(job string)
	// Release gives back what is held, but not what was kept for jobs. Nil: there is nothing to give back.
	Release func()
}
