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

// lineup knows which hosts have something in line, and which of them is next. It holds a bounded number of hosts; the names of all others
// are found in the queue itself, when there is room again (picker.sweep). It is guarded by Frontier.mu.
type lineup struct {
	hosts   map[string]*hostLine
	ready   hostHeap // may be asked now, for all that is known
	waiting hostHeap // may be asked at a time
	stuck   hostHeap // may be asked when one of their requests has ended
	turn    uint64

	most    int       // hosts
	cold    bool      // the queue may have hosts that aren't here
	swept   string    // the queue was looked through up to this host
	missed  bool      // a host before that was left out since
	evicted time.Time // the last time
}

// hostLine is a host with something in line, or out.
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
		// A host with fewer items out goes first, so one that is slow doesn't gather all workers.
		ready: hostHeap{before: func(a, b *hostLine) bool {
			return a.held < b.held || a.held == b.held && a.turn < b.turn
		}},
		waiting: hostHeap{before: func(a, b *hostLine) bool { return a.at.Before(b.at) }},
		stuck:   hostHeap{before: func(a, b *hostLine) bool { return a.turn < b.turn }},
		most:    lineupHosts,
		cold:    true,
	}
}

// touch: the host has something in line, or a place again.
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

// enter gives a host a place; nil: there is none.
func (l *lineup) enter(host string) *hostLine {
	if len(l.hosts) >= l.most {
		return nil
	}
	l.turn++
	h := &hostLine{host: host, turn: l.turn}
	l.hosts[host] = h
	return h
}

// hold counts one more item of the host as out, unhold one less. A host with items out is always known.
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

// move puts a host somewhere else; nil: it has nothing to give, and is forgotten when nothing of it is out.
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

// due makes those ready that have waited long enough, and asks again for those that waited for the end of a request.
func (l *lineup) due(now time.Time, ask func(host string) (time.Time, bool)) {
	for len(l.waiting.hosts) > 0 && !now.Before(l.waiting.hosts[0].at) {
		l.move(l.waiting.hosts[0], &l.ready)
	}
	for _, h := range append([]*hostLine(nil), l.stuck.hosts...) {
		if at, ok := ask(h.host); ok {
			l.move(h, &l.ready)
		} else {
			l.wait(h, at)
		}
	}
}

// makeRoom takes places from the hosts that wait, when others may be ready. They come back in a later sweep.
func (l *lineup) makeRoom(now time.Time) {
	if !l.cold || len(l.ready.hosts) > 0 || len(l.hosts) < l.most || now.Sub(l.evicted) < evictEvery {
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
