package crawl

import (
	"slices"
	"time"
)

const (
	gaugeWindow = 8 // outcomes to one verdict
	gaugeErrors = 3 // errors among them that make it a bad one, at once

	latencyFloor  = 50 * time.Millisecond // a rise by less is noise
	baselineShare = 8                     // the baseline rises to a higher median by one part in so many a verdict

	minDelay    = 100 * time.Millisecond // the first delay of a host that is in trouble
	forgetDelay = 50 * time.Millisecond  // a delay below this is given up
)

// gauge decides how much load one host gets: additive increase, multiplicative decrease. Latency that doubles
// against what is usual, or errors, halve how many requests run at once; at one, a delay doubles instead. Good
// windows undo it slowly, in reverse. A latency that stays becomes the usual one in time, so a host that is slow
// by nature isn't slowed down for ever.
type gauge struct {
	maxLimit int           // the upper end of limit
	limit    int           // requests at once
	delay    time.Duration // on top of limit 1
	maxDelay time.Duration
	baseline time.Duration // the usual median; 0: not known yet
	good     []time.Duration
	unknown  int // good answers whose latency is not known
	errors   int
	turned   time.Time // of the last slowing down
}

func newGauge(maxLimit int, maxDelay time.Duration) gauge {
	return gauge{maxLimit: maxLimit, limit: maxLimit, maxDelay: maxDelay}
}

// note takes in the outcome of a request that began then. Only good answers count for latency: a refused connection is quick. What
// was under way when the host was slowed down went at the old speed: it doesn't count against the new one.
func (g *gauge) note(began, now time.Time, latency time.Duration, failed bool) {
	if began.Before(g.turned) {
		return
	}
	switch {
	case failed:
		g.errors++
	case latency > 0:
		g.good = append(g.good, latency)
	default:
		g.unknown++
	}
	switch {
	case g.errors >= gaugeErrors:
		g.slower(now, max(g.baseline, median(g.good)))
	case len(g.good)+g.unknown+g.errors >= gaugeWindow:
		g.verdict(now, median(g.good))
	}
}

func (g *gauge) verdict(now time.Time, latency time.Duration) {
	usual := g.baseline
	switch {
	case latency == 0: // nothing is known of it
	case usual == 0:
		g.baseline = latency
	case latency < usual:
		g.baseline = (usual + latency) / 2
	default:
		g.baseline += (latency - usual) / baselineShare
	}
	if usual > 0 && latency >= 2*usual && latency-usual >= latencyFloor {
		g.slower(now, latency)
		return
	}
	g.faster()
}

// slower halves the concurrency, or doubles the delay from about one answer's time on.
func (g *gauge) slower(now time.Time, latency time.Duration) {
	g.clear()
	g.turned = now
	if g.limit > 1 {
		g.limit /= 2
		return
	}
	g.delay = min(max(2*g.delay, latency, minDelay), g.maxDelay)
}

func (g *gauge) faster() {
	g.clear()
	switch {
	case g.delay > forgetDelay:
		g.delay -= g.delay / 4
	case g.delay > 0:
		g.delay = 0
	case g.limit < g.maxLimit:
		g.limit++
	}
}

func (g *gauge) clear() { g.good, g.unknown, g.errors = g.good[:0], 0, 0 }

func median(of []time.Duration) time.Duration {
	if len(of) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}
