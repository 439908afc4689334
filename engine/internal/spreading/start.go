package spreading

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// keep is how long a job is kept after its end; as [jobs.Options].
const keep = 24 * time.Hour

// request is what the machines know of a job.
type request struct {
	Kind    string          `json:"kind"`
	Owner   string          `json:"owner,omitempty"`
	URL     string          `json:"url,omitempty"`
	Params  json.RawMessage `json:"params"`
	Created time.Time       `json:"created"`
	// Notes that the job has from the beginning.
	Notes map[string]json.RawMessage `json:"notes,omitempty"`
	// Digest of what was requested, and Token of the call that has made the job.
	Digest []byte `json:"digest"`
	Token  string `json:"token"`
}

// Create makes a job of a runner, or finds that of an earlier call. Where it is spread, its mirror is made, which the caller starts, as any
// other job that is new.
func (s *Spreading) Create(ctx context.Context, r *work.Runner, n jobs.New) (record jobs.Record, existed bool, err error) {
	if s == nil || r != s.runner {
		return r.Records.Create(ctx, n)
	}
	job, seeds, ok, err := r.Spread(n)
	if err != nil || !ok {
		if err == nil {
			return r.Records.Create(ctx, n)
		}
		return record, false, err
	}
	if err := s.Refuse(n.Kind, n.Params); err != nil {
		return record, false, err
	}
	return s.start(ctx, n, job, seeds)
}

func (s *Spreading) start(ctx context.Context, n jobs.New, job spread.Job, seeds []crawl.Found) (r jobs.Record, existed bool, err error) {
	key := n.IdempotencyKey
	n.IdempotencyKey = ""
	if _, _, err := s.runner.Records.Earlier(ctx, n); err != nil { // which checks it
		return r, false, err
	}
	token := uuid.NewString()
	made, status, err := s.make(ctx, n, job, seeds, key, token)
	if err != nil {
		return r, false, err
	}
	if string(made.Digest) != string(n.Digest()) {
		return r, false, jobs.ErrIdempotencyReuse
	}
	if made.Token != token {
		r, err = s.mirror(ctx, status, made)
		return r, true, err
	}
	r, _, err = s.insert(ctx, status, made, n.Webhook)
	return r, false, err
}

// make makes the job under an ID of its own, or of its idempotency key.
func (s *Spreading) make(
	ctx context.Context, n jobs.New, job spread.Job, seeds []crawl.Found, key, token string,
) (made request, status spread.Status, err error) {
	data, err := s.data(ctx, n, token)
	if err != nil {
		return made, status, err
	}
	job.Keep, job.Data = keep, data
	for try := 0; ; try++ {
		if job.ID, err = idOf(n.Owner, key, try); err != nil {
			return made, status, err
		}
		err = s.reach(ctx, func() error { return s.cluster.Start(ctx, job, seeds) })
		if errors.Is(err, spread.ErrRemoved) && key != "" { // it has expired: the key is free
			continue
		}
		if err != nil {
			return made, status, err
		}
		err = s.reach(ctx, func() (err error) {
			status, err = s.cluster.Status(ctx, job.ID)
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

func (s *Spreading) data(ctx context.Context, n jobs.New, token string) ([]byte, error) {
	r := request{
		Kind: n.Kind, Owner: n.Owner, URL: n.URL, Params: n.Params, Created: s.o.Now(), Digest: n.Digest(), Token: token,
		Notes: map[string]json.RawMessage{},
	}
	for name, v := range s.o.Notes(ctx) {
		data, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		r.Notes[name] = data
	}
	return json.Marshal(r)
}

// mirror makes the mirror of a job that another machine has made, if there is none, and has it followed.
func (s *Spreading) mirror(ctx context.Context, status spread.Status, made request) (jobs.Record, error) {
	s.following.Lock()
	defer s.following.Unlock()
	r, existed, err := s.insert(ctx, status, made, nil)
	if err != nil || existed {
		return r, err
	}
	var params struct {
		Used llm.Usage `json:"used"`
	}
	job := s.runner.Job(r)
	err = errors.Join(job.Params(&params), job.Used(params.Used))
	for name, v := range made.Notes {
		err = errors.Join(err, job.Note(name, v))
	}
	if err != nil {
		return r, err
	}
	return r, s.runner.Start(r)
}

func (s *Spreading) insert(ctx context.Context, status spread.Status, made request, hook *jobs.Webhook) (jobs.Record, bool, error) {
	r, existed, err := s.runner.Records.Create(ctx, jobs.New{
		Kind: made.Kind, Owner: made.Owner, URL: made.URL, Params: made.Params, Webhook: hook,
		Elsewhere: &jobs.Elsewhere{ID: status.ID, Created: made.Created},
	})
	if err == nil && !existed {
		s.follow(status.ID)
	}
	return r, existed, err
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
	return s.mirror(ctx, status, made)
}
