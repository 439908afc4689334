// Package spreading has the jobs of an engine that are spread over the machines of a cluster: it starts them there, works on their pages,
// and keeps mirrors of them here, which is what their readers read.
//
// A mirror is a job in the engine's own store, made of the events of the cluster in their order. Those are the same for all machines, and
// so are the mirrors, once they have read as far: their documents, events, counts and errors have the same numbers and times everywhere.
//
// Start with [New].
//
//   - spreading.go — [Spreading]: an engine in a cluster
//   - start.go — [Spreading.Start]: a job is made, or found
//   - refuse.go — [Check], [Refuse]: what can't be honoured
//   - mirror.go — [Spreading.Follow]: its mirror
//   - reading.go — how far a mirror is, and what it hasn't
//   - worker.go — the work on pages
package spreading

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Options of a Spreading, all required.
type Options struct {
	Log *slog.Logger
	Now func() time.Time
	// Notes are what jobs keep from the beginning of the request that made them.
	Notes func(context.Context) map[string]any
	// Cancelled is the code of jobs that were cancelled.
	Cancelled string
}

// Spreading is made by [New]. A nil one spreads nothing. Safe for concurrent use.
type Spreading struct {
	cluster spread.Cluster
	o       Options
	runner  *work.Runner

	ctx  context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	mu        sync.Mutex
	followed  map[string]*follower
	parts     map[any]*part
	following sync.Mutex // orders the making of mirrors
}

// New returns what spreads jobs over a [spread.Cluster]; nil where there is none.
func New(cluster any, o Options) *Spreading {
	c, ok := cluster.(spread.Cluster)
	if !ok {
		return nil
	}
	s := &Spreading{cluster: c, o: o, followed: map[string]*follower{}, parts: map[any]*part{}}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// Elsewhere is s as a runner has it; nil where s is.
func (s *Spreading) Elsewhere() work.Elsewhere {
	if s == nil {
		return nil
	}
	return s
}

// Serve begins to work on pages for a runner, which was made with [Spreading.Elsewhere].
func (s *Spreading) Serve(r *work.Runner, pages int) error {
	if s == nil {
		return nil
	}
	s.runner = r
	s.work.Go(s.sweep)
	return s.cluster.Serve(s, pages)
}

// Close ends the work on pages, and leaves the cluster. Mirrors end with their runner.
func (s *Spreading) Close() error {
	if s == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxLeave)
	defer cancel()
	err := s.cluster.Leave(ctx)
	s.end()
	s.work.Wait()
	return err
}

// pauses, and how long the cluster is waited for: its shards may be changing hands.
const (
	maxLeave  = 10 * time.Second
	maxReach  = 30 * time.Second
	reachEach = 100 * time.Millisecond
)

// reach repeats what the cluster can't do now, since a shard is between two owners, say.
func (s *Spreading) reach(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, maxReach)
	defer cancel()
	for {
		err := do()
		if err == nil || errors.Is(err, spread.ErrUnknown) || errors.Is(err, spread.ErrRemoved) || s.pause(ctx, reachEach) != nil {
			return err
		}
	}
}

// pause waits; its error says that it is of no use.
func (s *Spreading) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}
