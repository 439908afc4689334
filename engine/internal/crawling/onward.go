package crawling

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// maxWay is how long a page waits for another that is on its way to the same address. Then it goes there too: a page that is fetched twice
// is better than one that is lost.
const maxWay = 5 * time.Second

// errLeft ends a page that is led out of the crawl, or to where another page of it is.
var errLeft = errors.New("the redirect leads out of the crawl, or to a page that it has")

// ways are the addresses that pages are being led to.
type ways struct {
	mu sync.Mutex
	by map[string]*way // by key
}

// way is one address while a page is on its way there, or is there.
type way struct {
	item uint64
	done chan struct{}
}

// take makes a way the item's. It waits while another has it, and reports false where that lasts too long.
func (w *ways) take(ctx context.Context, key string, item uint64) (bool, error) {
	late := time.NewTimer(maxWay)
	defer late.Stop()
	for {
		w.mu.Lock()
		held := w.by[key]
		if held == nil {
			w.by[key] = &way{item, make(chan struct{})}
		}
		w.mu.Unlock()
		if held == nil || held.item == item {
			return true, nil
		}
		select {
		case <-held.done:
		case <-late.C:
			return false, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// leave ends the item's hold of a way, if it has one.
func (w *ways) leave(key string, item uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held := w.by[key]; held != nil && held.item == item {
		close(held.done)
		delete(w.by, key)
	}
}

// onward judges where the redirects of one page lead, before they are followed. It is safe for concurrent use.
type onward struct {
	c    *crawler
	item crawl.Item

	mu   sync.Mutex
	key  string // of where the page is on its way to; "" for its own address
	out  *work.Outcome
	to   string // the last address that was judged
	over bool   // the page has arrived
}

// judge returns an error where a redirect is not to be followed; out is what the page comes to then.
func (o *onward) judge(ctx context.Context, to string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return errLeft
	}
	o.to = to
	left, err := o.c.refused(ctx, o.item, to)
	switch {
	case err != nil:
		o.out = new(unreachable(o.item, err))
		return err
	case left != nil:
		o.out = new(silent(work.Outcome{}, *left))
		return errLeft
	}
	return o.goTo(ctx, o.c.scope.Load().Key(to))
}

// goTo has the page go on to an address, unless another page of the crawl is there.
func (o *onward) goTo(ctx context.Context, key string) error {
	if key != "" && key == o.key {
		return nil // a browser goes the way once more
	}
	o.leave()
	if key == "" || key == o.item.Key {
		return nil
	}
	mine, err := o.c.ways.take(ctx, key, o.item.ID)
	if err != nil {
		return err
	}
	if mine {
		o.key = key
	}
	taken, err := o.c.line.Frontier.Taken(ctx, o.item, key)
	if err != nil || !taken {
		return err
	}
	o.out = new(silent(work.Outcome{})) // out, but not listed: its page is there
	return cmp.Or(o.c.led(ctx, o.item, key), errLeft)
}

// arrive ends the judging, and returns what the page comes to where it was refused; nil: it was not.
func (o *onward) arrive() *work.Outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	return o.out
}

// end lets others go where the page is.
func (o *onward) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.leave()
}

func (o *onward) leave() {
	if o.key != "" {
		o.c.ways.leave(o.key, o.item.ID)
		o.key = ""
	}
}

// refused returns why a page may not be led to an address; nil: it may. A seed may be led anywhere: the crawl goes with it. Its error is
// that of a host that doesn't give its robots.txt.
func (c *crawler) refused(ctx context.Context, item crawl.Item, to string) (*crawl.Denied, error) {
	if !isSeed(item) {
		if v := c.scope.Load().JudgeHop(item.URL, to); v.Reason != "" {
			return &crawl.Denied{Reason: string(v.Reason), URL: item.URL}, nil
		}
	}
	if !c.obeys() {
		return nil, nil
	}
	file, err := c.site.Robots(ctx, to)
	if err != nil {
		return nil, err
	}
	if !file.Allowed(c.o.Agent, to) {
		return &crawl.Denied{Reason: string(scope.RobotsTxt), URL: to}, nil
	}
	return nil, nil
}
