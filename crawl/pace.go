package crawl

import (
	"container/list"
	"math/rand/v2"
	"sync"
	"time"
)

// PaceOptions set how hosts are treated. The zero value works.
type PaceOptions struct {
	// Delay between the end of one request and the start of the next one to the same host. Above 0, a host gets one
	// request at a time. 0: no delay but that of SetDelay and of a host in trouble.
	Delay time.Duration
	// Concurrency is how many requests one host gets at once, at most. 0: 8.
	Concurrency int
	// MaxDelay bounds every delay but Delay itself: a Crawl-delay, and the delay of a host in trouble. 0: 60 s.
	MaxDelay time.Duration
	// MaxBlock bounds how long a host is left alone after 429 or 503, whatever its Retry-After says. 0: 15 minutes.
	MaxBlock time.Duration
	// Hosts is how many hosts are remembered; beyond that, those that have been idle for longest go first. 0: 10 000.
	Hosts int
	// Now is the clock. Nil: time.Now.
	Now func() time.Time
	// Random returns the jitter of backoffs, from [0, 1). Nil: math/rand/v2.
	Random func() float64
}

func (o PaceOptions) withDefaults() PaceOptions {
	o.Delay = max(o.Delay, 0)
	o.Concurrency = defaultTo(o.Concurrency, 8)
	o.MaxDelay = defaultTo(o.MaxDelay, time.Minute)
	o.MaxBlock = defaultTo(o.MaxBlock, 15*time.Minute)
	o.Hosts = defaultTo(o.Hosts, 10_000)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	return o
}

func defaultTo[T int | time.Duration](v, to T) T {
	if v <= 0 {
		return to
	}
	return v
}

// Pace decides when a host may be requested again. It obeys the delay, the number of concurrent requests and Retry-After,
// and slows down for a host whose latency or errors rise (gauge.go). Its state is in memory: a host that was idle for an hour
// is forgotten, its Crawl-delay too. Several frontiers may share one Pace; it is safe for concurrent use, has no
// goroutine and needs no closing.
type Pace struct {
	o      PaceOptions
	change signal

	mu    sync.Mutex
	hosts map[string]*list.Element // of *site
	order list.List                // the least recently used first
}

// site is what a Pace knows of a host.
type site struct {
	host     string
	inFlight int
	used     time.Time     // last beginning or end
	ended    time.Time     // of the last request; zero: none yet
	asked    time.Duration // Crawl-delay
	blocked  time.Time     // until then
	strikes  int           // 429 and 503 in a row
	struck   time.Time     // when the last one was counted
	gauge    gauge
}

// NewPace returns a Pace.
func NewPace(o PaceOptions) *Pace {
	return &Pace{o: o.withDefaults(), hosts: map[string]*list.Element{}}
}

// Ready reports whether a request to host may begin now; otherwise it returns when to call again. A zero time means: when a request to it
// has ended (Changed).
func (p *Pace) Ready(host string) (at time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, known := p.hosts[host]
	if !known {
		return time.Time{}, true
	}
	return p.ready(e.Value.(*site), p.o.Now())
}

func (p *Pace) ready(s *site, now time.Time) (time.Time, bool) {
	if now.Before(s.blocked) {
		return s.blocked, false
	}
	delay := p.delay(s)
	if s.inFlight > 0 && (delay > 0 || s.inFlight >= s.gauge.limit) {
		return time.Time{}, false
	}
	if at := s.ended.Add(delay); !s.ended.IsZero() && now.Before(at) && !now.Before(s.ended) { // else the clock was set back
		return at, false
	}
	return time.Time{}, true
}

func (p *Pace) delay(s *site) time.Duration { return max(p.o.Delay, s.asked, s.gauge.delay) }

// Delay is how long a host is left alone after a request, as things are now.
func (p *Pace) Delay(host string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, known := p.hosts[host]; known {
		return p.delay(e.Value.(*site))
	}
	return p.o.Delay
}

// Begin starts a request to host if one may begin now, in one step with the check. Otherwise the Visit is nil, and the time is as
// Ready returns it. The caller must end the Visit.
func (p *Pace) Begin(host string) (*Visit, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.o.Now()
	p.forget(now)
	s := p.site(host, now)
	if s == nil { // all remembered hosts are busy
		return nil, now.Add(time.Second)
	}
	if at, ok := p.ready(s, now); !ok {
		return nil, at
	}
	s.inFlight++
	return &Visit{pace: p, site: s, began: now}, time.Time{}
}

// SetDelay sets the Crawl-delay of a host, at most MaxDelay; 0 removes it. Set it again whenever the host's robots.txt is
// read: idle hosts are forgotten.
func (p *Pace) SetDelay(host string, d time.Duration) {
	p.mu.Lock()
	if s := p.site(host, p.o.Now()); s != nil {
		s.asked = min(max(d, 0), p.o.MaxDelay)
	}
	p.mu.Unlock()
	p.change.send()
}

// Block leaves a host alone until then, at most for MaxBlock from now. It never shortens a block.
func (p *Pace) Block(host string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.site(host, p.o.Now()); s != nil {
		p.block(s, until)
	}
}

func (p *Pace) block(s *site, until time.Time) {
	now := p.o.Now()
	until = now.Add(min(until.Sub(now), p.o.MaxBlock)) // like now it isn't moved by a clock that is set
	if until.After(s.blocked) {
		s.blocked = until
	}
}

// Blocked returns until when a host is left alone after 429, 503 or Block; the zero time: it isn't.
func (p *Pace) Blocked(host string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, known := p.hosts[host]; known && p.o.Now().Before(e.Value.(*site).blocked) {
		return e.Value.(*site).blocked
	}
	return time.Time{}
}

// Changed returns a channel that is closed when a request has ended or a delay was set: Ready may then answer differently. Call it before
// Ready.
func (p *Pace) Changed() <-chan struct{} { return p.change.changed() }
