package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/llm"
)

// Job is a job as its kind sees it. Safe for concurrent use.
type Job struct {
	// Record is what the job was when its work began.
	Record jobs.Record

	runner *Runner
	part   spread.Part     // of a job of a cluster, as the one who works on it has it; nil: the job is here
	ctx    context.Context // of its work: what it writes waits for the disk until this ends; nil: the job isn't running here
}

// Job gives access to what a job keeps, running or not.
func (r *Runner) Job(record jobs.Record) *Job { return &Job{Record: record, runner: r} }

// Params reads what the job was made with.
func (j *Job) Params(v any) error {
	if err := json.Unmarshal(j.Record.Params, v); err != nil {
		return fmt.Errorf("parameters of the job: %w", err)
	}
	return nil
}

// DB is the store of the job, for what its kind keeps in buckets of its own. [Options.Room] doesn't bound that. Where the job is running,
// writes wait while the disk can't be written.
func (j *Job) DB() DB {
	if j.part != nil {
		return partDB{j.part.DB()}
	}
	if j.ctx == nil {
		return j.runner.o.DB
	}
	return patient{j.runner.o.DB, j.ctx, j.runner.persist}
}

// Logger is for what no caller hears of.
func (j *Job) Logger() *slog.Logger { return j.runner.o.Logger.With("job", j.Record.ID) }

// Now is the time by the job's clock.
func (j *Job) Now() time.Time { return j.runner.o.Now() }

// Over reports whether a job has ended, or is forgotten.
func (j *Job) Over(id string) bool {
	r, err := j.runner.Records.Get(context.Background(), id)
	return errors.Is(err, jobs.ErrNotFound) || err == nil && r.State.Final()
}

func (j *Job) now() time.Time { return j.runner.o.Now() }

// Event appends an event for those who follow the job. v is at most 1 MiB of JSON. A job that has ended, by a
// cancellation say, is an error.
func (j *Job) Event(ctx context.Context, typ string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if j.part != nil {
		return j.send(entries.Message{Event: &entries.Event{Type: typ, At: j.now(), Data: data}})
	}
	return j.runner.persist(ctx, func() error {
		_, err := j.runner.Records.Append(ctx, j.Record.ID, jobs.Event{Type: typ, Data: data})
		return err
	})
}

// EventIn is Event in a transaction of the caller's on the job's store; [Job.Woken] is to follow it.
func (j *Job) EventIn(tx jobs.Tx, typ string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if j.part != nil {
		return j.sendIn(tx, entries.Message{Event: &entries.Event{Type: typ, At: j.now(), Data: data}})
	}
	_, err = j.runner.Records.AppendIn(tx, j.Record.ID, jobs.Event{Type: typ, Data: data})
	return err
}

// Woken has those that follow the job look for what was added to it.
func (j *Job) Woken() { j.runner.Records.Wake(j.Record.ID) }

// Spend counts tokens and credits that the job has used. A job that has ended meanwhile pays all the same.
func (j *Job) Spend(u llm.Usage, credits int) error {
	return j.Keep(Moment{Usage: u, Credits: credits})
}

// Note keeps v, JSON of a bounded size, under a name until the job is forgotten; what was there before is replaced.
func (j *Job) Note(name string, v any) error {
	put, err := j.Noting(name, v)
	if err != nil {
		return err
	}
	return j.roomy().Update(put)
}

// NoteAll is Note for all of some names.
func (j *Job) NoteAll(notes map[string]any) (err error) {
	for name, v := range notes {
		err = errors.Join(err, j.Note(name, v))
	}
	return err
}

// Noting returns what keeps v under a name, in a transaction of the caller's on the job's store.
func (j *Job) Noting(name string, v any) (func(jobs.Tx) error, error) {
	k, err := j.kept(Moment{Notes: map[string]any{name: v}})
	if err != nil {
		return nil, err
	}
	return k.in, nil
}

// Noted reads what was kept under a name into v, and reports whether there is any.
func (j *Job) Noted(name string, v any) (found bool, err error) {
	err = j.DB().View(func(tx jobs.Tx) error {
		found, err = readNote(tx, j.Record.ID, name, v)
		return err
	})
	return found, err
}

// Usage is what models were asked for the job so far.
func (j *Job) Usage() (used llm.Usage, err error) {
	_, err = j.Noted(usageNote, &used)
	return used, err
}

// Result is what the job has come to, and whether there is any: an earlier process may have kept it and not ended the job.
func (j *Job) Result() (result Result, found bool, err error) {
	found, err = j.Noted(resultNote, &result)
	return result, found, err
}

// KeepResult keeps what the job has come to, which is then ended by returning. One that is too large is an error.
func (j *Job) KeepResult(result Result) error {
	notes, err := result.Notes()
	if err != nil {
		return err
	}
	return j.Keep(Moment{Notes: notes})
}
