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

// Documents returns the documents in the order in which they were done, after the first from, and waits for more until
// the job has ended. The number of a document, from 1, is that of its event's Result.
func (j *jobDocuments) Documents(ctx context.Context, from uint64) iter.Seq2[*Document, error] {
	return decoded(ctx, j.job, j.job.runner.Results(ctx, j.job.id, from), unpackDocument)
}

// Stored returns the documents that are there, as JSON, in the order in which they were done, after the first from. It
// reads one at a time and does not wait.
func (j *jobDocuments) Stored(ctx context.Context, from uint64) iter.Seq2[json.RawMessage, error] {
	return decoded(ctx, j.job, j.job.runner.Stored(ctx, j.job.id, from), unpackJSON)
}

// decoded decodes results of a job's pages, and ends with the first error.
func decoded[T any](ctx context.Context, j *Job, from iter.Seq2[crawl.Result, error], decode func([]byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for r, err := range from {
			var value T
			if err == nil {
				value, err = decode(r.Data)
			}
			if err != nil {
				var none T
				yield(none, j.fail(ctx, err))
				return
			}
			if !yield(value, nil) {
				return
			}
		}
	}
}

func unpackJSON(data []byte) (json.RawMessage, error) { return packed.Decode(data) }

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
func (j *jobDocuments) Page(ctx context.Context, skip, limit int) (*JobPage, error) {
	page := &JobPage{}
	var err error
	page.Next, err = j.EachOfPage(ctx, skip, limit, func(doc json.RawMessage) error {
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
func (j *jobDocuments) EachOfPage(ctx context.Context, skip, limit int, each func(json.RawMessage) error) (next int, err error) {
	switch {
	case skip < 0:
		return 0, j.job.fail(ctx, &OptionError{Field: "skip", Value: skip, Want: "0 or more"})
	case limit < 0 || limit > 1000:
		return 0, j.job.fail(ctx, &OptionError{Field: "limit", Value: limit, Want: "1 to 1000, or 0 for 100"})
	}
	status, err := j.job.Status(ctx) // asked first: what is done later is on the next page
	if err != nil {
		return 0, err
	}
	next, size := skip, 0
	for doc, err := range j.Stored(ctx, uint64(skip)) {
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
func (j *jobDocuments) Errors(ctx context.Context) ([]JobError, error) {
	var list []JobError
	for r, err := range j.job.runner.Errors(ctx, j.job.id) {
		if err != nil {
			return nil, j.job.fail(ctx, err)
		}
		list = append(list, JobError{ID: r.ID, URL: r.URL, Code: Code(r.Code), Error: string(r.Data), Timestamp: r.Completed})
	}
	return list, nil
}
