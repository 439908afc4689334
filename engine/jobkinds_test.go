package engine

import (
	"context"
	"iter"
	"testing"
)

// documented is a job of pages.
type documented interface {
	Status(ctx context.Context) (JobStatus, error)
	Documents(ctx context.Context, from uint64) iter.Seq2[*Document, error]
}

// refound is the job with an id, as its kind.
func refound[J any](t *testing.T, e *Engine, id string, as func(*Job) (J, bool)) J {
	t.Helper()
	job, err := e.Job(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	typed, ok := as(job)
	if !ok {
		t.Fatalf("%s is of the kind %s", id, job.Kind())
	}
	return typed
}

func TestJob_isOfOneKind(t *testing.T) {
	for _, kind := range []string{KindCrawl, KindBatch, KindExtract, KindAgent} {
		job := &Job{id: "1", kind: kind}
		crawl, isCrawl := job.Crawl()
		batch, isBatch := job.Batch()
		extract, isExtract := job.Extract()
		agent, isAgent := job.Agent()
		if isCrawl != (kind == KindCrawl) || isBatch != (kind == KindBatch) || isExtract != (kind == KindExtract) || isAgent != (kind == KindAgent) {
			t.Errorf("%s: crawl %t, batch %t, extract %t, agent %t", kind, isCrawl, isBatch, isExtract, isAgent)
		}
		if (crawl != nil) != isCrawl || (batch != nil) != isBatch || (extract != nil) != isExtract || (agent != nil) != isAgent {
			t.Errorf("%s: a job beside false, or none beside true", kind)
		}
	}
}
