package crawl

import (
	"net/http"
	"sync"
	"time"
)

// Outcome is the result of a request to a host. The zero value has no information: the request is over, nothing more.
type Outcome struct {
	// Latency from the request to the end of the answer, or to its failure. 0: unknown.
	Latency time.Duration
	// Status of the answer; 0: there was none.
	Status int
	// Err is the error if there was no answer.
	Err error
	// RetryAfter is the header of that name as it came; it counts with 429 and 503.
	RetryAfter string
}

func (o Outcome) none() bool { return o == Outcome{} }

func (o Outcome) refused() bool {
	return o.Status == http.StatusTooManyRequests || o.Status == http.StatusServiceUnavailable
}

func (o Outcome) failed() bool { return o.Err != nil || o.refused() || o.Status >= 500 }

// Visit is one request to a host, from Begin to End.
type Visit struct {
	pace  *Pace
	site  *site
	began time.Time
	again bool // for an item that was tried before: that it fails once more says nothing of its host
	end   sync.Once
}

// End ends the request with its outcome and frees the host's slot. Only the first call counts, and a nil Visit
// has no slot, so it can be called early by the fetcher and again during cleanup. It is safe for concurrent use.
func (v *Visit) End(o Outcome) {
	if v == nil {
		return
	}
	v.end.Do(func() {
		v.pace.finish(v, o)
		v.pace.change.send()
	})
}

func (p *Pace) finish(v *Visit, o Outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, now := v.site, p.o.Now()
	s.inFlight--
	s.used, s.ended = now, now
	p.order.MoveToBack(p.hosts[s.host])
	switch {
	case o.none():
		return
	case o.refused():
		p.strike(v, o, now)
		return
	case o.Status != 0 && v.began.After(s.struck):
		s.strikes = 0
	}
	if v.again && o.failed() {
		return
	}
	s.gauge.note(v.began, now, o.Latency, o.failed())
}

// strike applies a 429 or 503. A response to a request from before the last strike is its echo: it doesn't count as a further one.
func (p *Pace) strike(v *Visit, o Outcome, now time.Time) {
	s := v.site
	echo := s.strikes > 0 && !v.began.After(s.struck)
	if !echo {
		s.strikes++
		s.struck = now
		s.gauge.slower(now, 0)
	}
	wait, given := retryAfter(o.RetryAfter, now)
	if !given {
		if echo {
			return
		}
		wait = p.backoff(s.strikes)
	}
	p.block(s, now.Add(wait))
}

// backoff is 1 s for the first strike and doubles with each, less up to a half at random, so that many clients that were refused
// together don't come back together.
func (p *Pace) backoff(strikes int) time.Duration {
	d := min(time.Second<<min(strikes-1, 20), p.o.MaxBlock)
	return d - time.Duration(p.o.Random()*float64(d)/2)
}
