package engine

import (
	"context"
	"errors"
	"iter"

	"github.com/winnow-go/winnow/engine/internal/batching"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// BatchJob is a batch that [Engine.StartBatch] started. Safe for concurrent use.
type BatchJob struct {
	*Job
	jobDocuments
	jobRendering
}

func newBatchJob(j *Job) *BatchJob {
	return &BatchJob{Job: j, jobDocuments: jobDocuments{j}, jobRendering: jobRendering{j}}
}

// InvalidURLs lists the texts that were left out because they are no web addresses.
func (j *BatchJob) InvalidURLs(ctx context.Context) ([]string, error) { return j.invalidURLs(ctx) }

// Ordered returns the documents in the order in which the URLs were given, once the batch has ended; it waits for that.
// A URL that failed is an error in its place, which does not end the sequence.
func (j *BatchJob) Ordered(ctx context.Context) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		if _, err := j.Wait(ctx); err != nil {
			yield(nil, err)
			return
		}
		order, err := batching.OrderOf(ctx, j.runner, j.id)
		if err != nil {
			yield(nil, j.fail(ctx, err))
			return
		}
		for n := range order.Len() {
			place, err := order.At(ctx, n)
			doc := (*Document)(nil)
			if err != nil {
				err = j.fail(ctx, err)
			} else {
				doc, err = j.placed(place)
			}
			if !yield(doc, err) || ctx.Err() != nil {
				return
			}
		}
	}
}

// placed is the document at a place, or why there is none.
func (j *BatchJob) placed(p batching.Place) (*Document, error) {
	if p.Failed {
		return nil, &Error{Code: Code(p.Code), Op: j.kind, URL: p.URL, Err: errors.New(p.Error)}
	}
	if p.Document == nil {
		return nil, &Error{Code: CodeCancelled, Op: j.kind, URL: p.URL, Err: work.ErrCancelled}
	}
	doc, err := unpackDocument(p.Document)
	if err == nil && p.URL != "" {
		doc.Metadata.SourceURL = p.URL
	}
	return doc, err
}
