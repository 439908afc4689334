package engine

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/llm"
)

// open makes the line of a job's pages.
func (r *run) open(concurrency int, delay time.Duration, limit int) (err error) {
	r.workers = orDefault(concurrency, r.engine.options.MaxPages)
	r.pace = crawl.NewPace(crawl.PaceOptions{Delay: delay, Concurrency: r.workers, Now: r.engine.now})
	r.frontier, err = r.store.open(r.id, crawl.Options{Limit: limit, Pace: r.pace})
	return err
}

// join makes a scrape part of the job: its host's place is free as soon as that has answered.
func (r *run) join(s *scrape, item crawl.Item) {
	s.attempt = &attempt{last: item.Attempt >= pageAttempts, inBrowser: r.inBrowser.has(item)}
	s.job, s.plan.once, s.tabs = r.id, true, r.tabs
	s.asked = func(took time.Duration, src *source, err error) { item.Visit.End(answerOf(took, src, err)) }
}

// answerOf is what the site made of a request, for its pace.
func answerOf(took time.Duration, src *source, err error) crawl.Outcome {
	o := crawl.Outcome{Latency: took, Err: err}
	if src != nil {
		o.Status, o.RetryAfter = src.status, src.retryAfter
	}
	return o
}

// scrape runs the scrape of a page. What models were asked for it counts for the job, whatever
// becomes of the page.
func (r *run) scrape(ctx context.Context, s *scrape, also func(context.Context) error) (*Document, error) {
	doc, err := s.do(ctx, also)
	if used := s.usage(); used != (llm.Usage{}) {
		err = orError(err, r.store.spend(r.id, r.owner, used, 0))
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}
