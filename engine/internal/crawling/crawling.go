// Package crawling is the task of a crawl: it judges which pages of a site belong to it, by its scope, robots.txt and where
// redirects lead, follows their links, and notes which pages crawls were led to. It fetches nothing itself: [Pages] and
// [Site] do.
//
// Start with [Open].
//
//   - crawling.go — [Open], [Options]: the task; what it needs of pages and of the site
//   - onward.go — where redirects may lead, before they are followed
//   - settle.go — what a fetched page is to the crawl, and where it leads
//   - folds.go — addresses that are one page
//   - seed.go — the seed: why it failed, where it has moved to
//   - robots.go — what robots.txt has to say before a page is fetched, and of its links
//   - sitemaps.go — what the site's sitemaps list
//   - since.go — a crawl that comes again: how pages are requested, and what is left to the next crawl
//   - known.go — what an earlier crawl had, in the order of work, and what sitemaps vouch for
//   - compare.go — what has changed about a page
//   - texts.go — what a page said, for that comparison
//   - changes.go — [Change], [Changes]: what a crawl reports
//   - traps.go — which links are left since such pages held nothing new: [Traps]
//   - apart.go — a crawl that is spread over machines
//   - warning.go — what a job's pages lack
//   - reached.go — what crawls leave behind: [Hidden], [Forget]
package crawling

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/folding"
	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/crawl/traps"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Pages scrapes the pages of a crawl. Safe for concurrent use.
type Pages interface {
	// Visit scrapes the page of an item. Beside an error [Visit.Tried] counts.
	Visit(ctx context.Context, item crawl.Item, ask Ask) (Visit, error)
	// Again gets the page of a correction, like Visit. A Visit without a document leaves the stored one: there is no more to see.
	Again(ctx context.Context, c work.Correction, item crawl.Item, ask Ask) (Visit, error)
	// Corrections of the job; nil where nothing is learnt of its pages.
	Corrections() work.Corrections
}

// Visit is what a page came to.
type Visit struct {
	work.Tried
	// Document of the page, for JSON.
	Document any
	// URL of the page in the end, after redirects.
	URL string
	// Status of the answer.
	Status int
	// Links of the page, absolute.
	Links []string
	// Sketch of its text; nil: nothing is known of it.
	Sketch *traps.Sketch
	// Canonical is the address that the page names as its own, absolute; may be empty.
	Canonical string
	// Sum is a digest of what the page shows; empty where it isn't known, and for pages of errors.
	Sum string
	// Unchanged: it is [Ask.Known] still, of which there is no document. Whole: it came all the same.
	Unchanged, Whole bool
	// Answer is what the page can be asked for again with.
	Answer Answer
	// Text of the page, to be compared; "": it isn't known.
	Text string
	// TextInDocument: it is the document's "markdown".
	TextInDocument bool
	digest         []byte // of Text, before what is written in a transaction
	// Unfit: what came isn't the page, but a wall or a part of it.
	Unfit bool
	// InTx is [work.Outcome.InTx].
	InTx func(tx jobs.Tx, first uint64, results int) error
}

// Site is what a crawl needs of its site beside the pages. Safe for concurrent use.
type Site interface {
	// Outside returns the error of a page that the crawl may not be led to; nil for others.
	Outside(href string) error
	// Robots returns the robots.txt of a URL's origin. Its error is that of the page; an [*UnreachableError] says when to
	// ask again.
	Robots(ctx context.Context, href string) (*robots.File, error)
	// Sitemaps streams what the sitemaps of a seed's site list. A [*sitemap.Problem] ends nothing.
	Sitemaps(ctx context.Context, seed string) iter.Seq2[sitemap.URL, error]
}

// UnreachableError says that a host doesn't give its robots.txt.
type UnreachableError struct {
	// Next is when it is tried again; zero: it was given up.
	Next time.Time
	// Err is the error of the page.
	Err error
}

func (e *UnreachableError) Error() string { return e.Err.Error() }

func (e *UnreachableError) Unwrap() error { return e.Err }

// Options of a crawl, complete.
type Options struct {
	// Seed is normalised.
	Seed  string
	Scope scope.Options
	// Agent is the product token whose rules in robots.txt count; empty: the file is not read.
	Agent string
	// Sitemaps are read, Links are followed.
	Sitemaps, Links bool
	// FollowTraps: pages are fetched whether others like them held anything new or not.
	FollowTraps bool
	// Series is that of the crawl, see [since.Series]; empty: nothing is kept for crawls that come again.
	Series string
	// Again goes on from the crawl of the series before this one. OrFirst: where there is none, each page counts as new.
	Again, OrFirst bool
	// Workers, Delay and Limit are the line's.
	Workers int
	Delay   time.Duration
	Limit   int
}

// crawler is the task of a crawl.
type crawler struct {
	line   *work.Line
	pages  Pages
	site   Site
	o      Options
	scope  atomic.Pointer[scope.Scope] // another one once the seed has moved to another host
	seed   atomic.Pointer[string]      // where the seed has moved to; nil: nowhere
	failed atomic.Pointer[error]       // of the seed
	ways   ways
	guard  *traps.Guard  // nil: traps are followed
	book   *folding.Book // nil: addresses are as they are
	night  *night        // nil: nothing is kept for crawls that come again
}

// Open starts a crawl, or resumes it where an earlier process left it.
func Open(l *work.Line, pages Pages, site Site, o Options) (work.Task, work.LineOptions, error) {
	if l.Apart() {
		o.Series = "" // a crawl that comes again goes on from one store
	}
	c := &crawler{line: l, pages: pages, site: site, o: o, ways: ways{by: map[string]*way{}}}
	lo := work.LineOptions{Workers: o.Workers, Delay: o.Delay, Limit: o.Limit, Corrections: pages.Corrections()}
	s, err := scope.New(o.Scope)
	if err != nil {
		return nil, lo, err
	}
	c.scope.Store(s)
	err = errors.Join(c.openBook(), c.openGuard(), openNight(c), c.rebased())
	if l.Apart() {
		return apart{c}, lo, err
	}
	return c, lo, err
}

// Feed queues the seed, and then what the site's sitemaps list.
func (c *crawler) Feed(ctx context.Context) error {
	if c.night.again() {
		return c.night.feed(ctx)
	}
	if err := putSeed(ctx, c); err != nil {
		return err
	}
	return c.feedSitemaps(ctx, c.o.Seed)
}

// Visit fetches a page, unless it is one that the crawl has by now. One that an earlier crawl had is looked at in any case.
func (c *crawler) Visit(ctx context.Context, item crawl.Item) work.Outcome {
	known, err := c.night.knows(item)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	if known != nil {
		defer c.night.begin(item)()
		return c.noteLost(ctx, item, c.fetch(ctx, item, known))
	}
	if early, err := c.night.afterKnown(ctx, item); err != nil || early {
		return work.Outcome{Failed: err, Back: early}
	}
	if out, ok := c.isThere(ctx, item); ok {
		return out
	}
	end, ok := c.begin(ctx, item)
	if !ok {
		return c.noteLost(ctx, item, c.storing(silent(work.Outcome{}, c.leaveTrap(item.Found)), item, nil))
	}
	defer end()
	return c.noteLost(ctx, item, c.fetch(ctx, item, nil))
}

// fetch fetches a page that robots.txt allows, and judges its links.
func (c *crawler) fetch(ctx context.Context, item crawl.Item, known *since.Page) work.Outcome {
	if out, ok := c.mayFetch(ctx, item); !ok {
		return c.noteSeed(item, out)
	}
	led := &onward{c: c, item: item}
	defer led.end()
	ask, err := c.night.ask(item, known, led.judge)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	visit, err := c.pages.Visit(ctx, item, ask)
	if out := led.arrive(); err != nil && out != nil {
		return c.noteSeed(item, c.night.remember(ctx, item, known, Visit{URL: led.to}, c.ledAway(ctx, item, *out)))
	}
	if err != nil {
		return c.noteSeed(item, c.line.Again(item, visit.Tried, err))
	}
	if visit.Unchanged {
		return c.night.unchanged(ctx, item, known, visit)
	}
	out := work.Outcome{Documents: []any{visit.Document}, Credits: visit.Credits, InTx: visit.InTx}
	if c.line.PushedBack(&out, item, visit.Tried) {
		return out
	}
	return c.night.onlyNew(c.night.remember(ctx, item, known, visit, c.settle(ctx, item, visit, out)))
}

// Correct implements [work.Corrector]. What robots.txt forbids by now is left as it is.
func (c *crawler) Correct(ctx context.Context, again work.Correction, item crawl.Item) work.Outcome {
	if out, ok := c.mayFetch(ctx, item); !ok {
		return work.Outcome{Failed: cmp.Or(out.Failed, errDenied)}
	}
	led := &onward{c: c, item: item}
	defer led.end()
	visit, err := c.pages.Again(ctx, again, item, Ask{Onward: led.judge})
	led.arrive()
	out := work.Outcome{Documents: []any{visit.Document}, Failed: err, Silent: visit.Document == nil, InTx: visit.InTx}
	if err == nil && !out.Silent {
		out = c.night.corrected(item, visit, out)
	}
	if c.o.Links && err == nil && !out.Silent {
		out.Found, out.Denied = c.partitionLinks(ctx, item, visit)
		return c.place(ctx, item.ID, c.sift(ctx, item, out))
	}
	return out
}

var errDenied = errors.New("robots.txt forbids the page")

// Complete keeps what the crawl was led to, also where robots.txt forbids to fetch it.
func (c *crawler) Complete(tx jobs.Tx, item crawl.Item, out work.Outcome) error {
	began := c.line.Record.Created
	if err := reached(tx, item.URL, began); err != nil {
		return err
	}
	for _, d := range out.Denied {
		if d.Reason == string(scope.RobotsTxt) {
			if err := reached(tx, d.URL, began); err != nil {
				return err
			}
		}
	}
	return nil
}

// Ended fails a crawl whose seed failed, unless it found pages all the same.
func (c *crawler) Ended(ctx context.Context) error {
	s, err := c.line.Frontier.Stats(ctx)
	if err != nil {
		return err
	}
	if failed := c.failed.Load(); failed != nil {
		if s.Done > 0 {
			return c.night.endNight()
		}
		return *failed
	}
	if err := c.night.endNight(); err != nil {
		return err
	}
	if s.Refused > 0 || s.Denied[string(scope.Trap)] > 0 || c.o.Scope.MaxDiscoveryDepth != nil || !c.o.Links {
		return nil // it hasn't followed all that its scope covers
	}
	return covered(c.line.DB(), c.line.Record)
}
