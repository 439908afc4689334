package spreading

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// follower is how far a mirror is that is being followed. Safe for concurrent use.
type follower struct {
	poked chan struct{} // someone waits

	mu      sync.Mutex
	event   uint64
	over    bool
	changed chan struct{} // closed, and another one, when that has changed
}

// follow notes that a mirror is followed, or is going to be.
func (s *Spreading) follow(id string) *follower {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.followed[id]
	if f == nil {
		f = &follower{poked: make(chan struct{}, 1), changed: make(chan struct{})}
		s.followed[id] = f
	}
	return f
}

// left notes that a mirror is followed no more.
func (s *Spreading) left(f *follower, id string) {
	s.mu.Lock()
	delete(s.followed, id)
	s.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	close(f.changed)
}

// advance notes how far it is.
func (f *follower) advance(event uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.event != event {
		f.event = event
		close(f.changed)
		f.changed = make(chan struct{})
	}
}

// await waits for that time, or until someone needs the mirror to be further; it reports that.
func (f *follower) await(ctx context.Context, d time.Duration) (poked bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-f.poked:
		return true
	}
	return false
}

// reached waits until the mirror has an event, or where the job has ended, until that is known here.
func (f *follower) reached(ctx, closed context.Context, event uint64, ended bool) error {
	for {
		f.mu.Lock()
		there, changed := f.over || !ended && f.event >= event, f.changed
		f.mu.Unlock()
		if there {
			return nil
		}
		select {
		case f.poked <- struct{}{}:
		default:
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-closed.Done():
			return jobs.ErrClosed
		}
	}
}

// Sync implements [work.Elsewhere].
func (s *Spreading) Sync(ctx context.Context, id string) error {
	s.mu.Lock()
	f := s.followed[id]
	s.mu.Unlock()
	if f == nil {
		return nil
	}
	var status spread.Status
	err := s.reach(ctx, func() (err error) {
		status, err = s.cluster.Status(ctx, id)
		return err
	})
	if errors.Is(err, spread.ErrUnknown) {
		return f.reached(ctx, s.ctx, 0, true)
	}
	if err != nil {
		return err
	}
	return f.reached(ctx, s.ctx, status.Events, status.Ended)
}

// Pending implements [work.Elsewhere].
func (s *Spreading) Pending(ctx context.Context, id string) (queued, active int, err error) {
	r, err := s.runner.Records.Get(ctx, id)
	if err != nil {
		return 0, 0, err
	}
	if r.State.Final() || s.runner.Moves(r.Kind) {
		at, err := readPosition(s.runner.DB(), id)
		return at.Queued, at.Active, err
	}
	err = s.reach(ctx, func() error {
		queued, active, err = s.cluster.Pending(ctx, id)
		return err
	})
	if errors.Is(err, spread.ErrUnknown) {
		err = nil
	}
	return queued, active, err
}

// Cancel implements [work.Elsewhere].
func (s *Spreading) Cancel(ctx context.Context, id string) error {
	err := s.reach(ctx, func() error { return s.cluster.Cancel(ctx, id) })
	if errors.Is(err, spread.ErrUnknown) {
		return jobs.ErrNotFound
	}
	return err
}

// Drop implements [work.Elsewhere].
func (s *Spreading) Drop(db work.DB, id string) error {
	return errors.Join(work.DropRows(db, bucketPieces, id), db.Update(func(tx jobs.Tx) error { return tx.Delete(bucketRead, []byte(id)) }))
}
