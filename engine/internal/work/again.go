package work

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Correction is a page that is got again, since another way to it may give more.
type Correction struct {
	// Sequence of the page's first result, and how many results it has.
	Sequence uint64 `json:"sequence"`
	Results  int    `json:"results"`
	// Found is the page as it was found.
	Found crawl.Found `json:"found"`
	// Host that its requests count under.
	Host string `json:"host"`
	// Template of the page, by which its owner finds it.
	Template string `json:"template"`
	// Check asks whether the browser shows more; else it is known to.
	Check bool `json:"check,omitempty"`
}

// Corrections are the pages of a job that are to be got again. They outlive the process. Safe for concurrent use.
type Corrections interface {
	// Next hands out one, to be settled or given back. ok is false where there is none that isn't in hand.
	Next() (c Correction, ok bool, err error)
	// Done takes back what was handed out: it stays among the corrections unless a transaction has settled it.
	Done(c Correction)
	// InHand is how many are handed out.
	InHand() int
	// Keep returns what ends a correction whose page could not be got again, in a transaction.
	Keep(c Correction, why error) func(jobs.Tx) error
	// Last is called when nothing else is left to do. It may queue further ones, and reports whether there are any.
	Last() (more bool, err error)
}

// Corrector is a [Task] whose pages can be got again.
type Corrector interface {
	// Correct makes what a page comes to: Documents, as many as before, that take the place of its results, with what they lead to; Silent
	// where there is no more to see, and Failed where it could not be got again: then the results stay. InTx settles the correction, unless
	// it has failed.
	Correct(ctx context.Context, c Correction, item crawl.Item) Outcome
}

// correct works on one correction, and reports whether there was one that could be worked on.
func (l *Line) correct(ctx context.Context) (did bool, err error) {
	if l.o.Corrections == nil {
		return false, nil
	}
	c, ok, err := l.o.Corrections.Next()
	if !ok || err != nil {
		return false, err
	}
	defer l.o.Corrections.Done(c)
	visit, _ := l.Pace.Begin(c.Host)
	if visit == nil {
		return false, nil
	}
	defer visit.End(crawl.Outcome{}) // which wakes those that wait for the last correction; they look again where Done is late
	out := l.correction(ctx, c, crawl.Item{Found: c.Found, Host: c.Host, Attempt: Attempts, Visit: visit})
	if cause := l.givenUp(ctx, out); cause != nil {
		return true, cause
	}
	return true, l.putRight(ctx, c, out)
}

// correction keeps a panic over one page from ending the job.
func (l *Line) correction(ctx context.Context, c Correction, item crawl.Item) (out Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out.Documents, out.Failed = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return l.task.(Corrector).Correct(ctx, c, item)
}

// putRight replaces the results of a page, or leaves them, in one transaction with what the task adds.
func (l *Line) putRight(ctx context.Context, c Correction, out Outcome) error {
	switch {
	case out.Failed != nil:
		return l.DB().Update(l.o.Corrections.Keep(c, out.Failed))
	case out.Silent:
		return l.DB().Update(func(tx jobs.Tx) error { return out.inTx(tx, c.Sequence, 0) })
	}
	page, err := l.page(out)
	if err != nil {
		return err
	}
	event, err := correctedEvent(c.Found.URL)
	if err != nil {
		return err
	}
	page.InTx = func(tx jobs.Tx, first uint64) error { return l.correctIn(tx, first, out, event) }
	err = l.Frontier.Replace(ctx, c.Sequence, page)
	if err == nil {
		l.runner.Records.Wake(l.Record.ID)
	}
	if errors.Is(err, jobs.ErrFinished) || errors.Is(err, jobs.ErrNotFound) {
		return ErrCancelled
	}
	return err
}

func (l *Line) correctIn(tx jobs.Tx, first uint64, out Outcome, event jobs.Event) error {
	for i := range out.Documents {
		event.Ref = first + uint64(i)
		if _, err := l.runner.Records.AppendIn(tx, l.Record.ID, event); err != nil {
			return err
		}
	}
	return out.inTx(tx, first, len(out.Documents))
}

// inTx runs what is to be in the transaction.
func (o Outcome) inTx(tx jobs.Tx, first uint64, results int) error {
	if o.InTx == nil {
		return nil
	}
	return o.InTx(tx, first, results)
}
