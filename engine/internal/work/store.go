package work

import (
	"bytes"
	"context"
	"errors"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// DB is the store of jobs. Its methods are safe for concurrent use; see [jobs.DB].
type DB interface {
	View(f func(jobs.Tx) error) error
	Update(f func(jobs.Tx) error) error
	// Size returns the bytes that it holds.
	Size() (total, free int64, err error)
}

// bounded is a store that takes no more while it is full.
type bounded struct {
	DB
	whole DB    // that has the room
	room  int64 // 0: any
	full  error
}

func (d bounded) Update(f func(jobs.Tx) error) error {
	if d.room > 0 {
		if held, err := heldBy(d.whole); err != nil || held > d.room {
			return errors.Join(err, d.full)
		}
	}
	return d.DB.Update(f)
}

// heldBy is what the room is for: of a store that is partly in memory, that part.
func heldBy(db DB) (int64, error) {
	if partly, ok := db.(interface{ InMemory() int64 }); ok {
		return partly.InMemory(), nil
	}
	held, _, err := db.Size()
	return held, err
}

// patient is the store as the work of a job has it: what it writes waits while the disk can't be written, until the job ends.
type patient struct {
	DB
	ctx     context.Context
	persist func(ctx context.Context, write func() error) error
}

func (d patient) Update(f func(jobs.Tx) error) error {
	return d.persist(d.ctx, func() error { return d.DB.Update(f) })
}

// room is a store for what jobs add.
func (r *Runner) room(db DB) bounded { return bounded{db, r.o.DB, r.o.Room, r.o.Full} }

// openLine opens what a job's workers take pages from, in the store as they have it. Readers see it from now on.
func (r *Runner) openLine(db DB, id string, o crawl.Options) (*crawl.Frontier, error) {
	f, err := r.openFrontier(db, id, o)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frontiers[id] = f
	if w := r.working[id]; w != nil {
		w.line = f
	}
	return f, nil
}

func (r *Runner) openFrontier(db DB, id string, o crawl.Options) (*crawl.Frontier, error) {
	o.Now, o.Attempts = r.o.Now, Attempts
	return crawl.Open(r.room(db), id, o)
}

// Frontier returns what is known of a job's pages, for reading. A job without pages has none in it.
func (r *Runner) Frontier(id string) (*crawl.Frontier, error) {
	r.mu.Lock()
	f := r.frontiers[id]
	r.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := r.openFrontier(r.o.DB, id, crawl.Options{})
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frontiers[id] == nil { // else another was opened meanwhile, which may be the line's
		r.frontiers[id] = f
	}
	return r.frontiers[id], nil
}

// Progress of a job whose pages stand so. Its rate is known only while it is running here.
func (r *Runner) Progress(id string, s crawl.Stats) jobs.Progress {
	p := progress(s)
	p.Left = -1
	r.mu.Lock()
	w := r.working[id]
	r.mu.Unlock()
	if w == nil {
		return p
	}
	return w.meter.Progress(p)
}

func progress(s crawl.Stats) jobs.Progress {
	return jobs.Progress{Done: s.Done, Failed: s.Failed, Known: s.Known, Queued: s.Queued, Active: s.Leased}
}

// drop forgets what an expired job has beside its record.
func (r *Runner) drop(ctx context.Context, id string) error {
	err := DropRows(r.o.DB, noteBucket, id)
	for _, kind := range r.o.Kinds {
		if kind.Drop != nil {
			err = errors.Join(err, kind.Drop(r.o.DB, id))
		}
	}
	if r.o.Elsewhere != nil {
		err = errors.Join(err, r.o.Elsewhere.Drop(r.o.DB, id))
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	delete(r.frontiers, id)
	r.mu.Unlock()
	return crawl.Drop(ctx, r.o.DB, id)
}

// droppedAtOnce is how many rows are deleted in one transaction.
const droppedAtOnce = 1000

// DropRows deletes the rows of a bucket whose keys are the job, a zero byte and more, some at a time.
func DropRows(db DB, bucket, job string) error {
	for gone := droppedAtOnce; gone == droppedAtOnce; {
		err := db.Update(func(tx jobs.Tx) error {
			keys := keysOf(tx, bucket, job)
			gone = len(keys)
			for _, key := range keys {
				if err := tx.Delete(bucket, key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func keysOf(tx jobs.Tx, bucket, job string) (keys [][]byte) {
	prefix := []byte(job + "\x00")
	for key := range tx.Scan(bucket, prefix) {
		if !bytes.HasPrefix(key, prefix) || len(keys) == droppedAtOnce {
			break
		}
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}
