package crawl_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/crawltest"
)

// server answers requests on a clock: how long it takes, and with what.
type server func(request int) crawl.Outcome

// answer is a request under way.
type answer struct {
	at      time.Time
	visit   *crawl.Visit
	outcome crawl.Outcome
}

// load sends so many requests as fast as the Pace lets it, and returns how many were in flight at most and how long all took. It leaves none.
func load(t *testing.T, p *crawl.Pace, clock *crawltest.Clock, requests int, s server) (most int, took time.Duration) {
	t.Helper()
	began := clock.Now()
	var underWay []answer
	for sent := 0; sent < requests || len(underWay) > 0; {
		var again time.Time
		for sent < requests {
			visit, at := p.Begin(host)
			if visit == nil {
				again = at
				break
			}
			o := s(sent)
			underWay = append(underWay, answer{clock.Now().Add(o.Latency), visit, o})
			sent++
		}
		most = max(most, len(underWay))
		slices.SortStableFunc(underWay, func(a, b answer) int { return a.at.Compare(b.at) })
		switch {
		case len(underWay) > 0 && (again.IsZero() || !underWay[0].at.After(again)):
			clock.Set(underWay[0].at)
			underWay[0].visit.End(underWay[0].outcome)
			underWay = underWay[1:]
		case !again.IsZero():
			clock.Set(again)
		default:
			t.Fatal("nothing is under way, and the host isn't ready")
		}
	}
	return most, clock.Now().Sub(began)
}

func takes(d time.Duration) server {
	return func(int) crawl.Outcome { return crawl.Outcome{Status: 200, Latency: d} }
}

func TestPace_slowsDownWhenLatencyDoubles(t *testing.T) {
	for _, tt := range []struct {
		name        string
		usual, then time.Duration
		slows       bool
	}{
		{"three times", 200 * time.Millisecond, 600 * time.Millisecond, true},
		{"twice", 200 * time.Millisecond, 400 * time.Millisecond, true},
		{"not quite twice", 200 * time.Millisecond, 390 * time.Millisecond, false},
		{"less", 200 * time.Millisecond, 50 * time.Millisecond, false},
		{"twice of very little", 10 * time.Millisecond, 40 * time.Millisecond, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, clock := newPace(crawl.PaceOptions{})
			if most, _ := load(t, p, clock, 100, takes(tt.usual)); most != 8 {
				t.Fatalf("%d at once to a host that is well, want 8", most)
			}
			load(t, p, clock, 16, takes(tt.then))
			most, _ := load(t, p, clock, 7, takes(tt.then))
			if slowed := most < 7; slowed != tt.slows {
				t.Errorf("%d of 7 at once; slowed down: %v, want %v", most, slowed, tt.slows)
			}
		})
	}
}

func TestPace_slowsDownToPausesAndRecoversSlowly(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{})
	load(t, p, clock, 100, takes(100*time.Millisecond))
	load(t, p, clock, 60, takes(2*time.Second))
	most, took := load(t, p, clock, 4, takes(2*time.Second))
	if most != 1 || took < 4*2*time.Second+3*2*time.Second {
		t.Errorf("%d at once, 4 requests in %v; want one at a time, with pauses as long as the answers", most, took)
	}
	// Well again: the pause goes first, then more at once, one by one.
	if most, _ = load(t, p, clock, 16, takes(100*time.Millisecond)); most != 1 {
		t.Errorf("%d at once right after", most)
	}
	var steps []int
	for range 60 {
		most, _ = load(t, p, clock, 8, takes(100*time.Millisecond))
		if len(steps) == 0 || steps[len(steps)-1] != most {
			steps = append(steps, most)
		}
	}
	if !slices.Equal(steps, []int{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("recovered in steps of %v", steps)
	}
}

func TestPace_getsUsedToALatencyThatStays(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{})
	load(t, p, clock, 100, takes(100*time.Millisecond))
	load(t, p, clock, 2000, takes(time.Second))
	if most, _ := load(t, p, clock, 8, takes(time.Second)); most != 8 {
		t.Errorf("%d at once to a host that is always like that, want 8", most)
	}
}

func TestPace_slowsDownWithErrors(t *testing.T) {
	refused := crawl.Outcome{Err: errors.New("connection refused"), Latency: time.Millisecond}
	for _, tt := range []struct {
		name    string
		outcome crawl.Outcome
		every   int
		want    int // at once, afterwards
	}{
		{"all fail", refused, 1, 1},
		{"half of them fail", refused, 2, 1},
		{"internal errors", crawl.Outcome{Status: 500, Latency: time.Millisecond}, 2, 1},
		{"one in ten", refused, 10, 8},
		{"not found is an answer", crawl.Outcome{Status: 404, Latency: 100 * time.Millisecond}, 1, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, clock := newPace(crawl.PaceOptions{})
			load(t, p, clock, 100, takes(100*time.Millisecond))
			load(t, p, clock, 100, func(i int) crawl.Outcome {
				if i%tt.every == 0 {
					return tt.outcome
				}
				return crawl.Outcome{Status: 200, Latency: 100 * time.Millisecond}
			})
			if most, _ := load(t, p, clock, 7, takes(100*time.Millisecond)); most != min(tt.want, 7) {
				t.Errorf("%d at once, want %d", most, min(tt.want, 7))
			}
		})
	}
}

// A burst of failures of what was under way at one time counts as one.
func TestPace_halvesOnceForOneBurst(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{})
	load(t, p, clock, 8, func(int) crawl.Outcome {
		return crawl.Outcome{Err: errors.New("reset"), Latency: time.Second}
	})
	if most, _ := load(t, p, clock, 7, takes(100*time.Millisecond)); most != 4 {
		t.Errorf("%d at once, want 4", most)
	}
}

func TestPace_delayInTroubleIsBounded(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{MaxDelay: 5 * time.Second})
	load(t, p, clock, 200, func(int) crawl.Outcome {
		return crawl.Outcome{Err: errors.New("reset"), Latency: time.Second}
	})
	if _, took := load(t, p, clock, 2, takes(0)); took > 2*5*time.Second {
		t.Errorf("2 requests took %v", took)
	}
}
