package scraping

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/llm"
)

// Result is what came of a scrape. Beside an error it has what there was until then.
type Result struct {
	Acquired
	Output  *render.Output // nil: not rendered
	Changes *Changes       // nil: not compared
	Media   Media
	Waited  time.Duration // for a slot

	asker *enrich.Asker // nil: no model was needed
}

// Answers are what a model said of the page; empty where none was called.
func (r *Result) Answers() enrich.Answers {
	if r.asker == nil {
		return enrich.Answers{}
	}
	return r.asker.Answers
}

// Usage is what a model was used for.
func (r *Result) Usage() llm.Usage {
	if r.asker == nil {
		return llm.Usage{}
	}
	return r.asker.Usage()
}

func (r *Result) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, sentence(format, args...))
}

// Run goes through the steps. The result is never nil. Beside the error of an action it may have an output: that of the
// page as the action left it, see [Result.Unfinished].
func (s *Scrape) Run(ctx context.Context) (r *Result, err error) {
	r = &Result{}
	defer func() {
		r.Waited = s.waited
		if p := recover(); p != nil {
			r.Output, err = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if r.Acquired, err = s.Acquire(ctx); err != nil {
		s.renderUnfinished(ctx, r, err)
		return r, err
	}
	if r.Unchanged != NotKnown {
		return r, nil
	}
	ctx, cancel := s.RenderTime(ctx, r.Page)
	defer cancel()
	if r.Output, err = s.Render(ctx, r.Acquired); err != nil {
		return r, err
	}
	if r.Changes, err = s.track(ctx, r); err != nil {
		return r, err
	}
	if r.Media, err = s.media(ctx, r.Acquired, r.Output); err != nil {
		return r, err
	}
	return r, s.ask(ctx, r)
}

// Peek gets a page and, unless it is wanted as it came, its output: no document comes of it.
func (s *Scrape) Peek(ctx context.Context) (*Result, error) {
	got, err := s.Acquire(ctx)
	r := &Result{Acquired: got}
	if err != nil || s.Request.Rendering.AsIs {
		return r, err
	}
	r.Output, err = s.Render(ctx, got)
	return r, err
}

// lateTime is what rendering gets beyond the scrape's time when that ran out after it had content.
const lateTime = 400 * time.Millisecond

// RenderTime returns the context that a page is rendered in, which has what is left of the reserve (see
// [deadline.Clock.Reserve]) and more where the page came late.
func (s *Scrape) RenderTime(ctx context.Context, src *page.Page) (context.Context, context.CancelFunc) {
	if !src.Late {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), s.Clock.Remaining()+lateTime)
}

// Render makes the asked formats from the page. Pages that were not fetched have a queue of their own.
func (s *Scrape) Render(ctx context.Context, got Acquired) (out *render.Output, err error) {
	if got.output != nil {
		return got.output, nil
	}
	if got.served != nil { // perhaps for a scrape that wanted something else of it
		if err := s.Request.Accept(got.Page); err != nil {
			return nil, err
		}
	}
	if s.slot == nil {
		if err := s.enter(ctx, s.Readers); err != nil {
			return nil, err
		}
	}
	err = s.step("render", func() (_ string, err error) {
		out, err = s.Rendered.Make(ctx, got.Page, &s.Request.Rendering)
		return "", err
	})
	return out, err
}

// renderUnfinished renders the page of a scrape that an action has ended, without what a model, change tracking and media
// would add. There is no output where another error ended the scrape, or the page gives no document.
func (s *Scrape) renderUnfinished(ctx context.Context, r *Result, failed error) {
	action, ok := errors.AsType[*actions.Error](failed)
	if !ok || r.Page == nil {
		return
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return // the caller has gone, or the engine closes
	}
	r.Page.Late = true
	ctx, cancel := s.RenderTime(ctx, r.Page)
	defer cancel()
	if r.Page.URL != s.Request.URL && s.Obey(ctx, r.Page.URL) != nil || s.Request.Accept(r.Page) != nil {
		return
	}
	if out, err := s.Render(ctx, r.Acquired); err == nil {
		r.Output = out
		r.warn("The actions did not finish (%v); this is the content as it was then", action)
	}
}
