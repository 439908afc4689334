package work

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// Beside makes a request at the pace of its host, which an item needs beside its own, such as one for a script of its page. Where that is
// the item's host, it waits for the host's delay: the item has its slot. The error is the request's, or why it was not made.
func (l *Line) Beside(ctx context.Context, item crawl.Item, host string, do func() error) error {
	if host == item.Host {
		if err := sleep(ctx, l.Pace.Delay(host)); err != nil {
			return err
		}
		return do()
	}
	visit, err := l.await(ctx, host)
	if err != nil {
		return err
	}
	defer visit.End(crawl.Outcome{})
	return do()
}

// await begins a request as soon as its host may be requested.
func (l *Line) await(ctx context.Context, host string) (*crawl.Visit, error) {
	for {
		changed := l.Pace.Changed()
		visit, at := l.Pace.Begin(host)
		if visit != nil {
			return visit, nil
		}
		var due <-chan time.Time
		if !at.IsZero() {
			timer := time.NewTimer(at.Sub(l.now()))
			defer timer.Stop()
			due = timer.C
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-changed:
		case <-due:
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
