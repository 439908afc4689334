package crawl_test

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/crawltest"
)

const host = "a.example"

// newPace makes a Pace on a clock that stands, with the least jitter.
func newPace(o crawl.PaceOptions) (*crawl.Pace, *crawltest.Clock) {
	clock := crawltest.NewClock()
	o.Now = clock.Now
	if o.Random == nil {
		o.Random = func() float64 { return 0 }
	}
	return crawl.NewPace(o), clock
}

func begin(t *testing.T, p *crawl.Pace) *crawl.Visit {
	t.Helper()
	v, at := p.Begin(host)
	if v == nil {
		t.Fatalf("the host isn't ready before %v", at)
	}
	return v
}

// wantReady: the host is ready after so long, and not before. Negative: only after a change.
func wantReady(t *testing.T, p *crawl.Pace, clock *crawltest.Clock, after time.Duration) {
	t.Helper()
	at, ok := p.Ready(host)
	v, beginAt := p.Begin(host)
	if v != nil != ok || !at.Equal(beginAt) {
		t.Errorf("Ready says %v, %v; Begin %v, %v", at, ok, beginAt, v)
	}
	v.End(crawl.Outcome{})
	switch {
	case after == 0 && !ok:
		t.Errorf("ready at %v, want now", at.Sub(clock.Now()))
	case after > 0 && (ok || !at.Equal(clock.Now().Add(after))):
		t.Errorf("ready %v, in %v, want in %v", ok, at.Sub(clock.Now()), after)
	case after < 0 && (ok || !at.IsZero()):
		t.Errorf("ready %v, %v, want after a change", ok, at)
	}
}

func TestPace_allowsAsManyAtOnceAsItsConcurrency(t *testing.T) {
	for _, tt := range []struct{ set, want int }{{0, 8}, {1, 1}, {3, 3}} {
		p, clock := newPace(crawl.PaceOptions{Concurrency: tt.set})
		var visits []*crawl.Visit
		for range tt.want {
			visits = append(visits, begin(t, p))
		}
		wantReady(t, p, clock, -1)
		if _, ok := p.Ready("b.example"); !ok {
			t.Error("another host isn't ready")
		}
		changed := p.Changed()
		visits[0].End(crawl.Outcome{})
		select {
		case <-changed:
		default:
			t.Error("the end was not reported")
		}
		wantReady(t, p, clock, 0)
	}
}

func TestPace_waitsBetweenTheEndOfOneRequestAndTheNext(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{Delay: 2 * time.Second})
	wantFirst := begin(t, p)
	wantReady(t, p, clock, -1) // a delay means one at a time
	clock.Advance(5 * time.Second)
	wantFirst.End(crawl.Outcome{Status: 200})
	wantReady(t, p, clock, 2*time.Second)
	clock.Advance(2 * time.Second)
	wantReady(t, p, clock, 0)
}

func TestPace_keepsToACrawlDelay(t *testing.T) {
	for _, tt := range []struct {
		name       string
		own, asked time.Duration
		want       time.Duration
	}{
		{"none", 0, 0, 0},
		{"asked", 0, 3 * time.Second, 3 * time.Second},
		{"shorter than ours", 5 * time.Second, time.Second, 5 * time.Second},
		{"longer than ours", time.Second, 5 * time.Second, 5 * time.Second},
		{"too long", 0, time.Hour, time.Minute},
		{"negative", 0, -time.Second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, clock := newPace(crawl.PaceOptions{Delay: tt.own})
			p.SetDelay(host, time.Second) // is replaced
			p.SetDelay(host, tt.asked)
			begin(t, p).End(crawl.Outcome{Status: 200})
			wantReady(t, p, clock, tt.want)
		})
	}
}

func TestPace_heedsRetryAfter(t *testing.T) {
	date := func(d time.Duration) string {
		return crawltest.NewClock().Now().Add(d).Format(http.TimeFormat)
	}
	for _, tt := range []struct {
		name, header string
		status       int
		want         time.Duration
	}{
		{"seconds", "30", 429, 30 * time.Second},
		{"with blanks", " 30 ", 503, 30 * time.Second},
		{"a date", date(90 * time.Second), 503, 90 * time.Second},
		{"too long", "86400", 429, 15 * time.Minute},
		{"beyond any number", "4294967296", 429, time.Second},
		{"a date far off", date(10000 * time.Hour), 429, 15 * time.Minute},
		{"none", "", 429, time.Second},
		{"zero", "0", 429, time.Second},
		{"a date that has passed", date(-time.Hour), 503, time.Second},
		{"negative", "-5", 503, time.Second},
		{"nonsense", "soon", 503, time.Second},
		{"not with 500", "30", 500, 0},
		{"not with 200", "30", 200, 0},
		{"not with 404", "30", 404, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, clock := newPace(crawl.PaceOptions{})
			begin(t, p).End(crawl.Outcome{Status: tt.status, RetryAfter: tt.header})
			wantReady(t, p, clock, tt.want)
			want := clock.Now().Add(tt.want)
			if tt.want == 0 {
				want = time.Time{}
			}
			if got := p.Blocked(host); !got.Equal(want) {
				t.Errorf("blocked until %v, want %v", got, want)
			}
			clock.Advance(tt.want)
			wantReady(t, p, clock, 0)
			if !p.Blocked(host).IsZero() {
				t.Error("it stays blocked")
			}
		})
	}
}

func TestPace_backsOffFurtherWithEachRefusal(t *testing.T) {
	for _, tt := range []struct {
		random float64
		want   []time.Duration
	}{
		{0, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second}},
		{0.5, []time.Duration{750 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second, 6 * time.Second, 7500 * time.Millisecond}},
	} {
		p, clock := newPace(crawl.PaceOptions{MaxBlock: 10 * time.Second, Random: func() float64 { return tt.random }})
		for round := range 2 {
			for _, want := range tt.want {
				v := begin(t, p)
				clock.Advance(time.Millisecond)
				v.End(crawl.Outcome{Status: 429})
				wantReady(t, p, clock, want)
				clock.Advance(want + time.Minute) // long enough for the delay that it gets as well
			}
			v := begin(t, p)
			clock.Advance(time.Millisecond)
			v.End(crawl.Outcome{Status: 200})
			if round == 0 {
				clock.Advance(time.Hour / 2)
			}
		}
	}
}

func TestPace_takesRefusalsOfWhatWasUnderWayForOne(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{})
	var visits []*crawl.Visit
	for range 8 {
		visits = append(visits, begin(t, p))
	}
	clock.Advance(time.Millisecond)
	for _, v := range visits {
		v.End(crawl.Outcome{Status: 429})
	}
	wantReady(t, p, clock, time.Second)
	clock.Advance(time.Second)
	for range 4 { // the concurrency was halved, once
		begin(t, p)
	}
	wantReady(t, p, clock, -1)
}

func TestPace_blocksForAsLongAsRequested(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{MaxBlock: time.Minute})
	p.Block(host, clock.Now().Add(30*time.Second))
	p.Block(host, clock.Now().Add(10*time.Second)) // doesn't shorten it
	wantReady(t, p, clock, 30*time.Second)
	p.Block(host, clock.Now().Add(time.Hour))
	wantReady(t, p, clock, time.Minute)
}

func TestVisit_endsOnce(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{Concurrency: 2})
	first, _ := begin(t, p), begin(t, p)
	first.End(crawl.Outcome{Status: 200})
	first.End(crawl.Outcome{Status: 429})
	begin(t, p)
	wantReady(t, p, clock, -1)
	var none *crawl.Visit
	none.End(crawl.Outcome{Status: 429})
}

func TestPace_remembersABoundedNumberOfHosts(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{Hosts: 3})
	visits := map[string]*crawl.Visit{}
	for _, h := range []string{"a", "b", "c"} {
		visits[h], _ = p.Begin(h)
	}
	if v, at := p.Begin("d"); v != nil || !at.Equal(clock.Now().Add(time.Second)) {
		t.Errorf("got %v, %v although all places are taken", v, at)
	}
	if _, ok := p.Ready("d"); !ok {
		t.Error("an unknown host isn't ready")
	}
	p.SetDelay("d", time.Second) // is not kept: there is no room
	visits["a"].End(crawl.Outcome{Status: 429, RetryAfter: "60"})
	clock.Advance(time.Second)
	visits["b"].End(crawl.Outcome{Status: 200})
	if v, _ := p.Begin("d"); v == nil {
		t.Error("there is no room for a new host")
	}
	if p.Blocked("a").IsZero() {
		t.Error("the host that owes a wait was forgotten, not the idle one")
	}
	if v, _ := p.Begin("e"); v == nil || !p.Blocked("a").IsZero() {
		t.Error("where none other can go, one that owes a wait must")
	}
}

func TestPace_forgetsWhatWasIdleForAnHour(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{MaxBlock: 3 * time.Hour})
	p.SetDelay(host, time.Minute)
	begin(t, p).End(crawl.Outcome{Status: 200})
	p.Block("blocked.example", clock.Now().Add(2*time.Hour))
	clock.Advance(time.Hour)
	v, _ := p.Begin("b.example")
	v.End(crawl.Outcome{})
	begin(t, p).End(crawl.Outcome{Status: 200})
	wantReady(t, p, clock, 0) // the crawl-delay is gone
	if p.Blocked("blocked.example").IsZero() {
		t.Error("a block was forgotten")
	}
}

// However many callers ask at once, no host gets more than its share.
func TestPace_keepsItsPromiseToConcurrentCallers(t *testing.T) {
	const most = 3
	p := crawl.NewPace(crawl.PaceOptions{Concurrency: most})
	var mu sync.Mutex
	inFlight := map[string]int{}
	var work sync.WaitGroup
	for i := range 16 {
		random := rand.New(rand.NewPCG(uint64(i), 0))
		work.Go(func() {
			for range 2000 {
				h := string(rune('a' + random.IntN(4)))
				v, _ := p.Begin(h)
				if v == nil {
					continue
				}
				mu.Lock()
				if inFlight[h]++; inFlight[h] > most {
					t.Errorf("%d requests to %s at once", inFlight[h], h)
				}
				mu.Unlock()
				mu.Lock()
				inFlight[h]--
				mu.Unlock()
				v.End(crawl.Outcome{Status: 200, Err: nil, Latency: time.Millisecond})
				v.End(crawl.Outcome{Err: errors.New("twice")})
			}
		})
	}
	work.Wait()
}

// Answers whose latency is unknown are good ones: errors that are rare among them don't slow a host down, and many do.
func TestPace_answersOfUnknownLatency(t *testing.T) {
	for name, c := range map[string]struct {
		every int // so many answers one is an error
		want  time.Duration
	}{"one error in ten": {10, 0}, "one in two": {2, 100 * time.Millisecond}} {
		p, clock := newPace(crawl.PaceOptions{Concurrency: 1})
		for i := range 6 * c.every {
			clock.Advance(time.Minute)
			v := begin(t, p)
			clock.Advance(time.Millisecond)
			if i%c.every == 0 {
				v.End(crawl.Outcome{Status: http.StatusInternalServerError})
			} else {
				v.End(crawl.Outcome{Status: http.StatusOK})
			}
			if c.want == 0 && p.Delay(host) > 0 {
				t.Errorf("%s: a delay of %v", name, p.Delay(host))
			}
		}
		if c.want > 0 && p.Delay(host) < c.want {
			t.Errorf("%s: a delay of %v, want at least %v", name, p.Delay(host), c.want)
		}
	}
}

// The last requests of a crawl are those for the pages that fail: they don't slow their host down for all others.
func TestFrontier_aPageThatFailsAgainSaysNothingOfItsHost(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{Concurrency: 1})
	f, err := crawl.Open(cache.NewMap(), "job", crawl.Options{Pace: p, Attempts: 9, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Put(t.Context(), []crawl.Found{{URL: "https://" + host + "/"}}); err != nil {
		t.Fatal(err)
	}
	for range 9 {
		clock.Advance(time.Minute)
		items, _, err := f.Lease(t.Context(), 1, 0)
		if err != nil || len(items) != 1 {
			t.Fatal(items, err)
		}
		items[0].Visit.End(crawl.Outcome{Status: http.StatusInternalServerError})
		if err := f.Fail(t.Context(), items[0], clock.Now(), ""); err != nil && !errors.Is(err, crawl.ErrAttempts) {
			t.Fatal(err)
		}
	}
	if d := p.Delay(host); d != 0 {
		t.Errorf("a delay of %v", d)
	}
}
