package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// member is one of the cluster.
type member struct {
	s      *simulation
	node   *Node
	hand   []*Work // being fetched
	waits  *Wait   // for a page; nil: not
	steps  int     // under way
	asleep bool
	dead   bool
	sick   sickness
}

// sickness is what a member can't do, for ever, while the others see it alive.
type sickness int

const (
	noFiles    sickness = iota + 1 // open a shard, or read an inbox
	noKeys                         // read the leases
	noAnswers                      // know in time that a beat was written
	sicknesses = iota
)

// killed ends all steps of a member.
type killed struct{ m *member }

func (s *simulation) join() {
	m := &member{s: s}
	m.node = New(Options{
		Shards: s.shards,
		Keeper: lease.New(lease.Options{Store: keys{&s.keys, m}, Shards: s.shards, TTL: simTTL, Now: s.clock.Now, NewName: s.name}),
		Sender: links.NewSender(links.SenderOptions{
			Log: func(n int) links.Log { return inbox{s.inboxes[n], m} }, MaxBytes: 1 << 20, NewID: s.name,
			Pause: func(context.Context, time.Duration) error { return errNoSend }, // the step is tried again instead
		}),
		Inbox: func(n int) links.Log { return inbox{s.inboxes[n], m} },
		Open:  m.open, Gone: func(err error) bool { return errors.Is(err, errGone) }, Call: m.call, Now: s.clock.Now,
		MaxBytes: 150, // some two seeds
	})
	s.members = append(s.members, m)
}

func (s *simulation) name() string {
	s.names++
	return fmt.Sprint("n", s.names)
}

// reach is a call of a service by a member. instead of an answer that is lost, another outcome may be given.
func (m *member) reach(do func() error, instead ...func() error) error {
	s := m.s
	m.rest()
	if s.chance(faultSeld) {
		s.count.failed++
		return errNoAnswer
	}
	err := do()
	m.rest()
	if err == nil && s.chance(faultSeld) {
		s.count.lost++
		if len(instead) > 0 {
			return instead[0]()
		}
		return errNoAnswer
	}
	return err
}

// rest is where a member may die, or sleep while the others go on, maybe past its lease.
func (m *member) rest() {
	s := m.s
	if m.steps == 1 && len(s.members) > 1 && s.chance(faultSeld/2) { // within another step of its own, others' would end with it
		s.count.kills++
		m.dead = true
		s.members = slices.DeleteFunc(s.members, func(o *member) bool { return o == m })
		panic(killed{m})
	}
	if s.chance(faultSeld) {
		s.count.sleeps++
		m.asleep = true
		s.others(60, 1500*time.Millisecond)
		m.asleep = false
	}
}

// others has the other members go on for some steps.
func (s *simulation) others(steps int, pause time.Duration) {
	if s.depth >= maxDepth {
		return
	}
	s.depth++
	for range s.random.IntN(steps) {
		s.clock.Advance(time.Duration(s.random.Int64N(int64(pause))))
		s.step()
	}
	s.depth--
}

// guard runs a step of a member, which may be its last.
func (s *simulation) guard(m *member, do func()) {
	m.steps++
	defer func() {
		m.steps--
		if p := recover(); p != nil {
			if k, ok := p.(killed); !ok || k.m != m {
				panic(p)
			}
		}
	}()
	do()
}

// act does one thing.
func (m *member) act(what int) {
	ctx := context.Background()
	open := m.node.Open()
	one := -1
	if len(open) > 0 {
		one = open[m.s.random.IntN(len(open))]
	}
	switch {
	case what < 2:
		_, _ = m.node.Balance(ctx)
	case what < 4:
		_, _ = m.node.OpenNext(ctx)
	case what == 4 && one >= 0:
		_, _ = m.node.Tend(ctx, one)
	case what < 7 && one >= 0:
		_, _ = m.node.TakeIn(ctx, one)
	case what < 9:
		m.fetch(ctx)
	default:
		m.finish(ctx)
	}
}

// fetch takes a page in hand, and looks whether its host was left alone for long enough.
func (m *member) fetch(ctx context.Context) {
	if len(m.hand) >= 3 {
		return
	}
	homes := slices.Clone(m.s.stores)
	w, wait, err := m.node.Lease(ctx)
	if err != nil {
		m.waits = nil
		return
	}
	if w == nil {
		m.waits = &wait
		return
	}
	if m.waits != nil && !over(*m.waits, m.s.clock.Now()) {
		m.s.fail("there is a page, and nothing woke those that wait for one")
	}
	m.waits = nil
	now, j := m.s.clock.Now(), m.s.job(w.Job)
	if last, ok := j.visited[w.Item.Host]; ok && now.Sub(last) < w.Spec.Delay {
		m.s.fail("%s is requested %s after the last time, want %s", w.Item.Host, now.Sub(last), w.Spec.Delay)
	}
	j.visited[w.Item.Host] = now
	j.fetched[w.Item.URL]++
	m.hand = append(m.hand, w)
	if home := shards.Home(w.Job, m.s.shards); homes[home] == m.s.stores[home] {
		j.slots[w] = homes[home]
	}
	m.s.checkSlots(j)
}

// over reports whether what waits has been woken.
func over(w Wait, now time.Time) bool {
	select {
	case <-w.Changed:
		return true
	default:
		return !w.Until.IsZero() && !now.Before(w.Until)
	}
}

// finish completes a page, and keeps it in hand where that may be tried again.
func (m *member) finish(ctx context.Context) {
	if len(m.hand) == 0 {
		return
	}
	i := m.s.random.IntN(len(m.hand))
	w := m.hand[i]
	var err error
	if w.Item.Attempt < 3 && m.s.chance(faultOften) {
		err = m.node.Fail(ctx, w, m.s.clock.Now().Add(time.Duration(m.s.random.IntN(3))*time.Second), "simulation")
	} else {
		err = m.complete(ctx, w)
	}
	if err == nil || errors.Is(err, errGone) || errors.Is(err, ErrOver) || errors.Is(err, crawl.ErrLeaseLost) {
		m.hand = slices.DeleteFunc(m.hand, func(o *Work) bool { return o == w })
		_ = m.node.Done(ctx, w)
	}
}

// complete completes a page, which is none where another one was led there before, or is there.
func (m *member) complete(ctx context.Context, w *Work) error {
	at := page(w.Item.URL)
	if to := m.s.moved[at]; to != at {
		own, err := m.node.Claim(ctx, w, m.s.url(to), m.s.url(to))
		if err != nil {
			return err
		}
		if !own {
			return m.node.Complete(ctx, w, crawl.Page{Silent: true})
		}
		m.s.count.led++
	}
	return m.node.Complete(ctx, w, m.s.page(w), []byte(w.Item.URL))
}

// state describes why a job goes on.
func (s *simulation) state(ctx context.Context) (text string) {
	for i, m := range s.members {
		shares, err := m.node.Balance(ctx)
		text += fmt.Sprintf("member %d: %+v %v, open %v, in hand %d;", i, shares, err, m.node.Open(), len(m.hand))
		for _, shard := range m.node.Open() {
			_, err := m.node.TakeIn(ctx, shard)
			_, err2 := m.node.Tend(ctx, shard)
			text += fmt.Sprintf(" shard %d: %v, tend %v;", shard, err, err2)
			for _, j := range s.jobs {
				reply, err := m.node.Serve(ctx, shard, Request{Kind: askReport, Job: j.id})
				text += fmt.Sprintf(" %s %+v %v;", j.id, reply.Report, err)
			}
		}
	}
	for _, j := range s.jobs {
		now, err := s.members[0].node.Job(ctx, j.id)
		text += fmt.Sprintf(" %s is %s, %v;", j.id, now.State, err)
	}
	for _, m := range s.members {
		for _, w := range m.hand {
			text += fmt.Sprintf(" in hand: %s of %d: %v;", w.Item.URL, w.Shard, m.node.Complete(ctx, w, s.page(w)))
		}
	}
	return text
}

// all does all that a member can.
func (m *member) all(ctx context.Context) {
	_, _ = m.node.Balance(ctx)
	for n := 0; n >= 0; {
		n, _ = m.node.OpenNext(ctx)
	}
	for range 4 {
		for _, shard := range m.node.Open() {
			_, _ = m.node.TakeIn(ctx, shard)
		}
		for range 3 {
			m.fetch(ctx)
		}
		for range 3 {
			m.finish(ctx)
		}
	}
	for _, shard := range m.node.Open() {
		_, _ = m.node.Tend(ctx, shard)
	}
}
