package crawl

import "context"

// Stats are the counters of a job. Known = Queued + Leased + Done + Failed + Kept.
type Stats struct {
	// Known URLs were accepted in all.
	Known int
	// Queued URLs wait, some of them for a retry.
	Queued int
	// Leased URLs are being fetched.
	Leased int
	// Done were completed, Failed completed as failed.
	Done, Failed int
	// Kept are as they were before; see [Page.Kept].
	Kept int
	// Refused is how many URLs were found over the limit, some maybe more than once; up to 1000 of them wait for a slot.
	Refused int
	// Bytes of all results and errors.
	Bytes int64
	// Denied URLs by reason.
	Denied map[string]int
}

// Stats returns the counters as they are now.
func (f *Frontier) Stats(ctx context.Context) (s Stats, err error) {
	if err := ctx.Err(); err != nil {
		return s, err
	}
	f.mu.Lock() // so that leases and rows are those of one moment, as in pick
	defer f.mu.Unlock()
	err = f.view(func(w *work) error {
		tallies, err := w.tallies()
		if err != nil {
			return err
		}
		s = Stats{
			Known: int(w.known), Done: int(w.done), Failed: int(w.failed), Kept: int(w.kept), Refused: int(w.refused),
			Bytes: int64(w.bytes), Denied: map[string]int{},
		}
		for reason, t := range tallies {
			s.Denied[reason] = int(t.count)
		}
		for key := range f.leases {
			if w.tx.Get(bucketQueue, []byte(key)) != nil { // else its completion is just being reported
				s.Leased++
			}
		}
		s.Queued = int(w.pending) - s.Leased
		return nil
	})
	return s, err
}
