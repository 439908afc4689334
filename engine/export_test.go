package engine

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
)

// Soak is soak, for tests from outside.
func Soak(full int) int { return soak(full) }

// Raced reports whether the race detector watches.
func Raced() bool { return raced }

// FilledBatch makes a batch that has ended and has doc n times, without scraping.
func FilledBatch(t testing.TB, e *Engine, owner string, doc *Document, n int) *BatchJob {
	t.Helper()
	ctx := context.Background()
	const url = "https://a.example/"
	params, err := json.Marshal(batchParams{URLs: 1})
	must(t, err)
	r, _, err := e.durable.Records.Create(ctx, jobs.New{Kind: KindBatch, Owner: owner, URL: url, Params: params})
	must(t, err)
	f, err := crawl.Open(e.stores.State, r.ID, crawl.Options{Limit: n})
	must(t, err)
	_, err = f.Put(ctx, []crawl.Found{{URL: url}})
	must(t, err)
	items, _, err := f.Lease(ctx, 1, 0)
	must(t, err)
	data, err := packed.Encode(doc)
	must(t, err)
	page := crawl.Page{Result: data}
	for range n - 1 {
		page.More = append(page.More, data)
	}
	must(t, f.Complete(ctx, items[0], page))
	_, err = e.durable.Records.Finish(ctx, r.ID, jobs.Completed, "", "")
	must(t, err)
	return newBatchJob(jobOf(e.durable, r))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
