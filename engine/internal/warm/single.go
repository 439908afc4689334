package warm

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"time"
)

// maxRecent bounds how many uses of single scrapes are remembered.
const maxRecent = 64

// sum stands for a use, without what is secret in it.
type sum [sha256.Size]byte

func (u Use) sum() sum {
	text, _ := json.Marshal(u) // it holds nothing that can't be encoded
	return sha256.Sum256(text)
}

// OfSingles returns the tabs of single scrapes for a scrape with this use, which names its owner. It is nil, which gives the scrape a fresh
// page, unless there has been one with the same use a short while ago: clearing a tab, and keeping it, is worth it only for those that
// come again.
func (w *Tabs) OfSingles(use Use) *JobTabs {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, key := time.Now(), use.sum()
	maps.DeleteFunc(w.recent, func(_ sum, at time.Time) bool { return now.Sub(at) > w.idle })
	_, again := w.recent[key]
	if again || len(w.recent) < maxRecent {
		w.recent[key] = now
	}
	if !again {
		return nil
	}
	return w.singles
}
