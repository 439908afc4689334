package cluster

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/node"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

// Engines is a Member that works for an engine, as its Options.Cluster. Make it with [Join]. The engine closes it; where none is made,
// Close it. It is safe for concurrent use.
type Engines struct{ cluster }

// cluster is what an engine calls.
type cluster struct{ m *Member }

var _ spread.Cluster = Engines{}

// Join joins a cluster of engines, as [Open] does, for the one that is made with it. Of the Options, Visit and Workers must be unset: the
// engine brings them. All engines of a cluster should have the same options and version. Errors are those of Open.
func Join(ctx context.Context, o Options) (*Engines, error) {
	if o.Visit != nil || o.Workers != 0 {
		return nil, errors.New("cluster: Options.Visit or Workers is set: want them unset where an engine does the work")
	}
	m, err := newMember(ctx, o, true)
	if err != nil {
		return nil, err
	}
	return &Engines{cluster{m}}, nil
}

// Shards are those that are open here, in order.
func (e *Engines) Shards() []int { return e.m.Shards() }

// Close ends all that the Member does, without giving up its shards: they go to others when its lease has ended.
func (e *Engines) Close() error { return e.m.Close() }

// Serve implements [spread.Cluster].
func (e cluster) Serve(w spread.Worker, pages int) error {
	if e.m.engine != nil {
		return errors.New("cluster: an Engines has one engine")
	}
	e.m.engine, e.m.o.Workers = w, pages
	e.m.run()
	return nil
}

// Start implements [spread.Cluster].
func (e cluster) Start(ctx context.Context, job spread.Job, seeds []crawl.Found) error {
	spec := node.Spec{Limit: job.Limit, Delay: job.Delay, Active: job.Active, Keep: job.Keep, Whole: job.Whole, Data: job.Data}
	if job.Whole {
		seeds = []crawl.Found{{URL: e.m.node.Here()}}
	}
	return translated(e.m.node.Start(ctx, job.ID, spec, seeds))
}

// translated makes an error of a node one of package spread.
func translated(err error) error {
	switch {
	case errors.Is(err, node.ErrUnknown):
		return spread.ErrUnknown
	case errors.Is(err, node.ErrRemoved):
		return spread.ErrRemoved
	case err != nil && isOver(err):
		return errors.Join(spread.ErrGone, err)
	}
	return err
}

// Status implements [spread.Cluster].
func (e cluster) Status(ctx context.Context, id string) (spread.Status, error) {
	now, err := e.m.node.Job(ctx, id)
	return spread.Status{
		Job: spreadJob(id, now.Spec), Ended: now.State == node.Ended, Cancelled: now.Cancelled, At: now.At, Events: now.Last,
	}, translated(err)
}

func spreadJob(id string, s node.Spec) spread.Job {
	return spread.Job{ID: id, Limit: s.Limit, Delay: s.Delay, Active: s.Active, Keep: s.Keep, Whole: s.Whole, Data: s.Data}
}

// atOnce are requests that Pending sends at once.
const atOnce = 32

// Pending implements [spread.Cluster].
func (e cluster) Pending(ctx context.Context, id string) (queued, active int, err error) {
	now, err := e.m.node.Job(ctx, id)
	if err != nil {
		return 0, 0, translated(err)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	var sum struct{ queued, active atomic.Int64 }
	for _, shard := range now.Shards {
		group.Go(func() error {
			queued, active, err := e.m.node.Pending(ctx, id, shard)
			sum.queued.Add(int64(queued))
			sum.active.Add(int64(active))
			return err
		})
	}
	err = group.Wait()
	return int(sum.queued.Load()), int(sum.active.Load()), translated(err)
}

// Events implements [spread.Cluster].
func (e cluster) Events(ctx context.Context, id string, after uint64, limit int) (list []spread.Event, err error) {
	events, err := e.m.node.Events(ctx, id, after, limit)
	for _, one := range events {
		list = append(list, spread.Event{Number: one.Number, Shard: one.Shard, Data: one.Data})
	}
	return list, translated(err)
}

// Cancel implements [spread.Cluster].
func (e cluster) Cancel(ctx context.Context, id string) error {
	return translated(e.m.node.Cancel(ctx, id))
}

// Leave implements [spread.Cluster].
func (e cluster) Leave(ctx context.Context) error { return e.m.Leave(ctx) }
