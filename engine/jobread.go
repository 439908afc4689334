package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
)

// reader gives what is kept of the job's pages.
func (j *Job) reader() (*crawl.Frontier, error) { return j.runner.Frontier(j.id) }

// Status tells how the job stands.
func (j *Job) Status(ctx context.Context) (JobStatus, error) {
	r, err := j.runner.Records.Get(ctx, j.id)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	f, err := j.reader()
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	s, err := f.Stats(ctx)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	used, err := j.runner.Usage(j.id)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	warning, err := j.warning(r, s)
	if err != nil {
		return JobStatus{}, j.fail(ctx, err)
	}
	return JobStatus{
		ID: r.ID, Kind: r.Kind, Owner: r.Owner, URL: r.URL, State: JobState(r.State),
		Total: s.Known, Completed: s.Done, Failed: s.Failed, CreditsUsed: r.Credits, Usage: used,
		CreatedAt: r.Created, CompletedAt: r.Ended, ExpiresAt: r.Expires,
		Code: Code(r.Code), Error: r.Error, Warning: warning,
		Progress: Progress(j.runner.Progress(j.id, s)),
	}, nil
}

// warning tells of what a caller may miss in the result.
func (j *Job) warning(r jobs.Record, s crawl.Stats) (string, error) {
	if warning, found, err := j.runner.Warning(j.id); err != nil || found {
		return warning, err
	}
	return pagesWarning(r, s), nil
}

// pagesWarning tells of what a crawl's pages lack.
func pagesWarning(r jobs.Record, s crawl.Stats) string {
	switch n := s.Denied[string(scope.RobotsTxt)]; {
	case n > 0:
		return "robots.txt forbids pages that the crawl found; Errors lists them."
	case r.Kind == KindCrawl && r.State == jobs.Completed && s.Done <= 1 && s.Denied[string(scope.BackwardCrawling)] > 0:
		return "Links lead out of the seed's path; CrawlEntireDomain follows them."
	}
	return ""
}

// resultsAtOnce bounds how many results are read in one go.
const resultsAtOnce = 50

// Documents gives the documents in the order in which they were done, after the first
// from, and waits for more until the job has ended. The number of a document, from
// 1, is that of its event's Result.
func (j *Job) Documents(ctx context.Context, from uint64) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		f, err := j.reader()
		if err != nil {
			yield(nil, j.fail(ctx, err))
			return
		}
		c := &documents{f: f, from: from, yield: yield}
		for e, err := range j.Events(ctx, 0) {
			if err == nil && e.Result <= c.from && !JobState(e.Type).ended() {
				continue
			}
			goOn := false
			if err == nil {
				goOn, err = c.drain(ctx)
			}
			if err != nil {
				yield(nil, j.fail(ctx, err))
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
func (j *Job) Page(ctx context.Context, skip, limit int) (*JobPage, error) {
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

// EachOfPage hands over the documents of a [Job.Page] one at a time: only one is in memory. next is as
// JobPage.Next. An error of each ends it and is returned as it is.
func (j *Job) EachOfPage(ctx context.Context, skip, limit int, each func(json.RawMessage) error) (next int, err error) {
	switch {
	case skip < 0:
		return 0, j.fail(ctx, &OptionError{Field: "skip", Value: skip, Want: "0 or more"})
	case limit < 0 || limit > 1000:
		return 0, j.fail(ctx, &OptionError{Field: "limit", Value: limit, Want: "1 to 1000, or 0 for 100"})
	}
	status, err := j.Status(ctx) // asked first: what is done later is on the next page
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

// Stored gives the documents that are there, as JSON, in the order in which they were done, after the first from. It reads one at a
// time and waits for none.
func (j *Job) Stored(ctx context.Context, from uint64) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		f, err := j.reader()
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
			yield(nil, j.fail(ctx, err))
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
func (j *Job) Errors(ctx context.Context) ([]JobError, error) {
	f, err := j.reader()
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	var list []JobError
	for after := uint64(0); ; {
		errs, err := f.Errors(ctx, after, 1000)
		if err != nil {
			return nil, j.fail(ctx, err)
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

// Denied is why URLs that a crawl found are not part of it.
type Denied struct {
	// Reason in the service's words, such as "EXTERNAL_LINK" or "ROBOTS_TXT".
	Reason string
	// Count of URLs, and the first 1000 of them.
	Count int
	URLs  []string
}

// Denied lists what the crawl left out, by reason.
func (j *Job) Denied(ctx context.Context) ([]Denied, error) {
	f, err := j.reader()
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	s, err := f.Stats(ctx)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	var list []Denied
	for _, reason := range slices.Sorted(maps.Keys(s.Denied)) {
		urls, err := f.DeniedURLs(ctx, reason)
		if err != nil {
			return nil, j.fail(ctx, err)
		}
		list = append(list, Denied{Reason: reason, Count: s.Denied[reason], URLs: urls})
	}
	return list, nil
}

// RobotsBlocked lists the URLs that robots.txt forbids, at most 1000.
func (j *Job) RobotsBlocked(ctx context.Context) ([]string, error) {
	f, err := j.reader()
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	urls, err := f.DeniedURLs(ctx, string(scope.RobotsTxt))
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	return urls, nil
}
