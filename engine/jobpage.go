package engine

import (
	"context"
	"net/http"
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

// pushedBack tells when a host that is too busy wants to be asked again. After the
// last attempt its answer is the page.
func (r *run) pushedBack(item crawl.Item, src *source) (time.Time, bool) {
	if src.status != http.StatusTooManyRequests && src.status != http.StatusServiceUnavailable || item.Attempt >= pageAttempts {
		return time.Time{}, false
	}
	at := r.pace.Blocked(item.Host)
	return latest(at, r.engine.now().Add(firstPause)), true
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
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

// again is what a failed page comes to: what the network may mend is tried again.
func (r *run) again(item crawl.Item, s *scrape, err error) outcome {
	out := failedPage(err)
	out.credits = s.cost
	switch CodeOf(err) {
	case CodeSite, CodeAllEnginesFailed:
		if item.Attempt < pageAttempts {
			out.retryAt = r.engine.now().Add(firstPause << (2 * (item.Attempt - 1)))
		}
	}
	return out
}
