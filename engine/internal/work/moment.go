package work

import (
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/llm"
)

// Moment is what a job keeps in one transaction: all of it, or nothing.
type Moment struct {
	// Usage and Credits are what the job has used.
	Usage   llm.Usage
	Credits int
	// Notes are kept under their names, as by [Job.Note]. State is too, and the job alone reads it.
	Notes, State map[string]any
	// Event is the type of an event, "" for none, and Data its data; see [Job.Event].
	Event string
	Data  any
}

// Keep keeps a moment. With an event, a job that has ended is an error.
func (j *Job) Keep(m Moment) error {
	k, err := j.kept(m)
	if err != nil {
		return err
	}
	store := j.DB()
	if len(k.rows) > 0 {
		store = j.roomy()
	}
	r, owner := j.runner, j.Record.Owner
	err = r.o.Ledger.Book(owner, m.Credits, func() error { return store.Update(k.in) })
	if err == nil {
		j.Woken()
		r.o.Ledger.Tokens(owner, m.Usage)
	}
	return err
}

// roomy is the job's store, as it is for what has no bound of its own. That of a shard has none.
func (j *Job) roomy() DB {
	if j.part != nil {
		return j.DB()
	}
	return j.runner.room(j.DB())
}

// kept is a moment as it is stored.
type kept struct {
	job     *Job
	rows    map[string][]byte // notes and state, packed
	message entries.Message   // for the mirrors of a job of a cluster
}

func (j *Job) kept(m Moment) (k kept, err error) {
	k = kept{job: j, rows: map[string][]byte{}}
	for name, v := range m.State {
		if k.rows[name], err = packed.Encode(v); err != nil {
			return k, err
		}
	}
	for name, v := range m.Notes {
		if err := k.note(name, v); err != nil {
			return k, err
		}
	}
	if spent := (entries.Spent{Usage: m.Usage, Credits: m.Credits}); spent != (entries.Spent{}) {
		k.message.Spent = &spent
	}
	if m.Event != "" {
		data, err := json.Marshal(m.Data)
		if err != nil {
			return k, err
		}
		k.message.Event = &entries.Event{Type: m.Event, At: j.now(), Data: data}
	}
	return k, nil
}

func (k *kept) note(name string, v any) (err error) {
	if k.message.Notes == nil {
		k.message.Notes = map[string]json.RawMessage{}
	}
	if k.message.Notes[name], err = json.Marshal(v); err != nil {
		return err
	}
	k.rows[name], err = packed.Encode(v)
	return err
}

// in writes it in a transaction on the job's store.
func (k kept) in(tx jobs.Tx) error {
	id := k.job.Record.ID
	for name, row := range k.rows {
		if err := tx.Put(noteBucket, noteKey(id, name), row); err != nil {
			return err
		}
	}
	if spent := k.message.Spent; spent != nil {
		if err := k.job.spendIn(tx, *spent); err != nil {
			return err
		}
	}
	if k.job.part != nil {
		return k.job.sendIn(tx, k.message)
	}
	if e := k.message.Event; e != nil {
		_, err := k.job.runner.Records.AppendIn(tx, id, jobs.Event{Type: e.Type, Data: e.Data})
		return err
	}
	return nil
}

// spendIn counts what was used where the job is worked on.
func (j *Job) spendIn(tx jobs.Tx, s entries.Spent) error {
	id := j.Record.ID
	if err := addUsage(tx, id, s.Usage); err != nil {
		return err
	}
	if j.part == nil {
		return j.runner.Records.AddIn(tx, id, int64(s.Credits))
	}
	sum := 0
	if _, err := readNote(tx, id, creditsNote, &sum); err != nil || s.Credits == 0 {
		return err
	}
	row, err := packed.Encode(sum + s.Credits)
	if err != nil {
		return err
	}
	return tx.Put(noteBucket, noteKey(id, creditsNote), row)
}

// Credits that the job has used when its work began here, beside those of pages.
func (j *Job) Credits() (credits int, err error) {
	if j.part == nil {
		return int(j.Record.Credits), nil
	}
	_, err = j.Noted(creditsNote, &credits)
	return credits, err
}
