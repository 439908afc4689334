package warm

import (
	"slices"
	"time"
)

// maxRecent bounds how many uses of single scrapes are remembered.
const maxRecent = 64

// recent is a use that there was a short while ago.
type recent struct {
	use Use
	at  time.Time
}

// OfSingles returns the tabs of single scrapes for a scrape with this use, which names its owner. It is nil, which gives the scrape a fresh
// page, unless there has been one with the same use a short while ago: clearing a tab, and keeping it, is worth it only for those that
// come again.
func (w *Tabs) OfSingles(use Use) *JobTabs {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	w.recent = slices.DeleteFunc(w.recent, func(r recent) bool { return now.Sub(r.at) > w.idle })
	if i := slices.IndexFunc(w.recent, func(r recent) bool { return r.use.Equal(use) }); i >= 0 {
		w.recent[i].at = now
		return w.singles
	}
	if len(w.recent) < maxRecent {
		w.recent = append(w.recent, recent{use, now})
	}
	return nil
}
