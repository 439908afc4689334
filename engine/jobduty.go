package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
)

// duty is a job at work that is no line of pages. It is begun anew when the engine was
// started again: what it has kept by note is there then. Safe for concurrent use.
type duty struct {
	store  *jobStore
	engine *Engine
	record jobs.Record
}

// dutyOf tells what has to be done for such a job; nil for the other kinds. It returns
// when the job is done or has failed, or soon after ctx has ended.
func dutyOf(kind string) func(ctx context.Context, d *duty) error {
	switch kind {
	case KindAgent:
		return runAgent
	}
	return nil
}

// onDuty does such a job. A panic fails the job alone.
func (s *jobStore) onDuty(ctx context.Context, r jobs.Record, do func(context.Context, *duty) error) (err error) {
	defer recovered(&err)
	return do(ctx, &duty{store: s, engine: s.engine, record: r})
}

// params reads what the job was made with.
func (d *duty) params(v any) error {
	if err := json.Unmarshal(d.record.Params, v); err != nil {
		return fmt.Errorf("parameters of the job: %w", err)
	}
	return nil
}

// event tells those who follow the job what has happened. v is at most 1 MiB of JSON. A
// job that has ended, by a cancellation say, is an error.
func (d *duty) event(ctx context.Context, typ string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = d.store.jobs.Append(ctx, d.record.ID, jobs.Event{Type: typ, Data: data})
	return err
}

// spend counts tokens and credits that the job has used.
func (d *duty) spend(u llm.Usage, credits int) error {
	return d.store.spend(d.record.ID, d.record.Owner, u, credits)
}

// note keeps v, JSON of a bounded size, under a name until the job is forgotten; noted reads it.
func (d *duty) note(name string, v any) error { return d.store.note(d.record.ID, name, v) }

func (d *duty) noted(name string, v any) (found bool, err error) {
	return d.store.noted(d.record.ID, name, v)
}

// result keeps what the job has come to; it is then ended by returning.
func (d *duty) result(r jobResult) error { return d.store.keepResult(d.record.ID, r) }
