package crawl

import (
	"container/list"
	"time"
)

const (
	idleHost  = time.Hour // after so long without a request a host is forgotten
	evictLook = 64        // hosts that are looked at to make room for one
)

// site returns what is known of a host, and makes it the most recently used one. Nil: there is no room.
func (p *Pace) site(host string, now time.Time) *site {
	if e, known := p.hosts[host]; known {
		s := e.Value.(*site)
		s.used = now
		p.order.MoveToBack(e)
		return s
	}
	if len(p.hosts) >= p.o.Hosts && !p.evict(now) {
		return nil
	}
	s := &site{host: host, used: now, gauge: newGauge(p.o.Concurrency, p.o.MaxDelay)}
	p.hosts[host] = p.order.PushBack(s)
	return s
}

// forget drops hosts without a request for long: two per call, so that the cost is spread.
func (p *Pace) forget(now time.Time) {
	for range 2 {
		e := p.order.Front()
		if e == nil {
			return
		}
		if s := e.Value.(*site); now.Sub(s.used) < idleHost || s.inFlight > 0 || now.Before(s.blocked) {
			return
		}
		p.drop(e)
	}
}

// evict makes room for one host: of those idle for longest, the first without a pending wait; else the first that has no request.
func (p *Pace) evict(now time.Time) bool {
	var second *list.Element
	looked := 0
	for e := p.order.Front(); e != nil && looked < evictLook; e = e.Next() {
		looked++
		s := e.Value.(*site)
		if s.inFlight > 0 {
			continue
		}
		if _, ok := p.ready(s, now); ok {
			p.drop(e)
			return true
		}
		if second == nil {
			second = e
		}
	}
	if second == nil {
		return false
	}
	p.drop(second)
	return true
}

func (p *Pace) drop(e *list.Element) {
	delete(p.hosts, e.Value.(*site).host)
	p.order.Remove(e)
}
