package node

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/limits"
)

// The buckets of a shard, beside those of the rooms.
const (
	bucketInbox = "cluster.inbox" // "taken" → sequence of the last message whose links are claimed
	bucketParts = "cluster.parts" // job → partRow
	bucketOver  = "cluster.over"  // job → 1: its pages are completed no more

	bucketEpochs = "cluster.epochs" // has a number for each opening of a part whose pages need slots
)

var rowTaken = []byte("taken")

// shard is one that is open here.
type shard struct {
	n      *Node
	number int
	db     DB
	opened time.Time
	poked  chan struct{} // a job was started or cancelled, or some of its limit given back

	taking         sync.Mutex // guards what follows
	taken, trimmed uint64

	opening sync.Mutex // of parts
	mu      sync.Mutex // guards what follows
	parts   map[string]*part
	slots   map[string]slots
	last    map[string]int // job whose home this is → the shard because of which it was not over
}

// partRow is what a shard keeps of a job.
type partRow struct {
	Spec Spec `json:"spec"`
	Over bool `json:"over,omitempty"`
	// Shared is that of the job when the part was made.
	Shared string `json:"shared,omitempty"`
}

// openShard opens a store and the jobs in it.
func (n *Node) openShard(ctx context.Context, number int) (*shard, error) {
	db, err := n.o.Open(ctx, number)
	if err != nil {
		return nil, err
	}
	s := &shard{
		n: n, number: number, db: db, opened: n.o.Now(), poked: make(chan struct{}, 1), parts: map[string]*part{}, last: map[string]int{},
		slots: map[string]slots{},
	}
	if err := s.load(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return s, nil
}

func (s *shard) load(ctx context.Context) error {
	rows := map[string]partRow{}
	err := s.db.View(func(tx crawl.Tx) (err error) {
		if s.taken, err = takenIn(tx); err != nil {
			return err
		}
		for job, row := range tx.Scan(bucketParts, nil) {
			var p partRow
			if err := json.Unmarshal(row, &p); err != nil {
				return fmt.Errorf("%w: %s: %w", ErrDamaged, bucketParts, err)
			}
			if !p.Over {
				rows[string(job)] = p
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if last, err := s.n.o.Inbox(s.number).Last(ctx); err != nil || last < s.taken {
		return orDamaged(err, "the inbox of shard %d ends at %d, before %d which was read", s.number, last, s.taken)
	}
	for _, job := range slices.Sorted(maps.Keys(rows)) {
		if _, err := s.enter(ctx, job, rows[job]); err != nil {
			return err
		}
	}
	return nil
}

func orDamaged(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
}

func takenIn(tx crawl.Tx) (uint64, error) {
	switch row := tx.Get(bucketInbox, rowTaken); len(row) {
	case 0:
		return 0, nil
	case 8:
		return binary.BigEndian.Uint64(row), nil
	}
	return 0, fmt.Errorf("%w: %s", ErrDamaged, bucketInbox)
}

func putTaken(tx crawl.Tx, sequence uint64) error {
	return tx.Put(bucketInbox, rowTaken, binary.BigEndian.AppendUint64(nil, sequence))
}

// known returns a job's part that was opened before; nil: there is none.
func (s *shard) known(job string) *part {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parts[job]
}

// part returns a job's part, which is opened with what its home says at first.
func (s *shard) part(ctx context.Context, job string) (*part, error) {
	if p := s.known(job); p != nil {
		return p, nil
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if p := s.known(job); p != nil {
		return p, nil
	}
	if over, err := s.sealed(job); over || err != nil { // a member that has lost the home may not know it yet
		return s.ended(job), err
	}
	reply, err := s.n.callHome(ctx, Request{Kind: askJob, Job: job})
	if err != nil {
		return nil, err
	}
	if reply.State != Running {
		return s.ended(job), nil
	}
	row := partRow{Spec: reply.Spec, Shared: reply.Shared}
	data, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	if err := s.db.Update(func(tx crawl.Tx) error { return tx.Put(bucketParts, []byte(job), data) }); err != nil {
		return nil, err
	}
	return s.enter(ctx, job, row)
}

func (s *shard) sealed(job string) (over bool, err error) {
	err = s.db.View(func(tx crawl.Tx) error {
		over = tx.Get(bucketOver, []byte(job)) != nil
		return nil
	})
	return over, err
}

// ended is the part of a job that is over. It has no frontier, and isn't kept.
func (s *shard) ended(job string) *part {
	p := &part{s: s, job: job}
	p.over.Store(true)
	return p
}

// enter makes the part of a job that the store knows.
func (s *shard) enter(ctx context.Context, job string, row partRow) (*part, error) {
	p := &part{s: s, job: job, spec: row.Spec, shared: row.Shared, joined: map[int]bool{}}
	if err := p.open(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts[job] = p
	return p, nil
}

// open opens the frontier, at the limit that the shard holds.
func (p *part) open(ctx context.Context) error {
	err := p.s.db.View(func(tx crawl.Tx) (err error) {
		p.version, p.held, err = limits.Holding(tx, p.job)
		return err
	})
	if err == nil && p.spec.Active > 0 {
		err = p.s.db.Update(func(tx crawl.Tx) (err error) {
			p.entered.now.epoch, err = tx.Next(bucketEpochs)
			return err
		})
	}
	if err != nil {
		return err
	}
	p.unsure = p.version > 0
	p.pace = crawl.NewPace(crawl.PaceOptions{Delay: p.spec.Delay, Now: p.s.n.o.Now, Concurrency: p.s.n.o.PerHost})
	p.f, err = crawl.Open(p.s.db, p.job, crawl.Options{Limit: max(p.held, 1), Attempts: Attempts, Pace: p.pace, Now: p.s.n.o.Now})
	if err != nil || p.held > 0 {
		return err
	}
	return p.f.SetLimit(ctx, 0, func(crawl.Tx, crawl.Standing) error { return nil })
}
