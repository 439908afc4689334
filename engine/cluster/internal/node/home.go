package node

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/limits"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// The buckets of a home.
const (
	bucketJobs   = "cluster.jobs"   // job → jobRow
	bucketSeeds  = "cluster.seeds"  // job, and for all parts but the first a zero byte and its number → URLs that are in no inbox yet
	bucketGone   = "cluster.gone"   // job → 1: it was removed
	bucketOwner  = "cluster.owner"  // what is written so that the store says who owns it
	bucketSpread = "cluster.spread" // job, zero byte, shard → nothing; the shards that links were sent to
)

// jobRow is the record of a job.
type jobRow struct {
	Spec      Spec  `json:"spec"`
	State     State `json:"state"`
	Cancelled bool  `json:"cancelled,omitempty"`
	Removed   bool  `json:"removed,omitempty"` // or to be removed
	// Shared is what a part had to say to those that are made after it.
	Shared string `json:"shared,omitempty"`
	// At is when it has ended.
	At time.Time `json:"at,omitzero"`
}

// expired reports a job that has been kept for as long as it was to be.
func (r jobRow) expired(now time.Time) bool {
	return r.State == Ended && r.Spec.Keep > 0 && !r.At.IsZero() && now.After(r.At.Add(r.Spec.Keep))
}

// gone is the state of a job of which nothing is left.
const gone State = "gone"

func readJob(tx crawl.Tx, job string) (row jobRow, err error) {
	data := tx.Get(bucketJobs, []byte(job))
	switch {
	case data == nil && tx.Get(bucketGone, []byte(job)) != nil:
		return jobRow{State: gone, Removed: true}, nil
	case data == nil:
		return row, ErrUnknown
	}
	if err := json.Unmarshal(data, &row); err != nil {
		return row, fmt.Errorf("%w: %s: %w", ErrDamaged, bucketJobs, err)
	}
	return row, nil
}

func (r jobRow) write(tx crawl.Tx, job string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return tx.Put(bucketJobs, []byte(job), data)
}

// Start makes a job with the URLs that it begins with. One that is there stays as it is. More than one request can carry are stored in the
// home in parts before the job is made. After an error call it again with the same URLs.
func (n *Node) Start(ctx context.Context, job string, spec Spec, seeds []crawl.Found) error {
	if job == "" || len(job) > 200 || bytes.IndexByte([]byte(job), 0) >= 0 || spec.Limit < 1 {
		return fmt.Errorf("node: job %.40q with a limit of %d: want a name of 1 to 200 bytes without a zero byte, and 1 page or more", job, spec.Limit)
	}
	part := 0
	for {
		size, err := fits(seeds, n.o.MaxBytes)
		if err != nil {
			return err
		}
		r := Request{Kind: askSeeds, Job: job, Part: part, Seeds: seeds[:size]}
		if seeds = seeds[size:]; len(seeds) == 0 {
			r.Kind, r.Spec = askStart, &spec
		}
		if _, err := n.callHome(ctx, r); err != nil || len(seeds) == 0 {
			return err
		}
		part++
	}
}

// Job returns how a job is made and how it stands, or stood a moment ago: it may be answered by one that has lost the home and doesn't know
// it yet. [ErrUnknown].
func (n *Node) Job(ctx context.Context, job string) (Standing, error) {
	reply, err := n.callHome(ctx, Request{Kind: askJob, Job: job})
	if err == nil && reply.Removed {
		return Standing{}, ErrUnknown
	}
	return Standing{reply.Spec, reply.State, reply.Last, reply.Cancelled, reply.At, reply.Shards}, err
}

// Standing is how a job stands: a moment ago, if another member has its home since.
type Standing struct {
	Spec  Spec
	State State
	// Last is the number of its last event.
	Last uint64
	// Cancelled: it ended, or is ending, by [Node.Cancel], at At once it has.
	Cancelled bool
	At        time.Time
	// Shards that have, or had, pages of it.
	Shards []int
}

// Events returns up to limit events of a job after a number; none: there are no more yet, as far as the one that answers knows.
func (n *Node) Events(ctx context.Context, job string, after uint64, limit int) ([]outbox.Event, error) {
	reply, err := n.callHome(ctx, Request{Kind: askEvents, Job: job, After: after, Limit: limit})
	return reply.Events, err
}

// Cancel ends a job as it is.
func (n *Node) Cancel(ctx context.Context, job string) error {
	_, err := n.callHome(ctx, Request{Kind: askCancel, Job: job})
	return err
}

// Remove ends a job, if it hasn't ended, and forgets it, as soon as its shards can be reached. No other job can have its ID.
func (n *Node) Remove(ctx context.Context, job string) error {
	_, err := n.callHome(ctx, Request{Kind: askRemove, Job: job})
	return err
}

// Pending counts the pages of a job that are queued and being fetched on a shard.
func (n *Node) Pending(ctx context.Context, job string, shard int) (queued, active int, err error) {
	reply, err := n.o.Call(ctx, shard, Request{Kind: askPending, Job: job})
	return reply.Queued, reply.Active, err
}

// poke has the one that tends the shard look at once.
func (s *shard) poke() {
	select {
	case s.poked <- struct{}{}:
	default:
	}
}

// askedJob is jobReply to another shard. That there is no such job is true only where this member still owns the home: one that lost it
// before the job was made would have the job's first links thrown away.
func (s *shard) askedJob(job string) (Reply, error) {
	reply, err := s.jobReply(job)
	if reply.State == Running {
		s.poke() // those who look at it want what its pages have left until now
	}
	if !errors.Is(err, ErrUnknown) {
		return reply, err
	}
	if err := s.db.Update(func(tx crawl.Tx) error { return tx.Put(bucketOwner, []byte("asked"), []byte(job)) }); err != nil {
		return reply, err
	}
	return reply, ErrUnknown
}

func (s *shard) jobReply(job string) (reply Reply, err error) {
	err = s.db.View(func(tx crawl.Tx) error {
		row, err := readJob(tx, job)
		if err != nil {
			return err
		}
		reply.Spec, reply.State, reply.Removed, reply.Cancelled = row.Spec, row.State, row.Removed, row.Cancelled
		reply.At, reply.Shared, reply.Shards = row.At, row.Shared, spread(tx, job)
		reply.Last, err = outbox.LastEvent(tx, job)
		return err
	})
	return reply, err
}

func (s *shard) join(job string, target int) error {
	return s.db.Update(func(tx crawl.Tx) error {
		row, err := readJob(tx, job)
		if err != nil {
			return err
		}
		if row.State != Running {
			return ErrOver
		}
		return tx.Put(bucketSpread, spreadKey(job, target), []byte{1})
	})
}

func spreadKey(job string, shard int) []byte {
	return binary.BigEndian.AppendUint16(append([]byte(job), 0), uint16(shard))
}

// spread returns the shards that links of a job were sent to, in order.
func spread(tx crawl.Tx, job string) (list []int) {
	prefix := append([]byte(job), 0)
	for key := range tx.Scan(bucketSpread, prefix) {
		if !bytes.HasPrefix(key, prefix) {
			break
		}
		list = append(list, int(binary.BigEndian.Uint16(key[len(prefix):])))
	}
	return list
}

func (s *shard) grant(r Request) (granted int, err error) {
	before, after := 0, 0
	err = s.db.Update(func(tx crawl.Tx) error {
		row, err := readJob(tx, r.Job)
		if err == nil && (row.State == Ended || row.State == gone) {
			err = ErrOver
		}
		if err != nil {
			return err
		}
		if before, err = limits.Free(tx, r.Job, row.Spec.Limit); err != nil {
			return err
		}
		granted, err = limits.Grant(tx, row.Spec.Limit, limits.Request{
			Job: r.Job, Shard: r.Shard, Version: r.Version, Held: r.Held, Want: r.Want,
		})
		if err != nil {
			return err
		}
		after, err = limits.Free(tx, r.Job, row.Spec.Limit)
		return err
	})
	if err == nil && after > before {
		s.poke() // another shard may wait for it
	}
	return granted, err
}

func (s *shard) events(r Request) (reply Reply, err error) {
	err = s.db.View(func(tx crawl.Tx) error {
		row, err := readJob(tx, r.Job)
		if err == nil && row.Removed {
			err = ErrUnknown
		}
		if err != nil {
			return err
		}
		reply.Events, err = outbox.Events(tx, r.Job, r.After, r.Limit)
		return err
	})
	return reply, err
}

func (s *shard) cancel(job string) error {
	defer s.poke()
	return s.db.Update(func(tx crawl.Tx) error {
		row, err := readJob(tx, job)
		if err == nil && row.Removed {
			err = ErrUnknown
		}
		if err != nil || row.State != Running {
			return err
		}
		row.State, row.Cancelled = Ending, true
		return row.write(tx, job)
	})
}

// triesEach is how many URLs are tried for each shard.
const triesEach = 16

// Here returns a URL that stands for a job as a whole. It belongs to a shard that is open here, if there is one.
func (n *Node) Here() string {
	own := map[int]bool{}
	for _, shard := range n.Open() {
		own[shard] = true
	}
	for i := range triesEach * n.o.Shards {
		if url := wholeURL(i); own[shards.Of(url, n.o.Shards)] {
			return url
		}
	}
	return wholeURL(0)
}

func wholeURL(i int) string { return fmt.Sprintf("https://whole-%d.invalid/", i) }
