package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/limits"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
)

// remove has a job ended and forgotten.
func (s *shard) remove(job string) error {
	defer s.poke()
	return s.db.Update(func(tx crawl.Tx) error {
		row, err := readJob(tx, job)
		if err != nil || row.Removed {
			return err
		}
		if row.Removed = true; row.State == Running {
			row.State, row.Cancelled = Ending, true
		}
		return row.write(tx, job)
	})
}

// forget removes what the shards of a job that has ended have of it, and then what its home has. All that stays are marks that it is over,
// so that links and requests that come late find no new job, and its ID has no second one.
func (h *home) forget(ctx context.Context) error {
	h.changed = true
	list, err := h.spread()
	if err != nil {
		return err
	}
	for _, shard := range list {
		if _, err := h.s.n.o.Call(ctx, shard, Request{Kind: askDrop, Job: h.job}); err != nil {
			return err
		}
	}
	own := append([]byte(h.job), 0)
	if err := errors.Join(outbox.Drop(h.s.db, h.job), limits.Drop(h.s.db, h.job), crawl.DropRows(h.s.db, bucketSpread, own)); err != nil {
		return err
	}
	return h.s.db.Update(func(tx crawl.Tx) error {
		return errors.Join(tx.Put(bucketGone, []byte(h.job), []byte{1}), tx.Delete(bucketJobs, []byte(h.job)))
	})
}

// drop removes what the shard has of a job that is over.
func (s *shard) drop(ctx context.Context, job string) error {
	over, err := s.sealed(job)
	if err != nil {
		return err
	}
	if !over {
		return fmt.Errorf("node: job %q is not over on shard %d", job, s.number)
	}
	if s.n.o.Forget != nil {
		if err := s.n.o.Forget(s.db, job); err != nil {
			return err
		}
	}
	if err := crawl.Drop(ctx, s.db, job); err != nil {
		return err
	}
	if err := errors.Join(outbox.DropEntries(s.db, job), limits.DropHolding(s.db, job)); err != nil {
		return err
	}
	return s.db.Update(func(tx crawl.Tx) error { return tx.Delete(bucketParts, []byte(job)) })
}
