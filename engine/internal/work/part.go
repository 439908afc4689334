package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

// maxAttempts is how often a page of a spread job is begun at most: machines may die of it, and of anything else while they have it.
const maxAttempts = 10

// Spread says how a job that is to be made is spread over machines; ok is false for a kind that isn't.
func (r *Runner) Spread(n jobs.New) (job spread.Job, seeds []crawl.Found, ok bool, err error) {
	kind := r.o.Kinds[n.Kind]
	switch {
	case kind.Moves:
		return spread.Job{Limit: 1, Whole: true}, nil, true, nil
	case kind.Spread == nil:
		return job, nil, false, nil
	}
	job, seeds, err = kind.Spread(n)
	return job, seeds, true, err
}

// Moves reports whether jobs of a kind are done as a whole by one machine of a cluster.
func (r *Runner) Moves(kind string) bool { return r.o.Kinds[kind].Moves }

// Part works on a job of a cluster on one shard: on its pages there, or on all of it where it moves. Made by [Runner.Part]. Safe for
// concurrent use.
type Part struct {
	line *Line
	job  *Job // that moves; then line is nil
}

// Part opens a part of a job. Close it when it is over.
func (r *Runner) Part(p spread.Part, record jobs.Record) (*Part, error) {
	kind := r.o.Kinds[record.Kind]
	job := &Job{Record: record, runner: r, part: p}
	switch {
	case kind.Moves:
		return &Part{job: job}, nil
	case kind.Spread == nil:
		return nil, fmt.Errorf("job of a kind that isn't spread: %q", record.Kind)
	}
	l := &Line{Job: job, Frontier: p.Frontier(), Pace: p.Pace(), meter: jobs.NewMeter(r.o.Now), apart: true}
	var err error
	if l.task, l.o, err = kind.Line(l); err != nil {
		if l.o.Close != nil {
			l.o.Close()
		}
		return nil, err
	}
	return &Part{line: l}, nil
}

// Forget removes what a job of a cluster, or its pages, have kept on a shard.
func (r *Runner) Forget(db crawl.DB, job string) error {
	err := errors.Join(DropRows(partDB{db}, noteBucket, job), crawl.Drop(context.Background(), db, linesOf(job)))
	for _, kind := range r.o.Kinds {
		if kind.Spread != nil && kind.Drop != nil {
			err = errors.Join(err, kind.Drop(partDB{db}, job))
		}
	}
	return err
}

// Close ends what the part's pages shared.
func (p *Part) Close() {
	if p.line != nil && p.line.o.Close != nil {
		p.line.o.Close()
	}
}

// Last queues what was kept for the end, if there is any left; see [Finisher].
func (p *Part) Last(ctx context.Context) (bool, error) {
	if p.line == nil {
		return false, nil
	}
	last, ok := p.line.task.(Finisher)
	if !ok {
		return false, nil
	}
	return last.Last(ctx)
}

// Visit makes what a page comes to.
func (p *Part) Visit(ctx context.Context, item crawl.Item) spread.Outcome {
	if p.job != nil {
		return p.job.whole(ctx, item)
	}
	l := p.line
	out := l.attempt(ctx, item)
	if out.Back || l.givenUp(ctx, out) != nil || errors.Is(out.Failed, spread.ErrGone) {
		return spread.Outcome{Back: true}
	}
	if !out.RetryAt.IsZero() {
		return spread.Outcome{RetryAt: out.RetryAt, Cause: out.cause()}
	}
	end, err := l.endApart(item, out)
	if err != nil {
		end, err = l.endApart(item, Outcome{Failed: err})
	}
	if err != nil {
		return spread.Outcome{Page: crawl.Page{Failed: true}}
	}
	return end
}

// endApart is the end of a page, as its shard and the job's mirrors keep it.
func (l *Line) endApart(item crawl.Item, out Outcome) (end spread.Outcome, err error) {
	page, m, err := l.message(item, out)
	if err != nil {
		return end, err
	}
	end.Page = page
	end.Page.Result, end.Page.More, end.Page.Denied = nil, nil, nil // which the mirrors have
	end.Page.InTx = func(tx crawl.Tx, _ uint64) error { return out.inTx(tx, 0, len(m.Documents)) }
	if !out.Silent || len(out.Denied) > 0 || out.Credits > 0 || m.Note != nil {
		end.Entries, err = m.Pieces(spread.MaxEntry)
	}
	end.Ended = func() { l.ended(item, out.Credits) }
	return end, err
}

// message is the end of a page, as a frontier would keep it, and as the job's mirrors do.
func (l *Line) message(item crawl.Item, out Outcome) (page crawl.Page, m entries.Message, err error) {
	if page, err = l.page(out); err != nil {
		return page, m, err
	}
	m.Page = &entries.Page{
		Found: item.Found, Attempts: item.Attempt, At: l.now(), Silent: out.Silent, Kept: out.Kept, Failed: page.Failed, Fatal: out.Fatal,
		Denied: out.Denied, Credits: out.Credits,
	}
	switch {
	case page.Failed:
		m.Page.Code, m.Page.Error = page.Code, string(page.Result)
	case !out.quiet():
		m.Documents = append([][]byte{page.Result}, page.More...)
	}
	if out.Note != nil {
		m.Note, err = json.Marshal(out.Note)
	}
	return page, m, err
}

// ended notes a page that is done.
func (l *Line) ended(item crawl.Item, credits int) {
	l.inBrowser.drop(item)
	if err := l.runner.o.Ledger.Book(l.Record.Owner, credits, func() error { return nil }); err != nil {
		l.Logger().Warn("credits of a page can't be counted", "error", err)
	}
}

// attempts is how often a page may be begun before it is taken for one that never ends.
func (l *Line) attempts() int {
	if l.apart {
		return maxAttempts
	}
	return Attempts
}

// Apart reports whether the line is a part of a job that is spread over machines.
func (l *Line) Apart() bool { return l.apart }

// Own reports whether a URL's pages are those of this line: others are on other shards of the job.
func (l *Line) Own(url string) bool { return !l.apart || l.part.Own(url) }

// Put queues URLs of the job.
func (l *Line) Put(ctx context.Context, found []crawl.Found) error {
	if l.apart {
		return l.part.Put(ctx, found)
	}
	_, err := l.Frontier.Put(ctx, found)
	return err
}

// Claim claims the address that an item was led to; see [crawl.Frontier].Claim.
func (l *Line) Claim(ctx context.Context, item crawl.Item, url, key string) (own bool, err error) {
	if l.apart {
		return l.part.Claim(ctx, item, url, key)
	}
	return l.Frontier.Claim(ctx, item, key)
}

// Deny counts URLs that no page leads to among those that are left out.
func (l *Line) Deny(ctx context.Context, denied []crawl.Denied) error {
	if !l.apart || len(denied) == 0 {
		return l.Frontier.Deny(ctx, denied...)
	}
	return l.send(entries.Message{Page: &entries.Page{Silent: true, At: l.now(), Denied: denied}})
}

// Retake queues URLs that were denied.
func (l *Line) Retake(ctx context.Context, list []crawl.Retaken) error {
	if l.apart && len(list) > 0 {
		var admitted []crawl.Denied
		for _, r := range list {
			admitted = append(admitted, crawl.Denied{Reason: r.Reason, URL: r.URL})
		}
		if err := l.send(entries.Message{Admitted: admitted}); err != nil {
			return err
		}
	}
	return l.Frontier.Retake(ctx, list)
}

// Share keeps a text for the parts of the job that are opened later; a job that isn't spread has none.
func (l *Line) Share(ctx context.Context, text string) error {
	if !l.apart {
		return nil
	}
	return l.part.Share(ctx, text)
}

// Shared is that text; "": there is none.
func (l *Line) Shared() string {
	if !l.apart {
		return ""
	}
	return l.part.Shared()
}

// Leave has the mirrors of a spread job keep something, in the transaction that it belongs to; see [Kind].Keep.
func (j *Job) Leave(tx jobs.Tx, note any) error {
	if j.part == nil {
		return nil
	}
	data, err := json.Marshal(note)
	if err != nil {
		return err
	}
	return j.sendIn(tx, entries.Message{Note: data})
}

func (j *Job) send(m entries.Message) error {
	return j.DB().Update(func(tx jobs.Tx) error { return j.sendIn(tx, m) })
}

func (j *Job) sendIn(tx jobs.Tx, m entries.Message) error {
	list, err := m.Pieces(spread.MaxEntry)
	if err != nil {
		return err
	}
	for _, piece := range list {
		if err := j.part.Append(tx, piece); err != nil {
			return err
		}
	}
	return nil
}

// partDB is the store of a shard.
type partDB struct{ crawl.DB }

// Size is not known.
func (partDB) Size() (total, free int64, err error) { return 0, 0, nil }
