package node

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/ending"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// Spec is what a job is made with.
type Spec struct {
	// Limit of pages, at least 1; see [crawl.Options].
	Limit int `json:"limit"`
	// Delay between two requests to one host.
	Delay time.Duration `json:"delay,omitempty"`
	// Data is the caller's.
	Data json.RawMessage `json:"data,omitempty"`
	// Active bounds the pages that are fetched at once; 0: none.
	Active int `json:"active,omitempty"`
	// Keep is how long the job is kept after its end; 0: until it is removed.
	Keep time.Duration `json:"keep,omitempty"`
	// Whole: the job is one item, which has any time, and is made by [Node.Here].
	Whole bool `json:"whole,omitempty"`
}

// State of a job.
type State string

// The states. A job that is ending takes no more pages, and not all of its shards know that yet.
const (
	Running State = "running"
	Ending  State = "ending"
	Ended   State = "ended"
)

// The kinds of requests: to the home of a job, and to its shards.
const (
	askSeeds  = "seeds"  // URLs for a job that isn't made yet: Part, Seeds
	askStart  = "start"  // makes a job: Spec, Part which is its last, Seeds
	askJob    = "job"    // → Spec, State, Last
	askJoin   = "join"   // links are about to be sent to Shard
	askLimit  = "limit"  // more of the limit for Shard: Version, Held, Want → Granted
	askEvents = "events" // After, Limit → Events
	askCancel = "cancel" // ends the job as it is
	askRemove = "remove" // ends it and forgets it
	askEnter  = "enter"  // a slot for Item of Shard, with its statement: Epoch, Version, Items → Own
	askLeave  = "leave"  // Item has none any more: the statement
	askShare  = "share"  // Text for the parts that are made later

	askClaim  = "claim"  // Key for Item of Shard → Own
	askReport = "report" // → Report
	askOutbox = "outbox" // After, Limit → Entries
	askSlots  = "slots"  // → the statement
	askSeal   = "seal"   // the job is over
	askDrop   = "drop"   // and is forgotten

	askPending = "pending" // → Queued, Active
)

// Request to the owner of a shard. All but start, which changes nothing if the job is there, may be sent again.
type Request struct {
	Kind    string        `json:"kind"`
	Job     string        `json:"job"`
	Spec    *Spec         `json:"spec,omitempty"`
	Seeds   []crawl.Found `json:"seeds,omitempty"`
	Part    int           `json:"part,omitempty"`
	Shard   int           `json:"shard,omitempty"`
	Item    uint64        `json:"item,omitempty"`
	Key     string        `json:"key,omitempty"`
	Version uint64        `json:"version,omitempty"`
	Held    int           `json:"held,omitempty"`
	Want    int           `json:"want,omitempty"`
	After   uint64        `json:"after,omitempty"`
	Limit   int           `json:"limit,omitempty"`
	Text    string        `json:"text,omitempty"`
	Epoch   uint64        `json:"epoch,omitempty"`
	Items   []uint64      `json:"items,omitempty"`
}

// Reply to a Request.
type Reply struct {
	Spec    Spec           `json:"spec,omitzero"`
	State   State          `json:"state,omitempty"`
	Removed bool           `json:"removed,omitempty"`
	Last    uint64         `json:"last,omitempty"` // event
	Own     bool           `json:"own,omitempty"`
	Granted int            `json:"granted,omitempty"`
	Report  ending.Report  `json:"report,omitzero"`
	Entries []outbox.Entry `json:"entries,omitempty"`
	Events  []outbox.Event `json:"events,omitempty"`

	Cancelled bool      `json:"cancelled,omitempty"`
	At        time.Time `json:"at,omitzero"`
	Shared    string    `json:"shared,omitempty"`
	Shards    []int     `json:"shards,omitempty"`
	Queued    int       `json:"queued,omitempty"`
	Active    int       `json:"active,omitempty"`
	Epoch     uint64    `json:"epoch,omitempty"`
	Version   uint64    `json:"version,omitempty"`
	Items     []uint64  `json:"items,omitempty"`
}

// Serve does what a request to a shard wants. [ErrNotOwner], and errors for which [Options.Gone] is true: another member is to be called.
// One that slept past its lease has nothing to say: what it knows may be old.
func (n *Node) Serve(ctx context.Context, number int, r Request) (Reply, error) {
	s, err := n.shard(number)
	if err == nil && !n.o.Keeper.Holds(number) {
		err = ErrNotOwner
	}
	if err != nil {
		return Reply{}, err
	}
	reply, err := s.serve(ctx, r)
	return reply, n.note(s, err)
}

func (s *shard) serve(ctx context.Context, r Request) (reply Reply, err error) {
	switch r.Kind {
	case askSeeds:
		return reply, s.addSeeds(r)
	case askStart:
		return reply, s.start(r)
	case askJob:
		return s.askedJob(r.Job)
	case askJoin:
		return reply, s.join(r.Job, r.Shard)
	case askLimit:
		reply.Granted, err = s.grant(r)
		return reply, err
	case askEvents:
		return s.events(r)
	case askCancel:
		return reply, s.cancel(r.Job)
	case askRemove:
		return reply, s.remove(r.Job)
	case askEnter, askLeave:
		reply.Own, err = slotOn(s, r)
		return reply, err
	case askSlots:
		return statementOn(s, r.Job), nil
	case askShare:
		return reply, share(s, r.Job, r.Text)
	case askPending:
		return pendingOn(ctx, s, r.Job)
	case askDrop:
		return reply, s.drop(ctx, r.Job)
	case askClaim, askReport, askSeal:
		return s.servePart(ctx, r)
	case askOutbox:
		reply.Entries, err = s.entries(r)
		return reply, err
	}
	return reply, fmt.Errorf("node: a request of an unknown kind, %q", r.Kind)
}

func (s *shard) servePart(ctx context.Context, r Request) (reply Reply, err error) {
	p, err := s.part(ctx, r.Job)
	if err != nil {
		return reply, err
	}
	switch r.Kind {
	case askSeal:
		return reply, p.seal()
	case askClaim:
		reply.Own, err = p.claimFor(ctx, r)
		return reply, err
	}
	reply.Report, err = p.report(ctx)
	return reply, err
}

// entries reads the outbox. That the home wants those after a number says that it has the others.
func (s *shard) entries(r Request) (list []outbox.Entry, err error) {
	if p := s.known(r.Job); p != nil {
		for cut := p.cut.Load(); cut < r.After && !p.cut.CompareAndSwap(cut, r.After); cut = p.cut.Load() {
		}
	}
	err = s.db.View(func(tx crawl.Tx) (err error) {
		list, err = outbox.Read(tx, r.Job, r.After, r.Limit)
		return err
	})
	return list, err
}

// callHome calls the owner of a job's home.
func (n *Node) callHome(ctx context.Context, r Request) (Reply, error) {
	return n.o.Call(ctx, shards.Home(r.Job, n.o.Shards), r)
}
