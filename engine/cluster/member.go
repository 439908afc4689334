package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/natsdb"
	"github.com/winnow-go/winnow/engine/cluster/internal/jet"
	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
	"github.com/winnow-go/winnow/engine/cluster/internal/node"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

var (
	// ErrUnknownJob: there is no such job.
	ErrUnknownJob = errors.New("cluster: no such job")
	// ErrRemoved: there was a job with that ID, which [Member.Remove] has removed.
	ErrRemoved = errors.New("cluster: a job with this ID was removed")
)

// Member is one process of a cluster. Make it with [Open]. It is safe for concurrent use.
type Member struct {
	o     Options
	jet   *jet.Cluster
	calls *jet.Calls
	node  *node.Node
	// engine does the work, if there is one; it is set before any work begins
	engine spread.Worker

	ctx    context.Context
	end    context.CancelFunc
	work   sync.WaitGroup
	gained chan struct{} // a shard may be there to be opened

	subscribing sync.Mutex

	closing sync.Once
	closed  error
}

// Open joins a cluster, which is made when it isn't there. ctx bounds that alone. Leave or Close the Member when it is no longer used.
// Errors: those of Options, which name the field, and the server's.
func Open(ctx context.Context, o Options) (*Member, error) {
	m, err := newMember(ctx, o, false)
	if err == nil {
		m.run()
	}
	return m, err
}

// newMember makes one that does nothing yet.
func newMember(ctx context.Context, o Options, ofEngine bool) (*Member, error) {
	o, err := o.withDefaults(ofEngine)
	if err != nil {
		return nil, err
	}
	m := &Member{o: o, gained: make(chan struct{}, 1)}
	m.jet, err = jet.Open(ctx, jet.Options{
		JetStream: o.JetStream, Name: o.Name, Shards: o.Shards, Replicas: o.Replicas, InboxBytes: o.InboxBytes, Wait: o.Wait,
	})
	if err != nil {
		return nil, err
	}
	if most := o.JetStream.Conn().MaxPayload(); most < minPayload {
		return nil, fmt.Errorf("cluster: Options.JetStream is of a server with a max_payload of %d bytes: want at least %d", most, minPayload)
	}
	m.calls = m.jet.Calls(m.serve)
	m.node = m.makeNode()
	m.ctx, m.end = context.WithCancel(context.Background())
	return m, nil
}

func (m *Member) makeNode() *node.Node {
	inbox := func(shard int) links.Log { return m.jet.Inbox(shard) }
	return node.New(node.Options{
		Shards: m.o.Shards,
		Keeper: lease.New(lease.Options{
			Store: m.jet.Keys(), Shards: m.o.Shards, TTL: m.o.TTL, Now: time.Now, NewName: uuid.NewString,
		}),
		Sender: links.NewSender(links.SenderOptions{
			Log: inbox, MaxBytes: m.maxBytes(), NewID: uuid.NewString, Pause: pause, Logger: m.o.Logger,
		}),
		Inbox: inbox, Open: m.open, Gone: gone, Call: m.calls.Call, Now: time.Now, Logger: m.o.Logger,
		MaxBytes: int(m.o.JetStream.Conn().MaxPayload() / 2), Last: m.last, Forget: m.forget,
	})
}

// last has the engine queue what it kept for the end.
func (m *Member) last(ctx context.Context, p node.Place) (bool, error) {
	if m.engine == nil {
		return false, nil
	}
	return m.engine.Last(ctx, m.part(p))
}

// forget has the engine remove what it kept of a job on a shard.
func (m *Member) forget(db crawl.DB, job string) error {
	if m.engine == nil {
		return nil
	}
	return m.engine.Forget(db, job)
}

// maxBytes of a message to an inbox.
func (m *Member) maxBytes() int {
	return int(min(m.o.JetStream.Conn().MaxPayload()/2, m.o.InboxBytes/2))
}

func gone(err error) bool { return errors.Is(err, natsdb.ErrLost) || errors.Is(err, natsdb.ErrClosed) }

// shardDB is a shard's store with what it has on this machine.
type shardDB struct {
	*natsdb.DB
	local Store
}

// Close implements node.DB.
func (d shardDB) Close() error { return errors.Join(d.DB.Close(), d.local.Close()) }

func (m *Member) open(ctx context.Context, shard int) (node.DB, error) {
	local, err := m.o.Local(shard)
	if err != nil {
		return nil, err
	}
	db, err := natsdb.Open(ctx, natsdb.Options{
		JetStream: m.o.JetStream, Name: m.jet.Stream(shard), Local: local, Replicas: m.o.Replicas, Wait: m.o.Wait, Logger: m.o.Logger,
	})
	if err != nil {
		return nil, errors.Join(err, local.Close())
	}
	return shardDB{db, local}, nil
}

// serve answers another member, or this one.
func (m *Member) serve(ctx context.Context, shard int, r node.Request) (node.Reply, error) {
	reply, err := m.node.Serve(ctx, shard, r)
	if err != nil && (gone(err) || errors.Is(err, node.ErrNotOwner)) {
		return reply, jet.ErrSilent
	}
	return reply, err
}

// Start makes a job that begins with some URLs, as many as there are. One that is there stays as it is. An error of the server leaves open
// whether the job was made: call Start again, with the same URLs. [ErrRemoved].
func (m *Member) Start(ctx context.Context, job Job, seeds []crawl.Found) error {
	err := m.node.Start(ctx, job.ID, node.Spec{Limit: job.Limit, Delay: job.Delay, Data: job.Data}, seeds)
	if errors.Is(err, node.ErrRemoved) {
		return ErrRemoved
	}
	return err
}

// Status returns how a job stands. [ErrUnknownJob].
func (m *Member) Status(ctx context.Context, id string) (Status, error) {
	now, err := m.node.Job(ctx, id)
	return Status{Job: jobOf(id, now.Spec), State: State(now.State), Events: now.Last}, known(err)
}

func jobOf(id string, spec node.Spec) Job {
	return Job{ID: id, Limit: spec.Limit, Delay: spec.Delay, Data: spec.Data}
}

func known(err error) error {
	if errors.Is(err, node.ErrUnknown) {
		return ErrUnknownJob
	}
	return err
}

// Events returns up to limit events of a job after the one with that number; none: there are no more yet, or the member that answered has
// just lost the job to another one: all are there when those up to [Status].Events of a job that has ended are. [ErrUnknownJob].
func (m *Member) Events(ctx context.Context, id string, after uint64, limit int) (list []Event, err error) {
	events, err := m.node.Events(ctx, id, after, limit)
	for _, e := range events {
		list = append(list, Event{Number: e.Number, Shard: e.Shard, Data: e.Data})
	}
	return list, known(err)
}

// Cancel ends a job as it is; pages that are being fetched are not completed. A job that is ending stays as it is. [ErrUnknownJob].
func (m *Member) Cancel(ctx context.Context, id string) error { return known(m.node.Cancel(ctx, id)) }

// Remove cancels a job, if it hasn't ended, and has it forgotten, with its events and what its shards have of it: it is unknown from now
// on, and the rest goes as soon as all of its shards have an owner. Its ID stays in use, with some bytes a shard. One that was removed
// before stays so. [ErrUnknownJob].
func (m *Member) Remove(ctx context.Context, id string) error { return known(m.node.Remove(ctx, id)) }

// Shards are those that are open here, in order.
func (m *Member) Shards() []int {
	return slices.DeleteFunc(m.node.Open(), func(shard int) bool { return !m.calls.Serves(shard) })
}

// Leave gives the shards to the others, and then is Close. ctx bounds giving them up: those that remain go when the lease ends.
func (m *Member) Leave(ctx context.Context) error {
	return m.stop(func() error { return m.node.Leave(ctx) })
}

// Close ends all that the Member does, and waits for that. Its shards go to others when its lease has ended. A second Close returns what
// the first did.
func (m *Member) Close() error { return m.stop(m.node.Close) }

func (m *Member) stop(last func() error) error {
	m.closing.Do(func() {
		m.end()
		first := m.node.Close() // what waits for the server in a store ends with it
		m.work.Wait()
		m.closed = errors.Join(first, last()) // also of a shard that was being opened
		m.calls.Close()
	})
	return m.closed
}
