package carrying

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/prices"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Room is what a job of pages may use.
type Room struct {
	// Pages that a crawl may fetch.
	Pages int
	// AtOnce bounds the pages that it is at at once; 0: there is no bound.
	AtOnce int
}

// Within is a concurrency that is wanted, within the room; 0 is none.
func (r Room) Within(wanted int) int {
	if r.AtOnce > 0 && (wanted == 0 || wanted > r.AtOnce) {
		return r.AtOnce
	}
	return wanted
}

// Reserve reserves what the pages of a pass cost: price is the most that one does, limit how many a crawl may have.
type Reserve func(price, limit int) (Room, error)

// limits are those of [Monitors.Limit]. Safe for concurrent use.
type limits struct {
	mu   sync.Mutex
	list []monitor.Reserve
}

func (l *limits) add(r monitor.Reserve) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, r)
}

// held is what all limits have reserved.
type held []monitor.Hold

// reserve asks all limits; an error of one gives back what the others have.
func (l *limits) reserve(ctx context.Context, owner string, lowest, highest int64) (h held, err error) {
	l.mu.Lock()
	list := slices.Clone(l.list)
	l.mu.Unlock()
	for _, reserve := range list {
		one, err := reserve(ctx, owner, lowest, highest)
		if err != nil {
			h.release()
			return nil, err
		}
		h, highest = append(h, one), min(highest, one.Credits)
	}
	return h, nil
}

// room is what a job may use of a reservation for pages of a price.
func (h held) room(price, pages int) Room {
	r := Room{Pages: pages}
	for _, one := range h {
		r.Pages = min(r.Pages, int(one.Credits)/max(1, price))
		if one.Pages > 0 {
			r.AtOnce = min(cmp.Or(r.AtOnce, one.Pages), one.Pages)
		}
	}
	return r
}

func (h held) keepFor(job string) {
	for _, one := range h {
		if one.KeepFor != nil {
			one.KeepFor(job)
		}
	}
}

func (h held) release() {
	for _, one := range h {
		if one.Release != nil {
			one.Release()
		}
	}
}

// fetch starts the job of a pass within what its owner may use, or finds it: what was begun goes on.
func (o Options) fetch(ctx context.Context, p monitoring.Pass, key string) (string, error) {
	r, found, err := o.Runner.Records.ByKey(ctx, p.Owner, key)
	if err != nil || found {
		return r.ID, err
	}
	var h held
	defer func() { h.release() }()
	id, err := o.Fetch(ctx, p, key, func(price, limit int) (Room, error) {
		lowest, pages := int64(price), limit
		if p.URLs != nil {
			pages = len(p.URLs)
			lowest = int64(price) * int64(pages)
		}
		h, err = o.limits.reserve(ctx, p.Owner, lowest, int64(price)*int64(pages))
		return h.room(price, pages), err
	})
	if err == nil {
		h.keepFor(id)
	}
	return id, err
}

// Found is what a search has found, and what that costs. Its JSON stands in files.
type Found struct {
	Results []monitoring.Observation `json:"results,omitempty"`
	Credits int                      `json:"credits,omitempty"`
}

// search does a search within what its owner may use, once in a check.
func (o Options) search(ctx context.Context, p monitoring.Pass, number int) (found Found, err error) {
	query := p.Target.Queries[number]
	name := fmt.Sprintf("search %d %s", number, query)
	if before, err := p.Notes.Get(name, &found); before || err != nil {
		return found, err
	}
	price := int64(prices.Search(cmp.Or(p.Target.MaxResults, defaultResults)))
	h, err := o.limits.reserve(ctx, p.Owner, price, price)
	if err != nil {
		return found, err
	}
	defer h.release()
	err = o.Find(ctx, p, query, func(now Found) error {
		found = now
		return p.Notes.Put(name, now)
	})
	return found, err
}

// defaultResults are those of a search whose number isn't given.
const defaultResults = 10
