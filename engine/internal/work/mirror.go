package work

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/llm"
)

// Mirror is what is kept here of a job whose pages are worked on by several machines. Made by [Job.Mirror]. One goroutine uses it.
type Mirror struct {
	job *Job
	now time.Time // of the message at hand
}

// Mirror opens the mirror of a job.
func (j *Job) Mirror() *Mirror { return &Mirror{job: j} }

// Turn is a transaction of a mirror.
type Turn struct {
	*Mirror
	Tx       jobs.Tx
	frontier *crawl.Frontier
	pages    int // that callers see
}

// Update takes messages in by a function, in one transaction. It may be run more than once.
func (m *Mirror) Update(do func(*Turn) error) error {
	var pages int
	err := m.job.runner.room(m.job.DB()).Update(func(tx jobs.Tx) error {
		f, err := crawl.Open(within{tx}, m.job.Record.ID, crawl.Options{Now: func() time.Time { return m.now }}) // with no memory of another try
		if err != nil {
			return err
		}
		t := &Turn{Mirror: m, Tx: tx, frontier: f}
		err = do(t)
		pages = t.pages
		return err
	})
	if err == nil {
		m.note(pages)
		m.job.Woken()
	}
	return err
}

// within is a store in a transaction on it.
type within struct{ tx jobs.Tx }

// View implements [crawl.DB].
func (w within) View(f func(jobs.Tx) error) error { return f(w.tx) }

// Update implements [crawl.DB]: an error is to undo the whole transaction.
func (w within) Update(f func(jobs.Tx) error) error { return f(w.tx) }

// Take takes a message in.
func (m *Turn) Take(ctx context.Context, message entries.Message) error {
	err := errors.Join(m.keep(m.Tx, message.Note), m.notes(m.Tx, message.Notes))
	switch {
	case err != nil:
		return err
	case message.Page != nil:
		return m.page(ctx, message)
	case len(message.Admitted) > 0:
		return m.frontier.Admit(ctx, message.Admitted, func(jobs.Tx) error { return nil })
	}
	return m.beside(m.Tx, message)
}

func (m *Mirror) keep(tx jobs.Tx, note json.RawMessage) error {
	keep := m.job.runner.o.Kinds[m.job.Record.Kind].Keep
	if note == nil || keep == nil {
		return nil
	}
	return keep(tx, m.job.Record.ID, note)
}

// notes takes in notes.
func (m *Mirror) notes(tx jobs.Tx, notes map[string]json.RawMessage) error {
	for name, v := range notes {
		row, err := packed.Encode(v)
		if err != nil {
			return err
		}
		if err := tx.Put(noteBucket, noteKey(m.job.Record.ID, name), row); err != nil {
			return err
		}
	}
	return nil
}

// beside takes in what is no page.
func (m *Mirror) beside(tx jobs.Tx, message entries.Message) error {
	records, id := m.job.runner.Records, m.job.Record.ID
	if s := message.Spent; s != nil {
		if err := errors.Join(addUsage(tx, id, s.Usage), records.AddIn(tx, id, int64(s.Credits))); err != nil {
			return err
		}
	}
	if e := message.Event; e != nil {
		_, err := records.AppendIn(tx, id, jobs.Event{Type: e.Type, At: e.At, Data: e.Data})
		return err
	}
	return nil
}

// page takes in a page that has ended.
func (m *Turn) page(ctx context.Context, message entries.Message) error {
	p := message.Page
	m.now = p.At
	page := crawl.Page{Silent: p.Silent, Kept: p.Kept, Failed: p.Failed, Code: p.Code, Denied: p.Denied}
	if p.Failed {
		page.Result = []byte(p.Error)
	} else if len(message.Documents) > 0 {
		page.Result, page.More = message.Documents[0], message.Documents[1:]
	}
	event, err := m.event(ctx, message)
	if err != nil {
		return err
	}
	page.InTx = func(tx jobs.Tx, sequence uint64) error { return m.completeIn(tx, sequence, message, event) }
	if !p.Silent && !p.Kept {
		m.pages += max(len(message.Documents), 1)
	}
	return m.frontier.Enter(ctx, p.Found, p.Attempts, page)
}

func (m *Mirror) completeIn(tx jobs.Tx, sequence uint64, message entries.Message, event jobs.Event) error {
	p, records, id := message.Page, m.job.runner.Records, m.job.Record.ID
	if err := records.AddIn(tx, id, int64(p.Credits)); err != nil || p.Silent || p.Kept {
		return err
	}
	if p.Failed {
		_, err := records.AppendIn(tx, id, event)
		return err
	}
	for i := range message.Documents {
		event.Ref = sequence + uint64(i)
		if _, err := records.AppendIn(tx, id, event); err != nil {
			return err
		}
	}
	return nil
}

// event is that of a page. Its progress is what all mirrors know at this place.
func (m *Turn) event(ctx context.Context, message entries.Message) (jobs.Event, error) {
	p := message.Page
	s, err := m.frontier.Stats(ctx)
	if err != nil {
		return jobs.Event{}, err
	}
	e := pageEvent{URL: p.Found.URL, Code: p.Code, Error: p.Error, Progress: progress(s)}
	e.Progress.Left = -1
	if p.Failed {
		e.Progress.Failed++
	} else {
		e.Progress.Done += len(message.Documents)
	}
	if left := message.Left; left != nil {
		e.Progress.Queued, e.Progress.Active = left.Queued, left.Active
	}
	e.Progress.Known = e.Progress.Done + e.Progress.Failed + e.Progress.Queued + e.Progress.Active
	data, err := json.Marshal(e)
	return jobs.Event{Type: jobs.EventPage, At: p.At, Data: data}, err
}

// note measures how fast the job is.
func (m *Mirror) note(pages int) {
	r := m.job.runner
	r.mu.Lock()
	w := r.working[m.job.Record.ID]
	r.mu.Unlock()
	if w != nil {
		w.meter.Note(pages)
	}
}

// Done counts the documents.
func (m *Mirror) Done(ctx context.Context) (int, error) {
	f, err := m.job.runner.Frontier(m.job.Record.ID)
	if err != nil {
		return 0, err
	}
	s, err := f.Stats(ctx)
	return s.Done, err
}

// End ends the job, which ended at that time; one that has stays as it is.
func (m *Mirror) End(ctx context.Context, at time.Time, s jobs.State, code, text string) error {
	_, err := m.job.runner.Records.FinishAt(ctx, m.job.Record.ID, at, s, code, text)
	if errors.Is(err, jobs.ErrFinished) {
		return nil
	}
	return err
}

// Used counts tokens for a job that is being made.
func (j *Job) Used(u llm.Usage) error {
	return j.DB().Update(func(tx jobs.Tx) error { return addUsage(tx, j.Record.ID, u) })
}
