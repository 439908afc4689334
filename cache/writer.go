package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// store is the Store over any DB.
type store struct {
	db                          DB
	disk                        *Disk // of a File; nil: there are no outages
	name                        string
	index, values, ages, counts string // its buckets
	shared, uses                string // those of dictionaries: id → dictionary, and group, id → values that need it
	dicts                       dicts
	o                           Options
	codec                       *codec
	q                           *queue
	writer                      sync.WaitGroup
	notifying                   chan struct{} // one token: a change is being written and reported
}

var _ Store = (*store)(nil)

func startStore(db DB, name string, o Options, plain bool) (*store, error) {
	s := &store{db: db, name: name, o: o, index: name + "/index", values: name + "/values", ages: name + "/ages", counts: name + "/counts",
		shared: name + "/dictionaries", uses: name + "/uses", notifying: make(chan struct{}, 1)}
	if f, ok := db.(*File); ok {
		s.disk = f.o.Disk
	}
	t, err := s.load()
	if err != nil {
		return nil, err
	}
	if s.codec, err = newCodec(plain); err != nil {
		return nil, err
	}
	s.q = newQueue(o, t.last)
	s.writer.Go(s.run)
	return s, nil
}

// load reads the totals.
func (s *store) load() (t totals, err error) {
	var damage error
	err = s.db.View(func(tx Tx) error {
		t, damage = s.totals(tx)
		return nil
	})
	if err != nil || damage == nil {
		return t, err
	}
	c, err := s.update(func(*change) error { return nil }) // rebuilds them
	if err != nil {
		return t, err
	}
	return c.totals, nil
}

// run is the writer: it writes what is queued, and in between removes what is due.
func (s *store) run() {
	ticks, stop := s.ticks()
	defer stop()
	due := true // by now, if it was closed for long
	for {
		batch, ended := s.q.take()
		if len(batch) > 0 {
			s.write(batch)
		}
		if ended {
			return
		}
		if due = due || len(batch) > 0; due {
			due = s.pruneStep()
		}
		if due || len(batch) > 0 {
			continue
		}
		select {
		case <-s.q.wake:
		case <-ticks:
			due = true
		}
	}
}

// ticks returns the times at which to look for versions that have become too old.
func (s *store) ticks() (ticks <-chan time.Time, stop func()) {
	if s.o.MaxAge == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(min(max(s.o.MaxAge/4, time.Second), time.Minute))
	return t.C, t.Stop
}

// write makes the batch durable. In an outage it waits for its end, or that of the store. What fails otherwise is lost, and reported as
// such: the same bytes would fail again, and the queue must move on.
func (s *store) write(batch []*op) {
	for _, o := range batch {
		if !o.renew {
			s.pack(o) // outside the transaction, so that other writers don't wait
		}
	}
	err := s.persist(func() error {
		_, err := s.update(func(c *change) error {
			for _, o := range batch {
				if err := c.apply(o); err != nil {
					return err
				}
			}
			return nil
		})
		return err
	})
	if err != nil && !errors.Is(err, ErrUnwritable) { // Close returns that one
		s.o.Logger.Error("cache: entries were not written", "store", s.name, "entries", len(batch), "error", err)
	}
	s.q.settle(batch, err)
}

// persist calls write, and again while there is an outage. What is due for removal goes before each further try: that may give the room.
func (s *store) persist(write func() error) error {
	stalled := false
	err := s.disk.Write(s.q.closing, func() error {
		if stalled {
			s.pruneStep()
		}
		err := write()
		if errors.Is(err, ErrUnwritable) {
			stalled = true
			s.q.stall(err)
		}
		return err
	})
	s.q.resume()
	return err
}

// Put implements Store.
func (s *store) Put(ctx context.Context, e Entry, committed func(error)) error {
	if err := e.check(); err != nil {
		return err
	}
	if err := s.q.check(ctx); err != nil {
		return err
	}
	return s.put(ctx, &op{key: e.Key, stored: s.ms(e.Stored), meta: e.Meta, value: e.Value, committed: committed})
}

func (s *store) put(ctx context.Context, o *op) error {
	err := s.q.put(ctx, o)
	if errors.Is(err, ErrUnwritable) {
		s.disk.refuse()
	}
	return err
}

// Renew implements Store.
func (s *store) Renew(ctx context.Context, v Version, stored time.Time, meta []byte) error {
	if err := checkMeta(meta); err != nil {
		return err
	}
	vs, err := s.find(ctx, v.Key)
	if err != nil {
		return err
	}
	for _, have := range vs {
		if have.id == v.ID {
			return s.put(ctx, &op{key: v.Key, id: v.ID, stored: s.ms(stored), meta: meta, renew: true})
		}
	}
	return ErrNotFound
}

func (s *store) ms(t time.Time) int64 {
	if t.IsZero() {
		t = s.o.Now()
	}
	return t.UnixMilli()
}

// Flush implements Store.
func (s *store) Flush(ctx context.Context) error {
	if err := s.q.check(ctx); err != nil {
		return err
	}
	if err := s.q.drain(ctx); err != nil {
		return err
	}
	return s.writeError()
}

func (s *store) writeError() error {
	if lost, err := s.q.err(); err != nil {
		return fmt.Errorf("cache: %d entries were not written: %w", lost, err)
	}
	return nil
}

// Close implements Store.
func (s *store) Close() error {
	if !s.q.end() {
		return nil
	}
	s.writer.Wait()
	if n, ok := s.db.(namer); ok {
		n.release(s.name)
	}
	return s.writeError()
}
