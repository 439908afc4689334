// Package spreading has the jobs of an engine that are spread over the machines of a cluster: it starts them there, works on their pages,
// and keeps mirrors of them here, which is what their readers read.
//
// A mirror is a job in the engine's own store, made of the events of the cluster in their order. Those are the same for all machines, and so
// are the mirrors, once they have read as far: their documents, events, counts and errors have the same numbers and times everywhere.
//
// Start with [New].
//
//   - spreading.go — [Spreading], [Spreading.Start]: a job is made, or found
//   - mirror.go — [Spreading.Follow]: its mirror
//   - reading.go — how far a mirror is, and what it hasn't
//   - worker.go — the work on pages
package spreading

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/spread"
	"github.com/winnow-go/winnow/llm"
)

// keep is how long a job is kept after its end; as [jobs.Options].
const keep = 24 * time.Hour

// MaxParams bounds the parameters of a job that is spread, in bytes: each shard has them.
const MaxParams = 128 << 10

// Options of a Spreading, all required.
type Options struct {
	Log *slog.Logger
	Now func() time.Time
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

// New returns what spreads jobs over a cluster; nil where there is none.
func New(c spread.Cluster, o Options) *Spreading {
	if c == nil {
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

// request is what the machines know of a job.
type request struct {
	Kind    string          `json:"kind"`
	Owner   string          `json:"owner,omitempty"`
	URL     string          `json:"url,omitempty"`
	Params  json.RawMessage `json:"params"`
	Created time.Time       `json:"created"`
	// Notes that the job has from the beginning.
	Notes map[string]json.RawMessage `json:"notes,omitempty"`
	Used  llm.Usage                  `json:"used,omitzero"`
	// Digest of what was requested, and Token of the call that has made the job.
	Digest []byte `json:"digest"`
	Token  string `json:"token"`
}

// Request is what a job is made of.
type Request struct {
	jobs.New
	Job   spread.Job // ID, Keep and Data are set here
	Seeds []crawl.Found
	Notes map[string]any
	Used  llm.Usage
}

// Start makes a job, or finds that of an earlier call. Its mirror is followed from then on.
func (s *Spreading) Start(ctx context.Context, n Request) (r jobs.Record, existed bool, err error) {
	key := n.IdempotencyKey
	n.IdempotencyKey = ""
	if _, _, err := s.runner.Records.Earlier(ctx, n.New); err != nil { // which checks it
		return r, false, err
	}
	token := uuid.NewString()
	made, status, err := s.make(ctx, n, key, token)
	if err != nil {
		return r, false, err
	}
	if string(made.Digest) != string(n.New.Digest()) {
		return r, false, jobs.ErrIdempotencyReuse
	}
	existed = made.Token != token
	if existed {
		n.Webhook = nil // which the machine sends that made the job
	}
	r, err = s.mirror(ctx, status, made, n.Webhook)
	return r, existed, err
}

// make makes the job under an ID of its own, or of its idempotency key.
func (s *Spreading) make(ctx context.Context, n Request, key, token string) (made request, status spread.Status, err error) {
	data, err := s.data(n, token)
	if err != nil {
		return made, status, err
	}
	n.Job.Keep, n.Job.Data = keep, data
	for try := 0; ; try++ {
		if n.Job.ID, err = idOf(n.Owner, key, try); err != nil {
			return made, status, err
		}
		err = s.reach(ctx, func() error { return s.cluster.Start(ctx, n.Job, n.Seeds) })
		if errors.Is(err, spread.ErrRemoved) && key != "" { // it has expired: the key is free
			continue
		}
		if err != nil {
			return made, status, err
		}
		err = s.reach(ctx, func() (err error) {
			status, err = s.cluster.Status(ctx, n.Job.ID)
			return err
		})
		if err != nil {
			return made, status, err
		}
		return made, status, json.Unmarshal(status.Data, &made)
	}
}

// idOf is the ID of a new job. Those of the same key are the same on all machines.
func idOf(owner, key string, try int) (string, error) {
	if key == "" {
		id, err := uuid.NewV7()
		return id.String(), err
	}
	name, err := json.Marshal([]any{owner, key, try})
	return uuid.NewSHA1(uuid.NameSpaceOID, name).String(), err
}

func (s *Spreading) data(n Request, token string) ([]byte, error) {
	r := request{
		Kind: n.Kind, Owner: n.Owner, URL: n.URL, Params: n.Params, Created: s.o.Now(), Used: n.Used, Digest: n.New.Digest(), Token: token,
		Notes: map[string]json.RawMessage{},
	}
	for name, v := range n.Notes {
		data, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		r.Notes[name] = data
	}
	return json.Marshal(r)
}

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

// mirror makes the mirror of a job, if there is none, and has it followed.
func (s *Spreading) mirror(ctx context.Context, status spread.Status, made request, hook *jobs.Webhook) (jobs.Record, error) {
	s.following.Lock()
	defer s.following.Unlock()
	r, existed, err := s.runner.Records.Create(ctx, jobs.New{
		Kind: made.Kind, Owner: made.Owner, URL: made.URL, Params: made.Params, Webhook: hook,
		Elsewhere: &jobs.Elsewhere{ID: status.ID, Created: made.Created},
	})
	if err != nil || existed {
		return r, err
	}
	job := s.runner.Job(r)
	err = job.Used(made.Used)
	for name, v := range made.Notes {
		err = errors.Join(err, job.Note(name, v))
	}
	if err != nil {
		return r, err
	}
	s.follow(r.ID)
	return r, s.runner.Start(r)
}

// Find implements [work.Elsewhere].
func (s *Spreading) Find(ctx context.Context, id string) (r jobs.Record, err error) {
	if _, err := uuid.Parse(id); err != nil {
		return r, jobs.ErrNotFound
	}
	var status spread.Status
	err = s.reach(ctx, func() error {
		status, err = s.cluster.Status(ctx, id)
		return err
	})
	if errors.Is(err, spread.ErrUnknown) || err == nil && status.Ended && s.o.Now().After(status.At.Add(keep)) {
		return r, jobs.ErrNotFound
	}
	if err != nil {
		return r, err
	}
	var made request
	if err := json.Unmarshal(status.Data, &made); err != nil {
		return r, err
	}
	return s.mirror(ctx, status, made, nil)
}
