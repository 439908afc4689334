package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
)

// noteBucket: job, name → packed JSON: what a job keeps beside its record and pages.
const noteBucket = "jobs/notes"

// Names of notes that every job may have.
const (
	resultNote  = "result"  // jobResult
	warningNote = "warning" // text
	usageNote   = "usage"   // llm.Usage
)

// maxResult bounds what a job comes to, as JSON.
const maxResult = 16 << 20

// jobResult is what a job comes to that gives one answer.
type jobResult struct {
	Data json.RawMessage `json:"data"`
	// Warning tells what a caller may not expect.
	Warning string `json:"-"`
	// More is what this kind of job tells beside the answer, such as sources.
	More json.RawMessage `json:"more,omitempty"`
}

func noteKey(job, name string) []byte { return []byte(job + "\x00" + name) }

// update changes the store while there is room.
func (s *jobStore) update(f func(cache.Tx) error) error {
	if s.room > 0 {
		if held, _, err := s.db.Size(); err != nil || held > s.room {
			return errors.Join(err, errMemoryFull)
		}
	}
	return s.db.Update(f)
}

// note keeps v under a name; what was there before is replaced.
func (s *jobStore) note(job, name string, v any) error {
	packed, err := packJSON(v)
	if err != nil {
		return err
	}
	return s.update(func(tx cache.Tx) error { return tx.Put(noteBucket, noteKey(job, name), packed) })
}

// noted reads what was kept under a name into v, and tells whether there is any.
func (s *jobStore) noted(job, name string, v any) (found bool, err error) {
	err = s.db.View(func(tx cache.Tx) error {
		found, err = readNote(tx, job, name, v)
		return err
	})
	return found, err
}

// noteReader is the part of a transaction that reads a note; crawl's and cache's have it.
type noteReader interface {
	Get(bucket string, key []byte) []byte
}

func readNote(tx noteReader, job, name string, v any) (bool, error) {
	packed := tx.Get(noteBucket, noteKey(job, name))
	if packed == nil {
		return false, nil
	}
	data, err := unpackJSON(packed)
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(data, v)
}

// spend counts what a job has used: tokens, and credits for the owner. A job that has
// ended meanwhile pays all the same.
func (s *jobStore) spend(job, owner string, u llm.Usage, credits int) error {
	err := s.engine.stores.ledger.book(owner, s.engine.now(), credits, func() error {
		return s.db.Update(func(tx cache.Tx) error {
			if err := addUsage(tx, job, u); err != nil {
				return err
			}
			return s.jobs.AddIn(tx, job, int64(credits))
		})
	})
	if err == nil {
		s.jobs.Wake(job)
		s.engine.stores.ledger.tokens(owner, s.engine.now(), u)
	}
	return err
}

// noteWriter is the part of a transaction that changes a note.
type noteWriter interface {
	noteReader
	Put(bucket string, key, value []byte) error
}

func addUsage(tx noteWriter, job string, u llm.Usage) error {
	if u == (llm.Usage{}) {
		return nil
	}
	var sum llm.Usage
	if _, err := readNote(tx, job, usageNote, &sum); err != nil {
		return err
	}
	packed, err := packJSON(sum.Plus(u))
	if err != nil {
		return err
	}
	return tx.Put(noteBucket, noteKey(job, usageNote), packed)
}

// keepResult keeps what a job has come to. One that is too large is an error.
func (s *jobStore) keepResult(job string, r jobResult) error {
	if size := len(r.Data) + len(r.More); size > maxResult {
		return fmt.Errorf("the result has %d bytes, more than the %d that a job keeps", size, maxResult)
	}
	if r.Warning != "" {
		if err := s.note(job, warningNote, r.Warning); err != nil {
			return err
		}
	}
	return s.note(job, resultNote, r)
}

// dropNotes forgets what a job has kept, some at a time.
func (s *jobStore) dropNotes(job string) error { return s.dropRows(noteBucket, job) }

// Result is what a job that gives one answer came to: [Engine.StartExtract] and
// StartAgent; JSON, by the schema that was given. It waits for the job's end. A job that
// failed or was cancelled is an [*Error] with its code, and beside it stands what it had
// kept until then, nil for nothing. Of other jobs it is a [CodeNotFound] error: they have
// [Job.Documents].
func (j *Job) Result(ctx context.Context) (json.RawMessage, error) {
	r, err := j.store.jobs.Wait(ctx, j.id)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	var kept jobResult
	found, err := j.store.noted(j.id, resultNote, &kept)
	switch {
	case err != nil:
		return nil, j.fail(ctx, err)
	case r.State != jobs.Completed:
		return kept.Data, &Error{Code: Code(r.Code), Op: r.Kind, Err: errors.New(r.Error)}
	case !found:
		return nil, &Error{Code: CodeNotFound, Op: r.Kind, Err: errors.New("a job of this kind gives documents, not one result")}
	}
	return kept.Data, nil
}
