package cluster

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/cluster/internal/jet"
	"github.com/winnow-go/winnow/engine/cluster/internal/node"
)

// pauses of a member.
const (
	tendEvery = 100 * time.Millisecond
	maxIdle   = 2 * time.Second // between looks at a job that goes on as it was
	retryWork = 100 * time.Millisecond
)

// run starts what a member does all the time.
func (m *Member) run() {
	m.work.Go(m.beat)
	m.work.Go(m.openShards)
	for range m.o.Workers {
		m.work.Go(m.worker)
	}
}

// pause waits, or returns the error of ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// beat keeps the member alive in the eyes of the others, and gives up the shards that it lost.
func (m *Member) beat() {
	for m.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(m.ctx, m.o.TTL)
		_, err := m.node.Balance(ctx)
		cancel()
		m.say("lease", err)
		m.subscribe()
		select {
		case m.gained <- struct{}{}:
		default:
		}
		_ = pause(m.ctx, m.o.TTL/5)
	}
}

// subscribe serves what is open, one call at a time: an older list would undo what is done with a newer one.
func (m *Member) subscribe() {
	m.subscribing.Lock()
	defer m.subscribing.Unlock()
	m.say("subscribe", m.calls.Serve(m.node.Open()))
}

// openShards opens the shards that the member got.
func (m *Member) openShards() {
	var serving sync.WaitGroup
	defer serving.Wait()
	for {
		select {
		case <-m.ctx.Done():
			return
		case <-m.gained:
		}
		for m.ctx.Err() == nil {
			shard, err := m.node.OpenNext(m.ctx)
			if shard < 0 {
				break
			}
			if err != nil {
				m.say("open a shard", err)
				continue
			}
			m.subscribe()
			poked := m.node.Poked(shard)
			serving.Go(func() { m.takeIn(shard, poked) })
			serving.Go(func() { m.tend(shard, poked) })
		}
	}
}

// serves reports whether a shard is open as it was when it got that channel: one that was opened again since then is others' work.
func (m *Member) serves(shard int, poked <-chan struct{}) bool {
	return m.ctx.Err() == nil && poked != nil && m.node.Poked(shard) == poked
}

// takeIn reads the inbox of a shard as long as it is open.
func (m *Member) takeIn(shard int, poked <-chan struct{}) {
	for m.serves(shard, poked) {
		_, err := m.node.TakeIn(m.ctx, shard)
		if errors.Is(err, node.ErrNotOwner) || gone(err) {
			return
		}
		if err != nil {
			m.say("read an inbox", err)
			_ = pause(m.ctx, retryWork)
		}
	}
}

// tend looks after the jobs whose home a shard is as long as it is open.
func (m *Member) tend(shard int, poked <-chan struct{}) {
	every := tendEvery
	for m.serves(shard, poked) {
		changed, err := m.node.Tend(m.ctx, shard)
		if errors.Is(err, node.ErrNotOwner) || gone(err) {
			return
		}
		m.say("look after jobs", err)
		if every = min(2*every, maxIdle); changed || err != nil {
			every = tendEvery
		}
		timer := time.NewTimer(every)
		select {
		case <-m.ctx.Done():
		case <-timer.C:
		case <-poked:
			every = tendEvery
		}
		timer.Stop()
	}
}

// say logs what went wrong, unless the member is being closed.
func (m *Member) say(what string, err error) {
	if err != nil && m.ctx.Err() == nil && !errors.Is(err, jet.ErrSilent) {
		m.o.Logger.Warn("cluster: "+what, "err", err)
	}
}
