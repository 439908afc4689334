package crawltest

import (
	"testing"

	"github.com/winnow-go/winnow/crawl"
)

// TestFrontier proves that a frontier on the DB keeps its contract. open returns an empty DB and closes it when the test ends; reopen
// closes a DB as the end of its process would and opens it again (nil: the store doesn't outlive its process; then only the frontier is
// opened again). Random tests print their seeds. WINNOW_SOAK=1 runs ten times as many.
func TestFrontier(t *testing.T, open func(t *testing.T) crawl.DB, reopen func(t *testing.T, db crawl.DB) crawl.DB) {
	if reopen == nil {
		reopen = func(_ *testing.T, db crawl.DB) crawl.DB { return db }
	}
	for _, group := range [][]check{putChecks, leaseChecks, completeChecks, replaceChecks, limitChecks, keepChecks, denyChecks} {
		for _, c := range group {
			t.Run(c.name, func(t *testing.T) { c.run(newRig(t, open(t), reopen)) })
		}
	}
	t.Run("random sites", func(t *testing.T) { simulations(t, open, reopen) })
}

// check is one promise of the contract.
type check struct {
	name string
	run  func(*rig)
}
