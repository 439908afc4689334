package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/packed"
)

// jobDocuments are the methods of the kinds of jobs that scrape pages.
type jobDocuments struct{ job *Job }

// reader opens the stored pages of the job.
func (d *jobDocuments) reader() (*crawl.Frontier, error) { return d.job.runner.Frontier(d.job.id) }

// resultsAtOnce bounds how many results are read in one go.
const resultsAtOnce = 50

// Documents gives the documents in the order in which they were done, after the first
// from, and waits for more until the job has ended. The number of a document, from
// 1, is that of its event's Result.
func (d *jobDocuments) Documents(ctx context.Context, from uint64) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		f, err := d.reader()
		if err != nil {
			yield(nil, d.job.fail(ctx, err))
			return
		}
		c := &documents{f: f, from: from, yield: yield}
		for e, err := range d.job.Events(ctx, 0) {
			if err == nil && e.Result <= c.from && !JobState(e.Type).ended() {
				continue
			}
			goOn := false
			if err == nil {
				goOn, err = c.drain(ctx)
			}
			if err != nil {
				yield(nil, d.job.fail(ctx, err))
				return
			}
			if !goOn {
				return
			}
		}
	}
}

// documents hands over what is done.
type documents struct {
	f     *crawl.Frontier
	from  uint64
	yield func(*Document, error) bool
}

func (d *documents) drain(ctx context.Context) (goOn bool, err error) {
	for {
		results, err := d.f.Results(ctx, d.from, resultsAtOnce)
		if err != nil || len(results) == 0 {
			return true, err
		}
		for _, r := range results {
			doc, err := unpackDocument(r.Data)
			if err != nil {
				return false, err
			}
			if d.from = r.Sequence; !d.yield(doc, nil) {
				return false, nil
			}
		}
	}
}

// unpackDocument reads a document that a job has kept.
func unpackDocument(data []byte) (*Document, error) {
	doc := &Document{}
	return doc, packed.Into(data, doc)
}

// JobPage is a part of a job's documents.
type JobPage struct {
	// Documents as JSON, in the order in which they were done.
	Documents []json.RawMessage
	// Next is the skip of the following page; negative where there is none and none
	// can come.
	Next int
}

// maxPage is the service's bound of one page of documents.
const maxPage = 10 << 20

// Page gives up to limit documents (0: 100; at most 1000) after the first skip. It is
// cut before the document that would make it more than 10 MiB, unless that is alone.
func (d *jobDocuments) Page(ctx context.Context, skip, limit int) (*JobPage, error) {
	page := &JobPage{}
	var err error
	page.Next, err = d.EachOfPage(ctx, skip, limit, func(doc json.RawMessage) error {
		page.Documents = append(page.Documents, doc)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// EachOfPage hands over the documents of a Page one at a time: only one is in memory. next is as
// JobPage.Next. An error of each ends it and is returned as it is.
func (d *jobDocuments) EachOfPage(ctx context.Context, skip, limit int, each func(json.RawMessage) error) (next int, err error) {
	switch {
	case skip < 0:
		return 0, d.job.fail(ctx, &OptionError{Field: "skip", Value: skip, Want: "0 or more"})
	case limit < 0 || limit > 1000:
		return 0, d.job.fail(ctx, &OptionError{Field: "limit", Value: limit, Want: "1 to 1000, or 0 for 100"})
	}
	status, err := d.job.Status(ctx) // asked first: what is done later is on the next page
	if err != nil {
		return 0, err
	}
	next, size := skip, 0
	for doc, err := range d.Stored(ctx, uint64(skip)) {
		if err != nil {
			return 0, err
		}
		if size += len(doc); size > maxPage && next > skip {
			break
		}
		if err := each(doc); err != nil {
			return 0, err
		}
		if next++; next-skip == cmp.Or(limit, 100) {
			break
		}
	}
	if status.State.Final() && next >= status.Completed {
		return -1, nil
	}
	return next, nil
}

// Stored gives the documents that are there, as JSON, in the order in which they were done, after the first from. It reads one at a
// time and waits for none.
func (d *jobDocuments) Stored(ctx context.Context, from uint64) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		f, err := d.reader()
		for err == nil {
			var results []crawl.Result
			if results, err = f.Results(ctx, from, 1); err != nil || len(results) == 0 {
				break
			}
			var doc json.RawMessage
			if doc, err = packed.Decode(results[0].Data); err == nil {
				if from = results[0].Sequence; !yield(doc, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(nil, d.job.fail(ctx, err))
		}
	}
}

// JobError is a page that gave no document.
type JobError struct {
	// ID of the page within the job.
	ID        uint64
	URL       string
	Code      Code
	Error     string
	Timestamp time.Time
}

// Errors lists the pages that failed, in the order in which they did.
func (d *jobDocuments) Errors(ctx context.Context) ([]JobError, error) {
	f, err := d.reader()
	if err != nil {
		return nil, d.job.fail(ctx, err)
	}
	var list []JobError
	for after := uint64(0); ; {
		errs, err := f.Errors(ctx, after, 1000)
		if err != nil {
			return nil, d.job.fail(ctx, err)
		}
		if len(errs) == 0 {
			return list, nil
		}
		for _, r := range errs {
			list = append(list, JobError{ID: r.ID, URL: r.URL, Code: Code(r.Code), Error: string(r.Data), Timestamp: r.Completed})
			after = r.Sequence
		}
	}
}
