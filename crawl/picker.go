package crawl

import (
	"bytes"
	"time"
)

// pickSteps is how many hosts are looked at in one call, and how many are looked for in the queue.
const pickSteps = 1000

// picker takes items from the hosts that are next.
type picker struct {
	f     *Frontier
	w     *work
	n     int
	now   time.Time
	until time.Time // end of the new leases
	items []Item
	wait  Wait
}

func (p *picker) pick() error {
	l := &p.f.lineup
	l.due(p.now, p.f.o.Pace.Ready)
	l.makeRoom(p.now)
	if err := p.sweep(); err != nil {
		return err
	}
	for range pickSteps + p.n {
		if len(p.items) == p.n || len(l.ready.hosts) == 0 {
			break
		}
		if err := p.serve(l.ready.hosts[0]); err != nil {
			return err
		}
	}
	return p.soon()
}

// sweep looks for hosts in the queue that the lineup doesn't know, as long as it has room for them.
func (p *picker) sweep() error {
	l := &p.f.lineup
	for steps := 0; l.cold && len(l.hosts) < l.maxHosts && steps < pickSteps; steps++ {
		key, _ := first(p.w.tx, bucketQueue, p.w.key(), p.w.key([]byte(l.swept), []byte{hostPast}))
		if key == nil { // the end; once more from the beginning if a host was left out
			l.cold, l.missed, l.swept = l.missed, false, ""
			continue
		}
		host, ok := hostOf(key)
		if !ok {
			return &DamagedError{bucketQueue}
		}
		l.swept = host
		l.touch(host)
	}
	return nil
}

// serve leases the host's first item that isn't leased, or takes the host out of those that are ready.
func (p *picker) serve(h *hostLine) error {
	l := &p.f.lineup
	if at, ok := p.f.o.Pace.Ready(h.host); !ok {
		l.wait(h, at)
		return nil
	}
	key, row := p.free(h.host)
	if key == nil {
		l.move(h, nil)
		return nil
	}
	e, err := decodeEntry(row)
	if err != nil {
		return &DamagedError{bucketQueue}
	}
	visit, at := p.f.o.Pace.Begin(h.host)
	if visit == nil {
		l.wait(h, at)
		return nil
	}
	p.lease(h.host, string(key), e, visit)
	l.served(h)
	return nil
}

// free returns the host's first row that isn't leased. Leased ones are few: the Pace bounds them.
func (p *picker) free(host string) (key, row []byte) {
	own := p.w.key([]byte(host), []byte{hostEnd})
	for k, v := range p.w.tx.Scan(bucketQueue, own) {
		if !bytes.HasPrefix(k, own) {
			break
		}
		if p.f.leases[string(k)] == nil {
			return k, v
		}
	}
	return nil, nil
}

func (p *picker) lease(host, key string, e entry, visit *Visit) {
	if old := p.f.notes[key]; old != nil { // begun, ended, and not yet in the row
		e.attempts = max(e.attempts, old.attempt)
	}
	visit.again = e.attempts > 0
	l := &lease{f: p.f, key: key, host: host, attempt: e.attempts + 1, visit: visit, until: p.until}
	p.f.enterLease(l)
	p.f.notes[key] = l
	p.items = append(p.items, Item{
		Found: e.Found, ID: e.id, Host: host, Attempt: l.attempt,
		Cause: e.cause, Until: l.until, Visit: visit, lease: l,
	})
}

// soon accounts for the hosts that wait, the leases that end, the retries that fall due, and what there was no time to look at.
func (p *picker) soon() error {
	l := &p.f.lineup
	if len(l.waiting.hosts) > 0 {
		p.soonest(l.waiting.hosts[0].at)
	}
	switch {
	case len(l.ready.hosts) > 0 || l.cold && len(l.hosts) < l.maxHosts:
		p.soonest(p.now)
	case l.cold:
		p.soonest(l.evicted.Add(evictEvery))
	}
	for _, held := range p.f.leases {
		p.soonest(held.until)
	}
	first, overdue, err := p.w.overdue(p.now)
	p.soonest(first)
	p.wait.overdue = overdue
	return err
}

// soonest remembers the earliest time; the zero time is none.
func (p *picker) soonest(at time.Time) {
	if !at.IsZero() && (p.wait.Until.IsZero() || at.Before(p.wait.Until)) {
		p.wait.Until = at
	}
}
