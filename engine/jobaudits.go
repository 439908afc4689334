package engine

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/auditing"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// auditedPages are those of a job that learns of its templates. What a private one learns ends with it.
func (e *Engine) auditedPages(l *work.Line, workers int, private bool) *jobPages {
	p := e.pagesOf(l, workers)
	if e.pages.Learnt == nil || l.Apart() {
		return p
	}
	p.book = auditing.Open(l.DB(), l.Record.ID)
	if private {
		store := learnt.NewStore(e.log, e.now)
		p.memory = learnt.New(store, e.log, e.now)
		p.end = func() { p.tabs.End(); _ = store.Close() }
	}
	return p
}

// Corrections are those of the job; nil where nothing is learnt of its pages.
func (p *jobPages) Corrections() work.Corrections {
	if p.book == nil {
		return nil
	}
	return p.book
}

// audits lets the book of the job decide whether a page is got both ways.
func (p *jobPages) audits(s *scrape, item crawl.Item) {
	if p.book != nil {
		s.Memory, s.since = p.memory, p.book.Newest()
		s.Both = func(t learnt.Template, known learnt.Counts) bool { return p.book.Both(item.URL, t, known) }
	}
}

// enter writes a page into the book of the job.
func (p *jobPages) enter(s *scrape, item crawl.Item) func(jobs.Tx, uint64, int) error {
	if p.book == nil {
		return nil
	}
	route := s.result.Route
	if route != nil && route.Both {
		p.book.Release(route)
	}
	return p.book.Enter(auditing.Page{
		Way: s.way(), Stored: s.result.Cached.UTC(), Route: route, Found: item.Found, Host: item.Host, Since: s.since,
	})
}

// way is how the page came.
func (s *scrape) way() auditing.Way {
	switch src := s.result.Page; {
	case src == nil:
		return auditing.Other
	case !s.result.Cached.IsZero():
		return auditing.Cache
	default:
		return auditing.Way(src.By)
	}
}

// again gets the page of a correction from its site: in the browser, or both ways to compare. The document is nil where that shows no more.
func (p *jobPages) again(
	ctx context.Context, s *scrape, c work.Correction, item crawl.Item, onDocument func(context.Context) error,
) (*Document, error) {
	p.join(s, item)
	s.plan.Caching.Read = false
	s.OnAnswer = func(time.Duration, *page.Page, error) { item.Visit.End(crawl.Outcome{}) } // a browser's time says nothing of its host
	s.Both = func(learnt.Template, learnt.Counts) bool { return true }
	if !c.Check {
		s.plan.Mode, s.plan.Because = page.ModeBrowser, "dynamic: an audit of its template found more in the browser"
	}
	doc, err := p.scrape(ctx, s, onDocument)
	if err != nil {
		return nil, err
	}
	if c.Check && !s.result.Route.More() {
		return nil, nil
	}
	before, err := p.stored(ctx, c)
	if err == nil {
		err = s.result.Page.Replaces(s.address(), before.Metadata.StatusCode, before.Metadata.URL)
	}
	if err != nil || sameContent(*before, *doc) {
		return nil, err
	}
	return doc, nil
}

// stored is the document of a page that is to be got again.
func (p *jobPages) stored(ctx context.Context, c work.Correction) (*Document, error) {
	list, err := p.Frontier.Results(ctx, c.Sequence-1, 1)
	if err != nil || len(list) == 0 {
		return nil, errors.Join(err, errors.New("the stored page is gone"))
	}
	return unpackDocument(list[0].Data)
}

// sameContent reports documents that differ at most in how they came.
func sameContent(a, b Document) bool {
	a.Metadata, b.Metadata, a.RawHTML, b.RawHTML, a.Warning, b.Warning = Metadata{}, Metadata{}, "", "", "", ""
	return sameJSON(a, b)
}
