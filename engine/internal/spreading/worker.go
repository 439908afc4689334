package spreading

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/engine/internal/work"
)

var _ spread.Worker = (*Spreading)(nil)

// sweepEvery is the time between two looks for parts that are over.
const sweepEvery = time.Second

// part is a job on a shard that pages of it are worked on here.
type part struct {
	of spread.Part

	opening sync.Mutex // guards what follows
	work    *work.Part
	closed  bool
}

// Visit implements [spread.Worker]. A page whose job can't be opened is given back.
func (s *Spreading) Visit(ctx context.Context, of spread.Part, item crawl.Item) spread.Outcome {
	p, err := s.open(of)
	if err != nil {
		if !of.Over() {
			s.o.Log.Warn("a job of the cluster can't be opened", "job", of.Job().ID, "error", err)
		}
		_ = s.pause(ctx, sweepEvery)
		return spread.Outcome{Back: true}
	}
	return p.Visit(ctx, item)
}

// Last implements [spread.Worker].
func (s *Spreading) Last(ctx context.Context, of spread.Part) (bool, error) {
	p, err := s.open(of)
	if err != nil {
		return false, err
	}
	return p.Last(ctx)
}

// Forget implements [spread.Worker].
func (s *Spreading) Forget(db crawl.DB, job string) error { return s.runner.Forget(db, job) }

// open opens the work of a part, once.
func (s *Spreading) open(of spread.Part) (*work.Part, error) {
	s.mu.Lock()
	p := s.parts[of.Key()]
	if p == nil {
		p = &part{of: of}
		s.parts[of.Key()] = p
	}
	s.mu.Unlock()
	p.opening.Lock()
	defer p.opening.Unlock()
	switch {
	case p.closed:
		return nil, spread.ErrGone
	case p.work != nil:
		return p.work, nil
	}
	job := of.Job()
	var made request
	if err := json.Unmarshal(job.Data, &made); err != nil {
		return nil, err
	}
	record := jobs.Record{
		ID: job.ID, Kind: made.Kind, Owner: made.Owner, URL: made.URL, Params: made.Params, Created: made.Created,
		State: jobs.Scraping, Elsewhere: true,
	}
	var err error
	p.work, err = s.runner.Part(of, record)
	return p.work, err
}

// sweep closes parts that are over, and in the end all.
func (s *Spreading) sweep() {
	for s.pause(context.Background(), sweepEvery) == nil {
		s.closeParts(func(p *part) bool { return p.of.Over() })
	}
	s.closeParts(func(*part) bool { return true })
}

func (s *Spreading) closeParts(which func(*part) bool) {
	s.mu.Lock()
	var list []*part
	for key, p := range s.parts {
		if which(p) {
			list = append(list, p)
			delete(s.parts, key)
		}
	}
	s.mu.Unlock()
	for _, p := range list {
		p.close()
	}
}

func (p *part) close() {
	p.opening.Lock()
	defer p.opening.Unlock()
	if p.closed = true; p.work != nil {
		p.work.Close()
	}
}
