package work

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
)

// complete writes results, event and credits in one transaction.
func (l *Line) complete(ctx context.Context, item crawl.Item, out Outcome) error {
	l.inBrowser.drop(item)
	if l.part != nil {
		return l.completeMoving(ctx, item, out)
	}
	page, err := l.page(out)
	if err != nil {
		return err
	}
	var event jobs.Event
	if !out.quiet() {
		l.meter.Note(max(len(out.Documents), 1))
		if event, err = l.pageEvent(ctx, item, out); err != nil {
			return err
		}
	}
	page.InTx = func(tx jobs.Tx, sequence uint64) error { return l.completeIn(tx, sequence, item, out, event) }
	err = l.runner.o.Ledger.Book(l.Record.Owner, out.Credits, func() error { return l.Frontier.Complete(ctx, item, page) })
	if err == nil {
		l.runner.Records.Wake(l.Record.ID)
	}
	if errors.Is(err, jobs.ErrFinished) || errors.Is(err, jobs.ErrNotFound) {
		return ErrCancelled
	}
	return err
}

// page is an outcome as the frontier keeps it.
func (l *Line) page(out Outcome) (page crawl.Page, err error) {
	page = crawl.Page{Found: out.Found, Denied: out.Denied, Silent: out.Silent, Kept: out.Kept}
	if out.Failed != nil {
		code, text := l.runner.reason(out.Failed)
		page.Failed, page.Code, page.Result = true, code, []byte(text)
		return page, nil
	}
	for i, doc := range out.Documents {
		data, err := packed.Encode(doc)
		if err != nil {
			return page, err
		}
		if i == 0 {
			page.Result = data
		} else {
			page.More = append(page.More, data)
		}
	}
	return page, nil
}

// completeIn adds what belongs to an item's end to its transaction. sequence is the number of the first result.
func (l *Line) completeIn(tx jobs.Tx, sequence uint64, item crawl.Item, out Outcome, event jobs.Event) error {
	if err := l.task.Complete(tx, item, out); err != nil {
		return err
	}
	results := len(out.Documents)
	if out.Failed != nil || out.quiet() {
		results = 0
	}
	if err := out.inTx(tx, sequence, results); err != nil {
		return err
	}
	records, id := l.runner.Records, l.Record.ID
	if err := records.AddIn(tx, id, int64(out.Credits)); err != nil || out.quiet() {
		return err
	}
	if out.Failed != nil {
		_, err := records.AppendIn(tx, id, event)
		return err
	}
	for i := range out.Documents {
		event.Ref = sequence + uint64(i)
		if _, err := records.AppendIn(tx, id, event); err != nil {
			return err
		}
	}
	return nil
}

// pageEvent is the data of an event of one page; its JSON is the caller's.
type pageEvent struct {
	URL      string        `json:"url"`
	Code     string        `json:"code,omitempty"`
	Error    string        `json:"error,omitempty"`
	Progress jobs.Progress `json:"progress"`
}

// correctedEvent says that another document has taken a page's place.
func correctedEvent(url string) (jobs.Event, error) {
	data, err := json.Marshal(struct {
		URL string `json:"url"`
	}{url})
	return jobs.Event{Type: jobs.EventCorrected, Data: data}, err
}

func (l *Line) pageEvent(ctx context.Context, item crawl.Item, out Outcome) (jobs.Event, error) {
	s, err := l.Frontier.Stats(ctx)
	if err != nil {
		return jobs.Event{}, err
	}
	e := pageEvent{URL: item.URL, Progress: l.meter.Progress(progress(s))}
	e.Progress.Active = max(e.Progress.Active-1, 0) // as it is when the event can be read
	if out.Failed != nil {
		e.Progress.Failed++
		e.Code, e.Error = l.runner.reason(out.Failed)
	} else {
		e.Progress.Done += len(out.Documents)
	}
	data, err := json.Marshal(e)
	return jobs.Event{Type: jobs.EventPage, Data: data}, err
}
