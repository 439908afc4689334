package crawl

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	defaultLimit    = 10_000
	defaultAttempts = 3

	maxReserve = 1000 // URLs kept for slots that failed pages free
	putChunk   = 1000 // URLs claimed in one transaction
	maxJob     = 256
	freeSilent = 10_000 // silent pages that don't count as attempts at the limit
	maxBlocks  = 10_000 // hosts whose block is taken over when a job is opened
)

// Options of a frontier. The zero value works.
type Options struct {
	// Limit is how many URLs are accepted, seed included. A page that was completed as failed or silently frees its slot, and URLs that
	// were found over the limit (the first 1000) move up; in all at most twice Limit are accepted, not counting the first 10 000 silent
	// ones. 0: 10 000.
	Limit int
	// Attempts is how often an item may be begun. 0: 3.
	Attempts int
	// Pace decides when a host may be requested. Nil: NewPace with Now as its clock.
	Pace *Pace
	// Now is the clock. Nil: time.Now.
	Now func() time.Time
}

// Frontier is the state of one crawl in a DB: known, queued, leased, done and failed URLs. Each change that it confirms is durable and
// survives the process. It is safe for concurrent use; its memory is bounded: the current leases, up to 10 000 hosts, some thousand keys
// and its Pace. It has no goroutine and needs no closing; the caller owns the DB.
//
// A job is open once at a time: a lease lives in the memory of the Frontier that made it.
type Frontier struct {
	db     DB
	job    string
	number uint64
	o      Options
	limit  atomic.Int64 // Options.Limit, which SetLimit changes

	mu     sync.Mutex
	leases map[string]*lease // by queue key
	notes  map[string]*lease // by queue key: begun, and not yet written down
	lineup lineup

	recent recent
}

// Open opens a job, or creates it. All that an earlier process had leased is ready again at once, what it had completed stays done, and
// hosts that were to be left alone still are. Errors: ErrTooLarge, ErrDropped (its drop was started and not finished: call Drop),
// *DamagedError, the DB's.
func Open(db DB, job string, o Options) (*Frontier, error) {
	if job == "" || len(job) > maxJob {
		return nil, ErrTooLarge
	}
	o.Limit = defaultTo(o.Limit, defaultLimit)
	o.Attempts = defaultTo(o.Attempts, defaultAttempts)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Pace == nil {
		o.Pace = NewPace(PaceOptions{Now: o.Now})
	}
	f := &Frontier{db: db, job: job, o: o, leases: map[string]*lease{}, notes: map[string]*lease{}, lineup: newLineup()}
	f.limit.Store(int64(o.Limit))
	known := false
	err := db.View(func(tx Tx) (err error) {
		if known = tx.Get(bucketJobs, []byte(f.job)) != nil; known {
			err = f.enter(tx)
		}
		return err
	})
	if err == nil && !known { // else nothing is written: a job can be read while the disk is full
		err = db.Update(f.enter)
	}
	if err != nil {
		return nil, err
	}
	if err := f.takeBlocks(); err != nil {
		return nil, err
	}
	return f, nil
}

// enter finds the job's number, or assigns one. Numbers are never reused, so a dropped job's Frontier finds nothing.
func (f *Frontier) enter(tx Tx) (err error) {
	if row := tx.Get(bucketJobs, []byte(f.job)); row != nil {
		f.number, err = decodeNumber(row)
		if err != nil {
			return err
		}
		_, err = f.begin(tx)
		return err
	}
	if f.number, err = tx.Next(bucketJobs); err != nil {
		return err
	}
	if err := tx.Put(bucketJobs, []byte(f.job), encodeNumber(f.number)); err != nil {
		return err
	}
	return tx.Put(bucketState, f.key(), new(state).encode())
}

// Put claims URLs and queues them. Each Key is claimed once per job, by the first call. It returns how many were accepted; the others
// are known, over the limit, or no URLs with a host. Large numbers go in several transactions.
func (f *Frontier) Put(ctx context.Context, found []Found) (accepted int, err error) {
	for chunk := range slices.Chunk(found, putChunk) {
		if err := ctx.Err(); err != nil {
			return accepted, err
		}
		before, after := uint64(0), uint64(0)
		err := f.update(func(w *work) error {
			before = w.known
			err := w.claimAll(chunk)
			after = w.known
			return err
		})
		if err != nil {
			return accepted, err
		}
		accepted += int(after - before)
	}
	f.o.Pace.change.send()
	return accepted, nil
}

func (w *work) claimAll(found []Found) error {
	for _, one := range found {
		if err := w.claim(one); err != nil {
			return err
		}
	}
	return nil
}

// claim accepts a URL whose key is unclaimed, if there is room.
func (w *work) claim(found Found) error {
	name := known{key: found.key()}
	if w.f.recent.has(name) {
		return nil
	}
	seen := w.key(digest(name.key))
	if w.tx.Get(bucketSeen, seen) != nil {
		w.made.certain = append(w.made.certain, name)
		return nil
	}
	return w.accept(found, name, seen)
}

// accept claims a URL for its key.
func (w *work) accept(found Found, name known, seen []byte) error {
	host := found.host()
	if host == "" {
		return nil
	}
	room := w.room()
	if !room {
		w.refused++
		if w.reserve >= maxReserve {
			return nil
		}
	}
	if len(found.From) > maxURL {
		found.From = ""
	}
	w.sequence++
	if err := w.tx.Put(bucketSeen, seen, be64(w.sequence)); err != nil {
		return err
	}
	w.made.certain = append(w.made.certain, name)
	e := entry{Found: found, id: w.sequence}
	if !room {
		w.reserve++
		return w.tx.Put(bucketReserve, w.key(found.rank(e.id)), e.encode())
	}
	w.known++
	return w.enqueue(host, e, e.id)
}

// room reports whether the limit leaves room. Failed pages count double at most, and silent ones in the end, so that a site on which
// everything fails or leads in circles ends.
func (w *work) room() bool {
	limit := uint64(w.f.limit.Load())
	all := w.known + w.silent - min(w.silent, freeSilent)
	return w.known-min(w.failed, w.known) < limit && all < 2*limit
}

// enqueue puts an entry into its host's queue: behind its equals, if the sequence number is a new one.
func (w *work) enqueue(host string, e entry, sequence uint64) error {
	w.pending++
	w.made.touch(host)
	return w.tx.Put(bucketQueue, w.f.queueKey(host, e.rank(sequence)), e.encode())
}

// digest stands for a key in bucketSeen: short, and made so that keys can't be forged to collide.
func digest(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:16]
}
