package node

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// slotEvery is the time between two tries to get a slot.
const slotEvery = 100 * time.Millisecond

// slots are the pages of a job that are being fetched, as its home knows, for jobs that bound how many may be at once. They are in memory:
// an owner of the home that has just got it doesn't know of those that its predecessor had let through.
type slots struct {
	by map[int]slotsOf // by shard
}

type slotsOf struct {
	epoch int64 // when the shard was opened: what an earlier owner of it was fetching isn't waited for
	items map[uint64]bool
}

func (s *slots) count() (n int) {
	for _, of := range s.by {
		n += len(of.items)
	}
	return n
}

// enter gives a slot to a page of a shard, if there is one.
func (s *slots) enter(r Request, most int) bool {
	of := s.by[r.Shard]
	if r.Epoch < of.epoch {
		return false
	}
	if of.items == nil || r.Epoch > of.epoch {
		of = slotsOf{r.Epoch, map[uint64]bool{}}
		s.by[r.Shard] = of
	}
	if !of.items[r.Item] && s.count() >= most {
		return false
	}
	of.items[r.Item] = true
	return true
}

func (s *slots) leave(r Request) {
	if of := s.by[r.Shard]; of.epoch == r.Epoch {
		delete(of.items, r.Item)
	}
}

// slotOn serves the requests for slots.
func slotOn(s *shard, r Request) (own bool, err error) {
	reply, err := s.jobReply(r.Job)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.slots[r.Job]
	if of == nil {
		of = &slots{by: map[int]slotsOf{}}
		s.slots[r.Job] = of
	}
	if r.Kind == askLeave || reply.State != Running {
		if of.leave(r); of.count() == 0 {
			delete(s.slots, r.Job)
		}
		return false, nil
	}
	return of.enter(r, reply.Spec.Active), nil
}

// enter gets a slot for an item of a job that bounds them.
func (p *part) enter(ctx context.Context, item crawl.Item) (bool, error) {
	if p.spec.Active == 0 {
		return true, nil
	}
	reply, err := p.s.n.callHome(ctx, p.slotOf(askEnter, item))
	return reply.Own, err
}

func (p *part) slotOf(kind string, item crawl.Item) Request {
	return Request{Kind: kind, Job: p.job, Shard: p.s.number, Item: item.ID, Epoch: p.s.opened.UnixNano()}
}
