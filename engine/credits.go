package engine

// The service's prices, in credits.
const (
	pageCredits         = 1
	enhancedCredits     = 5 // in all, when the enhanced proxy got the page
	lockdownHitCredits  = 5
	lockdownMissCredits = 1
	retentionCredits    = 1 // on top, for zero data retention
	mapCredits          = 1 // whatever it takes
)

// credits is what a scrape costs, by what was done. A page from the cache costs what
// it costs from its site; a scrape that failed costs nothing, but for a miss under lockdown.
func (s *scrape) credits(err error) int {
	switch lockdown := s.plan.caching.lockdown; {
	case err != nil && CodeOf(err) == CodeLockdownMiss:
		return lockdownMissCredits
	case err != nil:
		return 0
	case lockdown:
		return lockdownHitCredits
	}
	n := pageCredits
	if s.tier == ProxyStealth {
		n = enhancedCredits
	}
	if s.plan.noRetention {
		n += retentionCredits
	}
	return n
}
