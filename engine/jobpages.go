package engine

import (
	"cmp"
	"context"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/auditing"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/warm"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// jobPages scrapes the pages of one job.
type jobPages struct {
	*work.Line
	engine *Engine
	tabs   *warm.JobTabs
	book   *auditing.Book // nil: nothing is learnt
	memory *learnt.Memory // of a job that leaves no trace; nil for others
	end    func()
}

// pagesOf opens what the pages of a job share. The caller ends it.
func (e *Engine) pagesOf(l *work.Line, workers int) *jobPages {
	p := &jobPages{Line: l, engine: e, tabs: e.pages.Tabs.OfJob(workers)}
	p.end = p.tabs.End
	return p
}

// workers is how many pages of a job are active at once.
func (e *Engine) workers(concurrency int) int { return cmp.Or(concurrency, e.options.MaxPages) }

// join makes a scrape part of the job: its host's slot is free as soon as that has answered.
func (p *jobPages) join(s *scrape, item crawl.Item) {
	a := p.Attempt(item)
	s.Attempt = &page.Attempt{Last: a.Last, InBrowser: a.InBrowser}
	s.job, s.Tabs = p.Record.ID, p.tabs
	s.plan.Rendering.OfJob = true
	s.plan.Rendering.Once = s.plan.Rendering.Once || !s.plan.Caching.Read && !s.plan.Caching.Write // nothing would find them
	s.Paced = func(ctx context.Context, host string, do func() error) error { return p.Beside(ctx, item, host, do) }
	p.audits(s, item)
	s.OnAnswer = func(took time.Duration, src *page.Page, err error) {
		if s.plan.Because != "" && src != nil && src.By == page.ByBrowser {
			took = 0 // a browser's time is no measure beside that of pages got by HTTP
		}
		item.Visit.End(auditing.Outcome(took, src, err))
	}
}

// scrape runs the scrape of a page. The usage of models for it counts for the job, also where the page fails.
func (p *jobPages) scrape(ctx context.Context, s *scrape, onDocument func(context.Context) error) (*Document, error) {
	doc, err := s.do(ctx, onDocument)
	if used := s.usage(); used != (llm.Usage{}) {
		err = cmp.Or(err, p.Spend(used, 0))
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}
