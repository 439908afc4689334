package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/ending"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
)

// entriesAtOnce are taken from an outbox.
const entriesAtOnce = 500

// Tend does for the jobs whose home a shard is what is due: their seeds go to the inboxes, the entries of their shards' outboxes become
// events, and those that are over end. It reports whether something has changed. An error of one job doesn't keep the others waiting.
func (n *Node) Tend(ctx context.Context, number int) (changed bool, err error) {
	s, err := n.shard(number)
	if err != nil {
		return false, err
	}
	rows, err := s.unfinished()
	if err != nil {
		return false, n.note(s, err)
	}
	var errs error
	for _, job := range rows {
		h := &home{s: s, job: job}
		if err := n.note(s, h.tend(ctx)); err != nil {
			errs = errors.Join(errs, fmt.Errorf("job %s: %w", job, err))
		}
		changed = changed || h.changed
	}
	return changed, errs
}

// Poked returns what has a value when Tend of a shard should be called at once; nil: the shard is not open.
func (n *Node) Poked(number int) <-chan struct{} {
	if s, err := n.shard(number); err == nil {
		return s.poked
	}
	return nil
}

func (s *shard) unfinished() (list []string, err error) {
	err = s.db.View(func(tx crawl.Tx) error {
		list = nil
		for job := range tx.Scan(bucketJobs, nil) {
			row, err := readJob(tx, string(job))
			if err != nil {
				return err
			}
			if row.State != Ended || row.Removed || row.expired(s.n.o.Now()) {
				list = append(list, string(job))
			}
		}
		return nil
	})
	return list, err
}

// home is a job in its home.
type home struct {
	s       *shard
	job     string
	changed bool
}

func (h *home) tend(ctx context.Context) error {
	reply, err := h.s.jobReply(h.job)
	if err != nil {
		return err
	}
	switch reply.State {
	case Ending:
		return h.seal(ctx)
	case Ended:
		if err := h.s.remove(h.job); err != nil { // if it has expired
			return err
		}
		return h.forget(ctx)
	}
	if err := h.feed(ctx); err != nil {
		return err
	}
	if err := h.checkSlots(ctx); err != nil {
		return err
	}
	list, err := h.spread()
	if err != nil {
		return err
	}
	if err := h.collectAll(ctx, list); err != nil {
		return err
	}
	over, err := h.rounds(ctx)
	if err != nil || !over {
		return err
	}
	return h.seal(ctx)
}

func (h *home) spread() (list []int, err error) {
	err = h.s.db.View(func(tx crawl.Tx) error {
		list = spread(tx, h.job)
		return nil
	})
	return list, err
}

func (h *home) collectAll(ctx context.Context, list []int) error {
	for _, shard := range list {
		if err := h.collect(ctx, shard); err != nil {
			return err
		}
	}
	return nil
}

// collect makes events of the entries of a shard's outbox.
func (h *home) collect(ctx context.Context, shard int) error {
	for {
		after, err := h.taken(shard)
		if err != nil {
			return err
		}
		reply, err := h.s.n.o.Call(ctx, shard, Request{Kind: askOutbox, Job: h.job, After: after, Limit: entriesAtOnce})
		if err != nil || len(reply.Entries) == 0 {
			return err
		}
		h.changed = true
		err = h.s.db.Update(func(tx crawl.Tx) error {
			_, err := outbox.Take(tx, h.job, shard, reply.Entries)
			return err
		})
		if err != nil {
			return err
		}
	}
}

func (h *home) taken(shard int) (number uint64, err error) {
	err = h.s.db.View(func(tx crawl.Tx) (err error) {
		number, err = outbox.Taken(tx, h.job, shard)
		return err
	})
	return number, err
}

// rounds has all shards of the job report twice how it stands; see package ending. It ends at the first that is busy.
func (h *home) rounds(ctx context.Context) (over bool, err error) {
	list, err := h.spread()
	if err != nil {
		return false, err
	}
	r := ending.Rounds{Inboxes: map[int]uint64{}}
	if r.First, err = h.round(ctx, list); err != nil || r.First == nil {
		return false, err
	}
	if r.Shards, err = h.spread(); err != nil {
		return false, err
	}
	for _, shard := range r.Shards {
		if r.Inboxes[shard], err = h.s.n.o.Inbox(shard).Last(ctx); err != nil {
			return false, err
		}
	}
	if r.Second, err = h.round(ctx, r.Shards); err != nil || r.Second == nil {
		return false, err
	}
	if over, because := r.Over(); !over {
		h.busy(because)
		return false, nil
	}
	return h.end(ctx, r)
}

// round gets a report of each shard, first of the one that was busy last time; nil: one is busy.
func (h *home) round(ctx context.Context, list []int) (map[int]ending.Report, error) {
	by := map[int]ending.Report{}
	h.s.mu.Lock()
	if i := slices.Index(list, h.s.last[h.job]); i > 0 {
		list = append(slices.Clone(list[i:]), list[:i]...)
	}
	h.s.mu.Unlock()
	for _, shard := range list {
		reply, err := h.s.n.o.Call(ctx, shard, Request{Kind: askReport, Job: h.job})
		if err != nil || !reply.Report.Idle {
			h.busy(shard)
			return nil, err
		}
		by[shard] = reply.Report
	}
	return by, nil
}

// busy notes a shard because of which the job isn't over: the next round begins with it.
func (h *home) busy(shard int) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.s.last[h.job] = shard
}

var errChanged = errors.New("node: the job has changed meanwhile")

// end writes that the job is over, when the home has all entries of all outboxes.
func (h *home) end(ctx context.Context, r ending.Rounds) (bool, error) {
	if err := h.collectAll(ctx, r.Shards); err != nil {
		return false, err
	}
	err := h.s.db.Update(func(tx crawl.Tx) error {
		row, err := readJob(tx, h.job)
		if err != nil {
			return err
		}
		if row.State != Running || !slices.Equal(spread(tx, h.job), r.Shards) {
			return errChanged
		}
		for shard, report := range r.Second {
			if taken, err := outbox.Taken(tx, h.job, shard); err != nil || taken < report.Outbox {
				return errors.Join(err, errChanged)
			}
		}
		row.State = Ending
		return row.write(tx, h.job)
	})
	if errors.Is(err, errChanged) {
		return false, nil
	}
	return err == nil, err
}

// seal has all shards know that the job is over, and takes what pages of a cancelled job have written until then; after that it has ended.
func (h *home) seal(ctx context.Context) error {
	h.changed = true
	h.dropSlots()
	list, err := h.spread()
	if err != nil {
		return err
	}
	for _, shard := range list {
		if _, err := h.s.n.o.Call(ctx, shard, Request{Kind: askSeal, Job: h.job}); err != nil {
			return err
		}
	}
	if err := h.collectAll(ctx, list); err != nil {
		return err
	}
	return h.s.db.Update(func(tx crawl.Tx) error {
		row, err := readJob(tx, h.job)
		if err != nil {
			return err
		}
		if row.State != Ended {
			row.State, row.At = Ended, h.s.n.o.Now().UTC()
		}
		return errors.Join(dropSeeds(tx, h.job, 0), row.write(tx, h.job))
	})
}
