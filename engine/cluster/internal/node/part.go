package node

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/ending"
	"github.com/winnow-go/winnow/engine/cluster/internal/limits"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// Attempts at a page: members may die of it, and of anything else while they have it.
const Attempts = 10

// dryFor is how long a shard does without what the home had no more of.
const dryFor = time.Second

// part is a job on a shard.
type part struct {
	s    *shard
	job  string
	spec Spec
	f    *crawl.Frontier // nil: the job was over when the part was made
	pace *crawl.Pace
	// shared is what the job's parts had agreed on when this one was made
	shared string
	over   atomic.Bool
	idle   atomic.Bool   // when it was last looked at; whatever may change it sets it to false afterwards
	cut    atomic.Uint64 // the home has the entries of the outbox up to this

	spares  []crawl.Item // leased, and not given out; guarded by s.mu
	entered entered

	mu       sync.Mutex // guards what follows; held while the home is called for more of the limit
	version  uint64     // of the last request for more
	held     int        // of the limit
	unsure   bool       // whether the home takes it for more, since no answer came to the last request, or the one who made it is gone
	reserved int        // for links that are being claimed
	dry      time.Time  // until then the home isn't called for more: it had none
	joined   map[int]bool
}

// reserve gets room in the limit for so many links, as far as there is any, until done is called.
func (p *part) reserve(ctx context.Context, links int) (done func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	standing, err := p.f.Standing(ctx)
	if err != nil {
		return nil, err
	}
	if short := links + p.reserved + standing.Used - p.held; short > 0 && !p.s.n.o.Now().Before(p.dry) {
		if err := p.ask(ctx, p.held, short); err != nil {
			return nil, err
		}
	}
	p.reserved += links
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reserved -= links
	}, nil
}

var errInUse = errors.New("node: what was to be given back is in use")

// ask keeps so much of the limit and asks the home for more. The version is stored before the request is sent, so that no later owner of
// the shard sends it once more, and what is given back is out of use by then. p.mu is held.
func (p *part) ask(ctx context.Context, keep, want int) error {
	p.unsure = true
	if err := p.hold(ctx, p.version+1, keep); err != nil {
		return err
	}
	reply, err := p.s.n.callHome(ctx, Request{
		Kind: askLimit, Job: p.job, Shard: p.s.number, Version: p.version, Held: p.held, Want: want,
	})
	if err != nil {
		return err
	}
	if reply.Granted < keep+want {
		p.dry = p.s.n.o.Now().Add(dryFor)
	}
	if reply.Granted > keep {
		err = p.hold(ctx, p.version, reply.Granted)
	}
	p.unsure = err != nil
	return err
}

// hold sets the limit of the frontier, and stores it.
func (p *part) hold(ctx context.Context, version uint64, held int) error {
	err := p.f.SetLimit(ctx, held, func(tx crawl.Tx, now crawl.Standing) error {
		if held < p.held && now.Used > held {
			return errInUse
		}
		return limits.Hold(tx, p.job, version, held)
	})
	if err != nil {
		return err
	}
	p.version, p.held = version, held
	p.idle.Store(false)
	p.s.n.wake()
	return nil
}

// level asks for more of the limit where links wait for it, and gives back what a shard without work doesn't need.
func (p *part) level(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := p.f.Standing(ctx)
	if err != nil || now.Pending > 0 || p.reserved > 0 {
		return err
	}
	switch {
	case now.Reserve > 0:
		err = p.ask(ctx, p.held, now.Reserve)
	case now.Used < p.held || p.unsure:
		err = p.ask(ctx, now.Used, 0)
	}
	if errors.Is(err, errInUse) {
		return nil
	}
	return err
}

// report says how the job stands, in a transaction that only the owner can make.
func (p *part) report(ctx context.Context) (r ending.Report, err error) {
	if p.over.Load() {
		return r, ErrOver
	}
	if err := p.level(ctx); err != nil {
		return r, err
	}
	if now, err := p.f.Standing(ctx); err != nil || now.Pending > 0 {
		return r, err
	}
	if more, err := p.last(ctx); more || err != nil {
		return r, err
	}
	err = p.f.Confirm(ctx, func(tx crawl.Tx, now crawl.Standing) (err error) {
		r = ending.Report{Accepted: now.Accepted, Idle: now.Pending == 0}
		if r.Taken, err = takenIn(tx); err != nil {
			return err
		}
		if r.Outbox, err = outbox.Last(tx, p.job); err != nil {
			return err
		}
		return p.trim(tx)
	})
	return r, err
}

// trim removes the entries of the outbox that the home has.
func (p *part) trim(tx crawl.Tx) error {
	if cut := p.cut.Load(); cut > 0 {
		return outbox.Cut(tx, p.job, cut)
	}
	return nil
}

// seal ends the job on this shard: no page of it is given out or completed any more, and no link taken in.
func (p *part) seal() error {
	data, err := json.Marshal(partRow{Spec: p.spec, Over: true})
	if err != nil {
		return err
	}
	err = p.s.db.Update(func(tx crawl.Tx) error {
		if tx.Get(bucketOver, []byte(p.job)) != nil {
			return nil // and may be forgotten by now
		}
		return errors.Join(tx.Put(bucketParts, []byte(p.job), data), tx.Put(bucketOver, []byte(p.job), []byte{1}))
	})
	if err != nil {
		return err
	}
	p.over.Store(true)
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	delete(p.s.parts, p.job)
	return nil
}

// join has the home know of the shards that links are about to be sent to.
func (p *part) join(ctx context.Context, targets map[int][]crawl.Found) error {
	for _, target := range shards.In(targets) {
		p.mu.Lock()
		joined := p.joined[target]
		p.mu.Unlock()
		if joined {
			continue
		}
		if _, err := p.s.n.callHome(ctx, Request{Kind: askJoin, Job: p.job, Shard: target}); err != nil {
			return err
		}
		p.mu.Lock()
		p.joined[target] = true
		p.mu.Unlock()
	}
	return nil
}
