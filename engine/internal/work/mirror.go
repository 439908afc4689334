package work

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
)

// Mirror is what is kept here of a job whose pages are worked on by several machines. Made by [Job.Mirror]. One goroutine uses it.
type Mirror struct {
	job      *Job
	frontier *crawl.Frontier
	at       atomic.Int64 // the time of the message at hand, in ms
}

// Mirror opens the mirror of a job.
func (j *Job) Mirror() (*Mirror, error) {
	m := &Mirror{job: j}
	f, err := j.runner.openFrontierAt(j.DB(), j.Record.ID, crawl.Options{Now: func() time.Time { return time.UnixMilli(m.at.Load()) }})
	m.frontier = f
	return m, err
}

// Take takes a message in. alongside is run in the transaction in which that is done, which it is to make sure is done once.
func (m *Mirror) Take(ctx context.Context, message entries.Message, alongside func(jobs.Tx) error) error {
	all := func(tx jobs.Tx) error { return errors.Join(m.keep(tx, message.Note), alongside(tx)) }
	var err error
	switch {
	case message.Page != nil:
		err = m.page(ctx, message, all)
	case len(message.Admitted) > 0:
		err = m.frontier.Admit(ctx, message.Admitted, all)
	default:
		err = m.job.DB().Update(func(tx jobs.Tx) error { return errors.Join(m.beside(tx, message), all(tx)) })
	}
	if err == nil {
		m.job.Woken()
	}
	return err
}

func (m *Mirror) keep(tx jobs.Tx, note json.RawMessage) error {
	keep := m.job.runner.o.Kinds[m.job.Record.Kind].Keep
	if note == nil || keep == nil {
		return nil
	}
	return keep(tx, m.job.Record.ID, note)
}

// beside takes in what is no page.
func (m *Mirror) beside(tx jobs.Tx, message entries.Message) error {
	records, id := m.job.runner.Records, m.job.Record.ID
	if e := message.Event; e != nil {
		_, err := records.AppendIn(tx, id, jobs.Event{Type: e.Type, At: e.At, Data: e.Data})
		return err
	}
	if s := message.Spent; s != nil {
		return errors.Join(addUsage(tx, id, s.Usage), records.AddIn(tx, id, int64(s.Credits)))
	}
	return nil
}

// page takes in a page that has ended.
func (m *Mirror) page(ctx context.Context, message entries.Message, alongside func(jobs.Tx) error) error {
	p := message.Page
	m.at.Store(p.At.UnixMilli())
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
	page.InTx = func(tx jobs.Tx, sequence uint64) error {
		if err := m.completeIn(tx, sequence, message, event); err != nil {
			return err
		}
		return alongside(tx)
	}
	if err := m.frontier.Enter(ctx, p.Found, p.Attempts, page); err != nil {
		return err
	}
	if !p.Silent && !p.Kept {
		m.note(max(len(message.Documents), 1))
	}
	return nil
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
func (m *Mirror) event(ctx context.Context, message entries.Message) (jobs.Event, error) {
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
	e.Progress.Known = e.Progress.Done + e.Progress.Failed
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
	s, err := m.frontier.Stats(ctx)
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
