package browser

import (
	"context"
	"errors"
	"fmt"
)

// Open returns a page in a fresh context. It installs and starts what is missing first (see Prepare), and is queued while
// Options.MaxPages pages are open. The page must be closed.
func (p *Pool) Open(ctx context.Context, o PageOptions) (*Page, error) {
	o, err := o.resolve()
	if err != nil {
		return nil, err
	}
	if err := p.takeSlot(ctx); err != nil {
		return nil, err
	}
	page, err := p.openAnywhere(ctx, o)
	if err != nil || !p.keepSlot(page) {
		<-p.slots
	}
	return page, err
}

// takeSlot waits until fewer than MaxPages pages are open.
func (p *Pool) takeSlot(ctx context.Context) error {
	if p.invalid != nil {
		return p.invalid
	}
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-p.ctx.Done():
		return ErrClosed
	case <-ctx.Done():
		return fmt.Errorf("wait for a free page: %w", context.Cause(ctx))
	}
}

// keepSlot hands the slot to a page, which frees it at its end; false when the page has ended already.
func (p *Pool) keepSlot(page *Page) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	page.slot = p.pages[page]
	return page.slot
}

// openAnywhere opens a page on the current browser, or the next one when that dies or retires meanwhile.
func (p *Pool) openAnywhere(ctx context.Context, o PageOptions) (page *Page, err error) {
	if page, err = p.takeAhead(ctx, o); page != nil || err != nil {
		return page, err
	}
	for range 3 {
		var gen *generation
		if gen, err = p.generation(ctx); err != nil {
			return nil, err
		}
		page, err = p.openOn(ctx, gen, o)
		if err == nil || !errors.Is(err, ErrCrashed) || ctx.Err() != nil {
			return page, err
		}
	}
	return nil, err
}

// openOn opens a page on one generation.
func (p *Pool) openOn(ctx context.Context, gen *generation, o PageOptions) (*Page, error) {
	page, err := p.makePage(ctx, gen, o)
	if err != nil {
		return nil, err
	}
	if err := page.furnish(ctx); err != nil {
		page.Abandon()
		return nil, fmt.Errorf("open page: %w", err)
	}
	return page, nil
}

// makePage makes a page on one generation, all but furnished.
func (p *Pool) makePage(ctx context.Context, gen *generation, o PageOptions) (*Page, error) {
	page := p.newPage(gen, o)
	if err := p.countIn(page); err != nil {
		return nil, err
	}
	err := p.acquireProxy(page)
	if err == nil {
		err = page.setUp(ctx)
	}
	if err != nil {
		page.Abandon()
		return nil, fmt.Errorf("open page: %w", err)
	}
	gen.LearnPillars()
	return page, nil
}

// countIn counts a page in; it fails when the generation has been retired in between.
func (p *Pool) countIn(page *Page) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	if err := p.browsers.countIn(page.gen); err != nil {
		return err
	}
	p.pages[page] = true
	return nil
}

// countOut counts a page out.
func (p *Pool) countOut(page *Page) {
	p.mu.Lock()
	known := p.pages[page]
	delete(p.pages, page)
	if known && page.slot {
		<-p.slots
	}
	p.mu.Unlock()
	if known {
		p.browsers.countOut(page.gen)
	}
}
