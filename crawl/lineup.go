package crawl

import (
	"container/heap"
	"time"
)

const (
	lineupHosts = 10_000      // hosts that are kept in memory
	evictEvery  = time.Second // when none of them is ready, how often others get their places
	evictHosts  = 1000        // and how many
)

// lineup knows which hosts have something queued, and which of them is next. It holds a bounded number of hosts; the names of all others
// are found in the queue itself, when there is room again (picker.sweep). It is guarded by Frontier.mu.
type lineup struct {
	hosts   map[string]*hostLine
	ready   hostHeap // may be requested now, as far as is known
	waiting hostHeap // may be requested at a known time
	stuck   hostHeap // may be requested when one of their requests has ended
	turn    uint64

	maxHosts int
	cold     bool      // the queue may have hosts that aren't here
	swept    string    // the queue was looked through up to this host
	missed   bool      // a host before that was left out since
	evicted  time.Time // the last time
}

// hostLine is a host with something queued or leased.
type hostLine struct {
	host  string
	held  int       // leases
	turn  uint64    // when it was served last, or came in
	at    time.Time // until when it waits
	in    *hostHeap // nil: it has nothing to give
	index int
}

func newLineup() lineup {
	return lineup{
		hosts: map[string]*hostLine{},
		// A host with fewer leased items goes first, so a slow one doesn't hold all workers.
		ready: hostHeap{before: func(a, b *hostLine) bool {
			return a.held < b.held || a.held == b.held && a.turn < b.turn
		}},
		waiting:  hostHeap{before: func(a, b *hostLine) bool { return a.at.Before(b.at) }},
		stuck:    hostHeap{before: func(a, b *hostLine) bool { return a.turn < b.turn }},
		maxHosts: lineupHosts,
		cold:     true,
	}
}

// touch: the host has something queued, or a free slot.
func (l *lineup) touch(host string) {
	h := l.hosts[host]
	if h == nil {
		if h = l.enter(host); h == nil {
			l.cold = true
			l.missed = l.missed || host <= l.swept
			return
		}
	}
	if h.in == nil {
		l.move(h, &l.ready)
	}
}

// enter adds a host; nil: there is no room.
func (l *lineup) enter(host string) *hostLine {
	if len(l.hosts) >= l.maxHosts {
		return nil
	}
	l.turn++
	h := &hostLine{host: host, turn: l.turn}
	l.hosts[host] = h
	return h
}

// hold counts one more leased item of the host, unhold one less. A host with leased items is always known.
func (l *lineup) hold(host string) {
	h := l.hosts[host]
	if h == nil {
		l.turn++
		h = &hostLine{host: host, turn: l.turn}
		l.hosts[host] = h
	}
	h.held++
	l.fix(h)
}

func (l *lineup) unhold(host string) {
	h := l.hosts[host]
	h.held--
	l.fix(h)
	l.touch(host)
}

func (l *lineup) fix(h *hostLine) {
	if h.in != nil {
		heap.Fix(h.in, h.index)
	}
}

// served puts a host behind all others.
func (l *lineup) served(h *hostLine) {
	l.turn++
	h.turn = l.turn
	l.fix(h)
}

// wait sets a host aside until then; the zero time: until one of its requests has ended.
func (l *lineup) wait(h *hostLine, at time.Time) {
	h.at = at
	if at.IsZero() {
		l.move(h, &l.stuck)
		return
	}
	l.move(h, &l.waiting)
}

// move puts a host somewhere else; nil: it has nothing to give, and is forgotten when none of its items is leased.
func (l *lineup) move(h *hostLine, to *hostHeap) {
	if h.in != nil {
		heap.Remove(h.in, h.index)
	}
	if h.in = to; to != nil {
		heap.Push(to, h)
	} else if h.held == 0 {
		delete(l.hosts, h.host)
	}
}

// due makes those ready that have waited long enough, and checks again those that waited for the end of a request.
func (l *lineup) due(now time.Time, check func(host string) (time.Time, bool)) {
	for len(l.waiting.hosts) > 0 && !now.Before(l.waiting.hosts[0].at) {
		l.move(l.waiting.hosts[0], &l.ready)
	}
	for _, h := range append([]*hostLine(nil), l.stuck.hosts...) {
		if at, ok := check(h.host); ok {
			l.move(h, &l.ready)
		} else {
			l.wait(h, at)
		}
	}
}

// makeRoom removes hosts that wait, when others may be ready. They come back in a later sweep.
func (l *lineup) makeRoom(now time.Time) {
	if !l.cold || len(l.ready.hosts) > 0 || len(l.hosts) < l.maxHosts || now.Sub(l.evicted) < evictEvery {
		return
	}
	l.evicted = now
	for range min(evictHosts, len(l.waiting.hosts)) {
		h := l.waiting.hosts[len(l.waiting.hosts)-1] // among those that wait for longest
		l.missed = l.missed || h.host <= l.swept
		l.move(h, nil)
	}
}

// hostHeap is a heap of hosts that know where in it they are.
type hostHeap struct {
	hosts  []*hostLine
	before func(a, b *hostLine) bool
}

func (q *hostHeap) Len() int           { return len(q.hosts) }
func (q *hostHeap) Less(i, j int) bool { return q.before(q.hosts[i], q.hosts[j]) }

func (q *hostHeap) Swap(i, j int) {
	q.hosts[i], q.hosts[j] = q.hosts[j], q.hosts[i]
	q.hosts[i].index, q.hosts[j].index = i, j
}

func (q *hostHeap) Push(x any) {
	h := x.(*hostLine)
	h.index = len(q.hosts)
	q.hosts = append(q.hosts, h)
}

func (q *hostHeap) Pop() any {
	last := len(q.hosts) - 1
	h := q.hosts[last]
	q.hosts[last] = nil
	q.hosts = q.hosts[:last]
	return h
}
