package engine

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// series names the crawls that may go on from each other; "" for one that leaves no trace.
func (o CrawlOptions) series(seed string) string {
	if o.private() {
		return ""
	}
	owner := o.Owner
	o.Owner, o.Since, o.Webhook, o.IdempotencyKey, o.Prompt, o.Record = "", "", nil, "", "", ""
	o.Limit, o.Delay, o.MaxConcurrency, o.Scrape.Timeout = 0, 0, 0, 0
	o.Scrape.MaxAge, o.Scrape.Revalidate, o.Scrape.StoreInCache = nil, false, nil
	asked, err := json.Marshal(o)
	if err != nil {
		return ""
	}
	return since.Series(owner, seed, asked)
}

// checkSince refuses an earlier crawl that can't be gone on from.
func (e *Engine) checkSince(ctx context.Context, seed string, o CrawlOptions) error {
	refuse := func(want string) error { return &OptionError{Field: "winnow.since", Value: o.Since, Want: want} }
	switch {
	case o.Since == "":
		return nil
	case o.private():
		return refuse("unset with zeroDataRetention and lockdown, which keep nothing")
	}
	if o.Since != SinceLast {
		if job, err := e.Job(ctx, o.Since); err == nil && (job.Owner() != o.Owner || job.Kind() != KindCrawl) {
			return refuse("a crawl of the same owner")
		}
	}
	want, err := crawling.MayGoOn(e.stores.State, o.series(seed), o.Since, SinceLast, func(job string) bool { return e.over(ctx, job) })
	if err != nil || want == "" {
		return err
	}
	return refuse(want)
}

// over reports whether a job has ended, or is forgotten.
func (e *Engine) over(ctx context.Context, id string) bool {
	job, err := e.Job(ctx, id)
	if err != nil {
		return CodeOf(err) == CodeNotFound
	}
	status, err := job.Status(ctx)
	return err == nil && status.State.Final()
}

// ChangeKind says what has become of a page.
type ChangeKind string

// The kinds of changes.
const (
	PageAdded ChangeKind = crawling.Added
	// PageChanged: its texts differ in more than times relative to now, the date of the day, counters, advertisements, the order of cards,
	// and ids in addresses. Without markdown among the formats, whatever the page shows counts.
	PageChanged ChangeKind = crawling.Changed
	PageRemoved ChangeKind = crawling.Removed // the site says that it is gone (404, 410)
	PageMoved   ChangeKind = crawling.Moved   // it leads to another address, or its text is at one now
)

// Change is what has become of a page since an earlier crawl, see [CrawlOptions.Since].
type Change struct {
	Kind ChangeKind `json:"kind"`
	// URL of the page; of one that has moved, where to.
	URL string `json:"url"`
	// From is where a page has moved from.
	From string `json:"from,omitempty"`
	// Diff is the difference of the two markdown texts in the unified form; empty unless the page has changed and both are known.
	Diff string `json:"diff,omitempty"`
	// Result is the number of the page's document, from 1 (see [CrawlJob.Documents]); 0: it has none.
	Result uint64 `json:"result,omitempty"`
	// At is when it was seen.
	At time.Time `json:"at"`
}

// EventChange is the type of an event of a crawl with Since. Its Data is a [Change] without the diff.
const EventChange = jobs.EventChange

// Changes returns what has changed since the earlier crawl, each once, in the order in which it was found, after the first from, and
// waits for more until the job has ended. What was removed, and what may have moved, is known at the end only. Empty without
// [CrawlOptions.Since].
func (j *CrawlJob) Changes(ctx context.Context, from uint64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for ev, err := range j.Events(ctx, 0) {
			if err != nil {
				yield(Change{}, err)
				return
			}
			if ev.Type != EventChange && !jobs.State(ev.Type).Final() {
				continue
			}
			for c, err := range j.StoredChanges(ctx, from) {
				if from++; !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// StoredChanges is Changes that gives those that are there, and does not wait.
func (j *CrawlJob) StoredChanges(ctx context.Context, from uint64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for {
			list, err := crawling.Changes(j.runner.DB(), j.id, from)
			if err != nil {
				yield(Change{}, j.fail(ctx, err))
				return
			}
			if len(list) == 0 {
				return
			}
			for _, c := range list {
				if from++; !yield(Change{ChangeKind(c.Kind), c.URL, c.From, c.Diff, c.Result, c.At}, nil) {
					return
				}
			}
		}
	}
}

// ChangeCounts says how many changes of each kind a crawl has found so far.
func (j *CrawlJob) ChangeCounts(ctx context.Context) (map[ChangeKind]int, error) {
	counts, err := crawling.ChangeCounts(j.runner.DB(), j.id)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	kinds := map[ChangeKind]int{}
	for kind, n := range counts {
		kinds[ChangeKind(kind)] = n
	}
	return kinds, nil
}
