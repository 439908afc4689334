package node

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// slotEvery is the time between two tries of a part to get a slot.
const slotEvery = 100 * time.Millisecond

// slots are the pages of a job that are being fetched, as its home knows, for jobs that bound how many may be at once. They are in memory:
// an owner of the home that has just got it doesn't know of those that its predecessor had let through.
//
// A request that gives a slot back may be lost, and one that wants a slot may come when its page has long ended. So neither is counted:
// each has a statement of the shard, and what isn't in the newest one has no slot. The home gets statements by itself, too: a shard may
// have nothing more to want after a request that was lost, and so may its next owner.
type slots map[int]*slotsOf // by shard

// slotsOf are those of a shard, all of them in its newest statement.
type slotsOf struct {
	newest statement
	items  map[uint64]bool
}

// statement of a part: its pages that have a slot or wait for an answer about one.
type statement struct {
	epoch   uint64 // of the part: its shard's next owner has a higher one, whatever the clocks are
	version uint64 // grows with each change
	items   []uint64
}

// later reports whether a statement was made after another one of the same shard.
func (s statement) later(than statement) bool {
	return s.epoch > than.epoch || s.epoch == than.epoch && s.version > than.version
}

func (s slots) count() (n int) {
	for _, of := range s {
		n += len(of.items)
	}
	return n
}

// state takes a statement of a shard, unless it has a later one.
func (s slots) state(shard int, now statement) *slotsOf {
	of := s[shard]
	if of == nil {
		of = &slotsOf{items: map[uint64]bool{}}
		s[shard] = of
	}
	if !now.later(of.newest) {
		return of
	}
	if now.epoch > of.newest.epoch { // what an earlier owner was fetching isn't waited for
		clear(of.items)
	}
	of.newest = now
	for item := range of.items {
		if !slices.Contains(now.items, item) {
			delete(of.items, item)
		}
	}
	return of
}

// enter gives a slot to a page of a shard, if there is one. Requests may overtake each other: what the newest statement has is still
// wanted.
func (s slots) enter(r Request, most int) bool {
	of := s.state(r.Shard, r.statement())
	if r.Epoch < of.newest.epoch || !slices.Contains(of.newest.items, r.Item) {
		return false
	}
	if !of.items[r.Item] && s.count() >= most {
		return false
	}
	of.items[r.Item] = true
	return true
}

func (r Request) statement() statement { return statement{r.Epoch, r.Version, r.Items} }

// slotOn serves the requests for slots.
func slotOn(s *shard, r Request) (own bool, err error) {
	reply, err := s.jobReply(r.Job)
	if err != nil || reply.State != Running {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.slots[r.Job]
	if of == nil {
		of = slots{}
		s.slots[r.Job] = of
	}
	if r.Kind == askLeave {
		of.state(r.Shard, r.statement())
		return false, nil
	}
	return of.enter(r, reply.Spec.Active), nil
}

// checkSlots has the shards that have slots state what they are for now. One that can't doesn't keep the others' slots in use.
func (h *home) checkSlots(ctx context.Context) (errs error) {
	for _, shard := range h.holders() {
		reply, err := h.s.n.o.Call(ctx, shard, Request{Kind: askSlots, Job: h.job})
		if err != nil {
			errs = errors.Join(errs, err)
			continue
		}
		h.s.mu.Lock()
		if of := h.s.slots[h.job]; of != nil {
			of.state(shard, statement{reply.Epoch, reply.Version, reply.Items})
		}
		h.s.mu.Unlock()
	}
	return errs
}

// holders are the shards that have slots, in order.
func (h *home) holders() (list []int) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	for shard, of := range h.s.slots[h.job] {
		if len(of.items) > 0 {
			list = append(list, shard)
		}
	}
	slices.Sort(list)
	return list
}

// dropSlots forgets those of a job that takes no more pages.
func (h *home) dropSlots() {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	delete(h.s.slots, h.job)
}

// entered are a part's pages that have a slot or wait for an answer about one. The zero value has none.
type entered struct {
	mu    sync.Mutex
	now   statement
	full  time.Time      // until then the home isn't called for a slot: it had none
	times map[uint64]int // of pages, which are more than one where a lease has ended
}

// add changes how often a page is among them, and returns the statement about it.
func (e *entered) add(item uint64, n int) statement {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.times == nil {
		e.times = map[uint64]int{}
	}
	if e.times[item] += n; e.times[item] <= 0 {
		delete(e.times, item)
	}
	e.now.version++
	e.now.items = nil // the one before is being sent
	for item := range e.times {
		e.now.items = append(e.now.items, item)
	}
	return e.now
}

func (e *entered) statement() statement {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now
}

// wait is until when there is no use in a try; the zero time: there is.
func (e *entered) wait() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.full
}

func (e *entered) waitUntil(t time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.full = t
}

// enter gets a slot for an item of a job that bounds them. No answer is as good as none that is free.
func (p *part) enter(ctx context.Context, item crawl.Item) bool {
	if p.spec.Active == 0 {
		return true
	}
	reply, err := p.s.n.callHome(ctx, p.slotRequest(askEnter, item, 1))
	if err == nil && reply.Own {
		return true
	}
	p.entered.add(item.ID, -1)
	p.entered.waitUntil(p.s.n.o.Now().Add(slotEvery))
	return false
}

// leave gives a slot back.
func (p *part) leave(ctx context.Context, item crawl.Item) error {
	if p.spec.Active == 0 {
		return nil
	}
	_, err := p.s.n.callHome(ctx, p.slotRequest(askLeave, item, -1))
	p.entered.waitUntil(time.Time{})
	p.s.n.wake()
	return err
}

func (p *part) slotRequest(kind string, item crawl.Item, n int) Request {
	now := p.entered.add(item.ID, n)
	return Request{
		Kind: kind, Job: p.job, Shard: p.s.number, Item: item.ID, Epoch: now.epoch, Version: now.version, Items: now.items,
	}
}

// statementOn says which of a job's pages on a shard have a slot or wait for an answer about one.
func statementOn(s *shard, job string) (reply Reply) {
	if p := s.known(job); p != nil {
		now := p.entered.statement()
		reply.Epoch, reply.Version, reply.Items = now.epoch, now.version, now.items
	}
	return reply
}
