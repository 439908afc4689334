package work

import (
	"context"
	"iter"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// readAtOnce bounds how many results are read in one go.
const readAtOnce = 50

// Stored returns the results of a job's pages so far, in the order in which they were done, after the first from. It reads
// one at a time.
func (r *Runner) Stored(ctx context.Context, id string, from uint64) iter.Seq2[crawl.Result, error] {
	return r.rows(id, from, func(f *crawl.Frontier, last uint64) ([]crawl.Result, error) { return f.Results(ctx, last, 1) })
}

// Errors returns the pages of a job that failed, in the order in which they did.
func (r *Runner) Errors(ctx context.Context, id string) iter.Seq2[crawl.Result, error] {
	return r.rows(id, 0, func(f *crawl.Frontier, last uint64) ([]crawl.Result, error) { return f.Errors(ctx, last, readAtOnce) })
}

// rows reads on after a number until there is no more.
func (r *Runner) rows(id string, last uint64, read func(*crawl.Frontier, uint64) ([]crawl.Result, error)) iter.Seq2[crawl.Result, error] {
	return func(yield func(crawl.Result, error) bool) {
		f, err := r.Frontier(id)
		for err == nil {
			var rows []crawl.Result
			if rows, err = read(f, last); err == nil && len(rows) == 0 {
				return
			}
			for _, row := range rows {
				if last = row.Sequence; !yield(row, nil) {
					return
				}
			}
		}
		yield(crawl.Result{}, err)
	}
}

// Results is [Runner.Stored] that waits for more until the job has ended.
func (r *Runner) Results(ctx context.Context, id string, from uint64) iter.Seq2[crawl.Result, error] {
	return func(yield func(crawl.Result, error) bool) {
		some := func(f *crawl.Frontier, last uint64) ([]crawl.Result, error) { return f.Results(ctx, last, readAtOnce) }
		for ev, err := range r.Records.Events(ctx, id, 0) {
			if err != nil {
				yield(crawl.Result{}, err)
				return
			}
			if ev.Ref <= from && !jobs.State(ev.Type).Final() {
				continue
			}
			for row, err := range r.rows(id, from, some) {
				if from = max(from, row.Sequence); !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}
