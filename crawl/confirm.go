package crawl

import "context"

// Standing is how a job stands in one transaction.
type Standing struct {
	// Accepted grows whenever a URL is queued that was not: as long as it stays and Pending is 0, there was nothing to fetch.
	Accepted uint64
	// Pending URLs are queued, wait for a retry or are leased.
	Pending int
	// Reserve is how many URLs that were found over the limit wait for a slot.
	Reserve int
	// Used is how many slots of the limit are taken.
	Used int
}

func standingOf(w *work) Standing {
	return Standing{
		Accepted: w.sequence + w.known + w.silent, Pending: int(w.pending), Reserve: int(w.reserve), Used: int(w.known - min(w.failed, w.known)),
	}
}

// Confirm runs alongside in a transaction, with the job's standing in it. The transaction is one even if alongside writes nothing: where
// the DB has gone to another owner, its error comes back, and nothing has been learnt. alongside may run more than once.
func (f *Frontier) Confirm(ctx context.Context, alongside func(Tx, Standing) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.update(func(w *work) error { return alongside(w.tx, standingOf(w)) })
}

// Standing returns how the job stands, as far as this process knows.
func (f *Frontier) Standing(ctx context.Context) (s Standing, err error) {
	if err := ctx.Err(); err != nil {
		return s, err
	}
	err = f.view(func(w *work) error {
		s = standingOf(w)
		return nil
	})
	return s, err
}

// Take claims URLs as Put does, in chunks of 1000 and in one transaction with alongside in the last, which may run more than once and whose
// error undoes that chunk.
func (f *Frontier) Take(ctx context.Context, found []Found, alongside func(Tx) error) error {
	if over := len(found) - putChunk; over > 0 {
		if _, err := f.Put(ctx, found[:over]); err != nil {
			return err
		}
		found = found[over:]
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := f.update(func(w *work) error {
		if err := w.claimAll(found); err != nil {
			return err
		}
		return alongside(w.tx)
	})
	f.o.Pace.change.send()
	return err
}

// ClaimFor is Claim for an item of another frontier of the job, which is known by its number and its own ID.
func (f *Frontier) ClaimFor(ctx context.Context, frontier int, id uint64, key string) (own bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return f.claimFor(key, append(be64(uint64(frontier)), be64(id)...)) // longer than an ID: never one of this frontier
}

// SetLimit changes Options.Limit, 0 for none at all, and accepts what waits for a slot in the new limit, in one transaction with alongside,
// which sees the standing before that. It may run more than once; its error leaves everything as it was. The caller keeps the limit for the
// next Open, and makes one call at a time.
func (f *Frontier) SetLimit(ctx context.Context, limit int, alongside func(Tx, Standing) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	before := f.limit.Swap(int64(max(limit, 0)))
	err := f.update(func(w *work) error {
		if err := alongside(w.tx, standingOf(w)); err != nil {
			return err
		}
		return w.moveUp()
	})
	if err != nil {
		f.limit.Store(before)
	}
	f.o.Pace.change.send()
	return err
}

// HostOf returns the identity of a URL's host, which its requests count under in a Pace: in lower case, with its port if the URL names one.
// "": it can't be fetched.
func HostOf(url string) string { return Found{URL: url}.host() }
