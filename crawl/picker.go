package crawl

import (
	"bytes"
	"math"
	"time"
)

const (
	pickSteps = 1000                  // hosts that are looked at in one call
	pickPause = 20 * time.Millisecond // before the next ones are
)

// picker goes round the hosts of the queue. A host's rows lie together, so the next host is one seek away, and nothing has to be remembered of
// hosts but the name of the last.
type picker struct {
	f     *Frontier
	w     *work
	n     int
	now   time.Time
	until time.Time // end of the new leases
	items []Item
	level int       // items that a host may have out already
	least int       // the fewest that a ready host beyond the level has
	again time.Time // when something that isn't ready now may be
}

func (p *picker) pick() error {
	p.least = math.MaxInt
	round := "" // the host at which the present round began; a take begins a new one
	for steps := 0; len(p.items) < p.n; steps++ {
		if steps == pickSteps+p.n {
			p.soonest(p.now.Add(pickPause))
			return nil
		}
		host, key, row, err := p.next()
		if err != nil || key == nil {
			return err
		}
		if host == round {
			if p.least == math.MaxInt {
				return nil
			}
			p.level, p.least, round = p.least, math.MaxInt, ""
		}
		taken, err := p.take(host, key, row)
		if err != nil {
			return err
		}
		if taken {
			round = ""
		} else if round == "" {
			round = host
		}
		p.f.cursor = host
	}
	return nil
}

// next gives the first row of the host after the cursor, and after the last host that of the first.
func (p *picker) next() (host string, key, row []byte, err error) {
	own := p.w.key()
	key, row = first(p.w.tx, bucketQueue, own, p.w.key([]byte(p.f.cursor), []byte{hostPast}))
	if key == nil {
		key, row = first(p.w.tx, bucketQueue, own, own)
	}
	if key == nil {
		return "", nil, nil, nil
	}
	host, ok := hostOf(key)
	if !ok {
		return "", nil, nil, &DamagedError{bucketQueue}
	}
	return host, key, row, nil
}

// take leases the host's first item that isn't out, if the host may be asked now.
func (p *picker) take(host string, key, row []byte) (bool, error) {
	if p.f.leases[string(key)] != nil {
		if key, row = p.free(host, key); key == nil {
			return false, nil
		}
	}
	if held := p.f.held[host]; held > p.level {
		if at, ok := p.f.o.Pace.Ready(host); ok {
			p.least = min(p.least, held)
		} else {
			p.soonest(at)
		}
		return false, nil
	}
	e, err := decodeEntry(row)
	if err != nil {
		return false, &DamagedError{bucketQueue}
	}
	visit, at := p.f.o.Pace.Begin(host)
	if visit == nil {
		p.soonest(at)
		return false, nil
	}
	p.lease(host, string(key), e, visit)
	return true, nil
}

// free gives the host's first row from key on that isn't leased.
func (p *picker) free(host string, key []byte) (_, row []byte) {
	own := p.w.key([]byte(host), []byte{hostEnd})
	for k, v := range p.w.tx.Scan(bucketQueue, key) {
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
	l := &lease{f: p.f, key: key, host: host, attempt: e.attempts + 1, visit: visit, until: p.until}
	p.f.enterLease(l)
	p.f.notes[key] = l
	p.items = append(p.items, Item{Found: e.Found, ID: e.id, Host: host, Attempt: l.attempt, Cause: e.cause, Until: l.until, Visit: visit, lease: l})
}

// soon reckons with the leases that end and the retries that fall due.
func (p *picker) soon() error {
	for _, l := range p.f.leases {
		p.soonest(l.until)
	}
	own := p.w.key()
	if key, _ := first(p.w.tx, bucketLater, own, own); key != nil {
		due, ok := dueOf(key)
		if !ok {
			return &DamagedError{bucketLater}
		}
		p.soonest(due)
	}
	return nil
}

// soonest remembers the earliest time; the zero time is none.
func (p *picker) soonest(at time.Time) {
	if !at.IsZero() && (p.again.IsZero() || at.Before(p.again)) {
		p.again = at
	}
}
