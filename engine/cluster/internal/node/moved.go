package node

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// claim claims the key of where an item was led to, at the shard that has it.
func (p *part) claim(ctx context.Context, item crawl.Item, url, key string) (own bool, err error) {
	if p.over.Load() {
		return false, ErrOver
	}
	target := shards.Of(url, p.s.n.o.Shards)
	if target < 0 || key == item.Key || key == item.URL && item.Key == "" {
		return true, nil
	}
	if target == p.s.number {
		return p.f.Claim(ctx, item, key)
	}
	if err := p.join(ctx, map[int][]crawl.Found{target: nil}); err != nil {
		return false, err
	}
	reply, err := p.s.n.o.Call(ctx, target, Request{Kind: askClaim, Job: p.job, Shard: p.s.number, Item: item.ID, Key: key})
	return reply.Own, err
}

// claimFor claims a key for an item of another shard.
func (p *part) claimFor(ctx context.Context, r Request) (own bool, err error) {
	if p.over.Load() {
		return false, ErrOver
	}
	return p.f.ClaimFor(ctx, r.Shard, r.Item, r.Key)
}
