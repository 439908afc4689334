package node

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
	"github.com/winnow-go/winnow/engine/cluster/internal/lease/leasetest"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
	"github.com/winnow-go/winnow/engine/cluster/internal/links/linkstest"
)

// The services as one member reaches them: each call may fail before or after it did what it is for, may find the member asleep while the
// others go on, and may be its last.

var (
	errGone     = errors.New("simulation: the store has another owner")
	errNoAnswer = errors.New("simulation: no answer")
	errNoOwner  = errors.New("simulation: the shard has no owner that answers")
	errNoSend   = errors.New("simulation: not sent")
)

// keys are the key-value store.
type keys struct {
	*leasetest.Store
	m *member
}

func (k keys) Entries(ctx context.Context) (list []lease.Entry, err error) {
	if k.m.sick == noKeys {
		return nil, errNoAnswer
	}
	err = k.m.reach(func() error {
		list, err = k.Store.Entries(ctx)
		return err
	})
	return list, err
}

func (k keys) Put(ctx context.Context, key, value string, revision uint64) (next uint64, err error) {
	err = k.m.reach(func() error {
		next, err = k.Store.Put(ctx, key, value, revision)
		return err
	})
	if err == nil && k.m.sick == noAnswers {
		return 0, errNoAnswer
	}
	return next, err
}

func (k keys) Delete(ctx context.Context, key string, revision uint64) error {
	return k.m.reach(func() error { return k.Store.Delete(ctx, key, revision) })
}

// inbox is one of the streams. What was appended may be so once more, much later: its id is forgotten by then.
type inbox struct {
	*linkstest.Log
	m *member
}

func (l inbox) Append(ctx context.Context, id string, data []byte) error {
	err := l.m.reach(func() error { return l.Log.Append(ctx, id, data) })
	if l.m.s.chance(faultOften) {
		l.m.s.count.late++
		l.m.s.later = append(l.m.s.later, func() { _ = l.Log.Append(ctx, id+" again", data) })
	}
	return err
}

func (l inbox) Read(ctx context.Context, after uint64, limit int) (list []links.Message, err error) {
	if l.m.sick == noFiles {
		return nil, errNoAnswer
	}
	err = l.m.reach(func() error {
		list, err = l.Log.Read(ctx, after, limit)
		return err
	})
	return list, err
}

func (l inbox) Last(ctx context.Context) (last uint64, err error) {
	err = l.m.reach(func() error {
		last, err = l.Log.Last(ctx)
		return err
	})
	return last, err
}

func (l inbox) Trim(ctx context.Context, through uint64) error {
	return l.m.reach(func() error { return l.Log.Trim(ctx, through) })
}

// replica is a shard's store as one owner has it. It takes transactions as long as no other owner came.
type replica struct {
	m      *member
	shard  int
	local  *cache.Map
	names  map[string]bool // buckets
	closed bool
}

// open is the end of the owner before: what it has committed is copied.
func (m *member) open(_ context.Context, number int) (DB, error) {
	if m.sick == noFiles {
		return nil, errNoAnswer
	}
	r := &replica{m: m, shard: number, local: cache.NewMap(), names: map[string]bool{}}
	err := m.reach(func() error {
		before := m.s.stores[number]
		m.s.stores[number] = r
		return before.copyTo(r)
	})
	return r, err
}

func (r *replica) copyTo(to *replica) error {
	if r == nil {
		return nil
	}
	to.names = maps.Clone(r.names)
	return r.local.View(func(from crawl.Tx) error {
		return to.local.Update(func(tx crawl.Tx) error {
			for name := range r.names {
				for k, v := range from.Scan(name, nil) {
					if err := tx.Put(name, k, v); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

func (r *replica) View(f func(crawl.Tx) error) error {
	if r.closed {
		return errGone
	}
	return r.local.View(f)
}

func (r *replica) Update(f func(crawl.Tx) error) error {
	return r.m.reach(func() error {
		if r.m.s.stores[r.shard] != r {
			r.m.s.count.refused++
			return errGone
		}
		if r.closed {
			return errGone
		}
		return r.local.Update(func(tx crawl.Tx) error { return f(noting{tx, r.names}) })
	}, func() error { // it was committed, and the answer never came: the member's store is closed while it waits
		r.closed = true
		return errGone
	})
}

func (r *replica) Close() error {
	r.closed = true
	return nil
}

// noting notes the names of buckets, and counts in rows, so that another owner goes on.
type noting struct {
	crawl.Tx
	names map[string]bool
}

func (n noting) Put(bucket string, key, value []byte) error {
	n.names[bucket] = true
	return n.Tx.Put(bucket, key, value)
}

func (n noting) Next(bucket string) (uint64, error) {
	next := uint64(1)
	if row := n.Get("numbers", []byte(bucket)); row != nil {
		next += binary.BigEndian.Uint64(row)
	}
	return next, n.Put("numbers", []byte(bucket), binary.BigEndian.AppendUint64(nil, next))
}

// call brings a request to one of those that take themselves for the shard's owner.
func (m *member) call(ctx context.Context, number int, r Request) (reply Reply, err error) {
	if r.Kind == askReport && m.s.chance(slowReport) { // what happens between the reports is what the rounds are about
		m.s.others(100, 50*time.Millisecond)
	}
	err = m.reach(func() error {
		reply, err = m.s.serve(ctx, number, r)
		return err
	})
	if m.s.chance(faultOften) {
		m.s.count.late++
		m.s.later = append(m.s.later, func() { _, _ = m.s.serve(ctx, number, r) })
	}
	return reply, err
}

func (s *simulation) serve(ctx context.Context, number int, r Request) (Reply, error) {
	var owners []*member
	for _, m := range s.members {
		if sh, err := m.node.shard(number); err == nil && m.serves(sh, r) {
			owners = append(owners, m)
		}
	}
	if len(owners) == 0 {
		return Reply{}, fmt.Errorf("%s to %d: %w", r.Kind, number, errNoOwner)
	}
	m, reply, err := owners[s.random.IntN(len(owners))], Reply{}, errNoAnswer
	s.guard(m, func() { reply, err = m.node.Serve(ctx, number, r) })
	return reply, err
}

// serves reports whether a member answers: not while it sleeps, and while a step of it goes on only what needs no lock of a part.
func (m *member) serves(sh *shard, r Request) bool {
	if m.asleep || m.dead {
		return false
	}
	if m.steps == 0 {
		return true
	}
	if r.Kind != askReport && r.Kind != askSeal && r.Kind != askClaim {
		return true
	}
	if !sh.opening.TryLock() {
		return false
	}
	sh.opening.Unlock()
	p := sh.known(r.Job)
	if p == nil {
		return true
	}
	if !p.mu.TryLock() {
		return false
	}
	p.mu.Unlock()
	return true
}
