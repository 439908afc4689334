package cluster

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/node"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

// part is a job on a shard, as an engine has it.
type part struct {
	node.Place
	m *Member
}

var _ spread.Part = part{}

func (m *Member) part(p node.Place) part { return part{p, m} }

// Job implements [spread.Part].
func (p part) Job() spread.Job { return spreadJob(p.Place.Job()) }

// Key implements [spread.Part].
func (p part) Key() any { return p.Place }

// DB implements [spread.Part].
func (p part) DB() crawl.DB { return partDB{p.Place.DB(), p.m} }

// Put implements [spread.Part].
func (p part) Put(ctx context.Context, found []crawl.Found) error {
	return p.m.patiently(ctx, func() error { return p.Place.Put(ctx, found) })
}

// Claim implements [spread.Part].
func (p part) Claim(ctx context.Context, item crawl.Item, url, key string) (own bool, err error) {
	err = p.m.patiently(ctx, func() (err error) {
		own, err = p.Place.Claim(ctx, item, url, key)
		return err
	})
	return own, err
}

// Share implements [spread.Part].
func (p part) Share(ctx context.Context, text string) error {
	return p.m.patiently(ctx, func() error { return p.Place.Share(ctx, text) })
}

// patiently repeats what the cluster can't do now, until the page is no longer the member's.
func (m *Member) patiently(ctx context.Context, do func() error) error {
	for {
		err := do()
		if err == nil || isOver(err) || ctx.Err() != nil || m.ctx.Err() != nil {
			return translated(err)
		}
		m.say("reach the cluster", err)
		if pause(ctx, retryWork) != nil || m.ctx.Err() != nil {
			return translated(err)
		}
	}
}

// partDB is a shard's store, whose transactions wait while the server can't be reached.
type partDB struct {
	crawl.DB
	m *Member
}

// Update implements [crawl.DB].
func (d partDB) Update(f func(crawl.Tx) error) error {
	var refused error // of f itself
	err := d.m.patiently(d.m.ctx, func() error {
		err := d.DB.Update(func(tx crawl.Tx) error {
			refused = f(tx)
			return refused
		})
		if refused != nil {
			return nil
		}
		return err
	})
	if refused != nil {
		return translated(refused)
	}
	return err
}
