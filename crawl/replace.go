package crawl

import "context"

// Replace puts other results in the places of stored ones: the first of them in that of number first, page.More in those that follow. Their
// numbers, URLs, keys, hops and attempts stay, and so do all counts; readers that are past them don't see it. What page.Found and
// page.Denied name is taken up as by Complete. InTx is run with first. Failed and Silent aren't looked at.
//
// ErrNoResult: one of the results isn't there, and nothing was changed. ErrTooLarge: one is too large.
func (f *Frontier) Replace(ctx context.Context, first uint64, page Page) error {
	page.Failed, page.Silent = false, false
	for _, result := range page.results() {
		if len(result) > maxResult {
			return ErrTooLarge
		}
	}
	found, err := f.putOver(ctx, page.Found)
	if err != nil {
		return err
	}
	err = f.update(func(w *work) error { return w.replaceAll(first, page, found) })
	f.o.Pace.change.send()
	return err
}

// putOver accepts the URLs that are too many for one transaction, and returns the others.
func (f *Frontier) putOver(ctx context.Context, found []Found) ([]Found, error) {
	over := len(found) - putChunk
	if over <= 0 {
		return found, ctx.Err()
	}
	_, err := f.Put(ctx, found[:over])
	return found[over:], err
}
