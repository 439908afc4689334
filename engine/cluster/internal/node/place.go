package node

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// Place is a job on an open shard, for those that keep something of their own there. It is a value: two of the same part are equal.
type Place struct{ p *part }

// Place of a page.
func (w *Work) Place() Place { return Place{w.part} }

// Job and its Spec.
func (p Place) Job() (string, Spec) { return p.p.job, p.p.spec }

// DB is the store of the shard.
func (p Place) DB() crawl.DB { return p.p.s.db }

// Frontier of the job on the shard.
func (p Place) Frontier() *crawl.Frontier { return p.p.f }

// Pace of the job's hosts there.
func (p Place) Pace() *crawl.Pace { return p.p.pace }

// Shared is what [Place.Share] had kept when the part was made.
func (p Place) Shared() string { return p.p.shared }

// Over reports whether the job is over, or the shard no longer open here.
func (p Place) Over() bool {
	s, err := p.p.s.n.shard(p.p.s.number)
	return err != nil || s != p.p.s || p.p.over.Load()
}

// Own reports whether a URL belongs to the shard.
func (p Place) Own(url string) bool { return shards.Of(url, p.p.s.n.o.Shards) == p.p.s.number }

// Put queues URLs on the shards that they belong to.
func (p Place) Put(ctx context.Context, found []crawl.Found) error {
	return p.p.s.n.note(p.p.s, p.p.spread(ctx, found))
}

func (p *part) spread(ctx context.Context, found []crawl.Found) error {
	if p.over.Load() {
		return ErrOver
	}
	own, err := p.send(ctx, found)
	if err != nil || len(own) == 0 {
		return err
	}
	if err := p.put(ctx, own, func(crawl.Tx) error { return nil }); err != nil {
		return err
	}
	p.s.n.wake()
	return nil
}

// send sends links to the inboxes of the shards that they belong to, and returns those of this shard.
func (p *part) send(ctx context.Context, found []crawl.Found) (own []crawl.Found, err error) {
	targets := shards.Split(found, p.s.n.o.Shards)
	own = targets[p.s.number]
	delete(targets, p.s.number)
	if err := p.join(ctx, targets); err != nil {
		return nil, err
	}
	for _, target := range shards.In(targets) {
		if err := p.s.n.o.Sender.Send(ctx, target, p.job, targets[target]); err != nil {
			return nil, err
		}
	}
	return own, nil
}

// Claim is [Node.Claim].
func (p Place) Claim(ctx context.Context, item crawl.Item, url, key string) (own bool, err error) {
	own, err = p.p.claim(ctx, item, url, key)
	return own, p.p.s.n.note(p.p.s, err)
}

// Append adds an entry for the home in a transaction on DB.
func (p Place) Append(tx crawl.Tx, entry []byte) error {
	if tx.Get(bucketOver, []byte(p.p.job)) != nil {
		return ErrOver
	}
	_, err := outbox.Append(tx, p.p.job, entry)
	return err
}

// Share keeps a text at the home, which the parts get that are made after that.
func (p Place) Share(ctx context.Context, text string) error {
	_, err := p.p.s.n.callHome(ctx, Request{Kind: askShare, Job: p.p.job, Text: text})
	return err
}

// share writes the text into the job's record.
func share(s *shard, job, text string) error {
	return s.db.Update(func(tx crawl.Tx) error {
		row, err := readJob(tx, job)
		if err == nil && row.State != Running {
			err = ErrOver
		}
		if err != nil {
			return err
		}
		row.Shared = text
		return row.write(tx, job)
	})
}

// pendingOn counts the pages of a job on the shard; of one that is over as it was left.
func pendingOn(ctx context.Context, s *shard, job string) (reply Reply, err error) {
	var f *crawl.Frontier
	if p := s.known(job); p != nil {
		f = p.f
	} else {
		there := false
		err := s.db.View(func(tx crawl.Tx) error {
			there = tx.Get(bucketParts, []byte(job)) != nil
			return nil
		})
		if err != nil || !there {
			return reply, err
		}
		if f, err = crawl.Open(s.db, job, crawl.Options{Now: s.n.o.Now}); err != nil {
			return reply, err
		}
	}
	stats, err := f.Stats(ctx)
	reply.Queued, reply.Active = stats.Queued, stats.Leased
	return reply, err
}

// last has a part that has nothing left to do queue what it kept for that moment; it reports whether there was any.
func (p *part) last(ctx context.Context) (more bool, err error) {
	if p.s.n.o.Last == nil {
		return false, nil
	}
	more, err = p.s.n.o.Last(ctx, Place{p})
	if more {
		p.idle.Store(false)
		p.s.n.wake()
	}
	return more, err
}
