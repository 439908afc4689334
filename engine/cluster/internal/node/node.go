// Package node is one member of a cluster without what connects it: its shards, the jobs on them, and the jobs whose home one of them is.
// It has no goroutine and no clock of its own. Each step is a call that does one thing and returns, so that a test can run the steps of
// many members in any order, and stop one in the middle.
//
// Everything that must survive is in the stores of the shards, each of which takes transactions from the member alone that opened it last:
// a step of a member that has lost a shard fails at its next transaction on it and has changed nothing.
//
//   - node.go — [Node], [Options]: what a member needs
//   - balance.go — [Node.Balance], [Node.OpenNext]: which shards are open
//   - health.go — which shards that it holds a member can't serve: they go to others
//   - shard.go — an open shard
//   - part.go — a job on a shard: its frontier, and its part of the limit
//   - takein.go — [Node.TakeIn]: links from the inbox
//   - work.go — [Node.Lease], [Node.Complete]: pages
//   - place.go — [Place]: what a job's visitor keeps on the shard
//   - slots.go — how many pages of a job are fetched at once
//   - moved.go — where redirects lead
//   - removal.go — what is left of a job goes
//   - request.go — [Request], [Node.Serve]: what members ask of the owner of a shard
//   - home.go — the record of a job in its home, and the requests about it
//   - seeds.go — the URLs that a job begins with
//   - tend.go — [Node.Tend]: a job is fed, its events are taken, and it ends
package node

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
)

var (
	// ErrNotOwner: the shard is not open here.
	ErrNotOwner = errors.New("node: this member does not have the shard")
	// ErrUnknown: there is no such job.
	ErrUnknown = errors.New("node: no such job")
	// ErrRemoved: there was a job with that ID.
	ErrRemoved = errors.New("node: a job with this ID was removed")
	// ErrOver: the job has ended, and takes no more pages.
	ErrOver = errors.New("node: the job has ended")
	// ErrDamaged: what is stored is not what was written.
	ErrDamaged = errors.New("node: damaged")
)

// DB is the store of an open shard.
type DB interface {
	crawl.DB
	// Close ends what waits in it.
	Close() error
}

// Options of a Node, all required but Logger.
type Options struct {
	// Shards of the cluster.
	Shards int
	Keeper *lease.Keeper
	Sender *links.Sender
	// Inbox returns the inbox of a shard.
	Inbox func(shard int) links.Log
	// Open opens the store of a shard; the one who opened it before can write to it no more.
	Open func(ctx context.Context, shard int) (DB, error)
	// Gone reports whether an error of a store says that it has another owner, or was closed.
	Gone func(error) bool
	// Call has a request served by the owner of a shard. Its error leaves open whether it was.
	Call func(ctx context.Context, shard int, r Request) (Reply, error)
	// Last is called when a job has nothing left to do on a shard, and may queue more; it reports whether it did. Nil: none is called.
	Last func(ctx context.Context, p Place) (more bool, err error)
	// Forget removes what visitors have kept of a job in a shard's store; nil: they keep nothing.
	Forget func(db crawl.DB, job string) error
	// PerHost bounds the requests to one host at once. 0: as [crawl.PaceOptions].
	PerHost int
	// MaxBytes of seeds that one request has.
	MaxBytes int
	// Now is the clock.
	Now func() time.Time
	// Logger gets what an operator wants to know. Nil is silent.
	Logger *slog.Logger
}

// Node is a member. It is safe for concurrent use, but for one call of a step that names a shard at a time.
type Node struct {
	o      Options
	health *health

	mu      sync.Mutex
	shards  map[int]*shard
	closing map[int]bool // no longer in shards, and not closed yet
	wanted  []int        // held; those that are open are left out when their turn comes
	turn    int
	changed chan struct{} // closed when there may be something to lease
}

// New returns a Node without shards.
func New(o Options) *Node {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Node{
		o: o, health: newHealth(o.Now, o.Keeper.TTL()), shards: map[int]*shard{}, closing: map[int]bool{}, changed: make(chan struct{}),
	}
}

// wake has those that wait for pages look again.
func (n *Node) wake() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.changed)
	n.changed = make(chan struct{})
}
