package schedule

import (
	"hash/fnv"
	"strconv"
	"time"

	"github.com/adhocore/gronx"
)

// Next is the first time of the schedule after a time, in UTC; zero: there is none.
func (p *Plan) Next(after time.Time) time.Time {
	switch {
	case p.cron == "":
		return p.nextInterval(after)
	case p.fixed:
		return p.nextFixed(after)
	}
	return p.nextStep(after)
}

// maxChanges bounds how many changes of the clocks are looked beyond.
const maxChanges = 20

// nextStep goes on in each of two hours that clocks show alike: it looks at one stretch of time with one offset after the other.
func (p *Plan) nextStep(after time.Time) time.Time {
	at := after
	for range maxChanges {
		_, end := at.In(p.zone).ZoneBounds()
		name, offset := at.In(p.zone).Zone()
		next, err := gronx.NextTickAfter(p.cron, after.In(time.FixedZone(name, offset)), false)
		if err != nil || !next.After(after) {
			return time.Time{}
		}
		if end.IsZero() || next.Before(end) {
			return next.UTC()
		}
		at, after = end, end.Add(-time.Second)
	}
	return time.Time{}
}

func (p *Plan) nextInterval(after time.Time) time.Time {
	passed := after.Sub(p.anchor)
	n := passed / p.every
	if passed < 0 && passed%p.every != 0 {
		n--
	}
	return p.anchor.Add((n + 1) * p.every).UTC()
}

// nextFixed goes by the time on a wall clock: an hour that is fixed comes once a day, also where clocks change.
func (p *Plan) nextFixed(after time.Time) time.Time {
	wall := wallOf(after.In(p.zone))
	for {
		next, err := gronx.NextTickAfter(p.cron, wall, false)
		if err != nil || !next.After(wall) {
			return time.Time{}
		}
		if at := p.at(next); at.After(after) {
			return at.UTC()
		}
		wall = next
	}
}

// wallOf is what a clock shows, as if it were in UTC.
func wallOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// at is when the clocks of the zone show a time: the first where they do twice, as much later where they never do.
func (p *Plan) at(wall time.Time) time.Time {
	t := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), 0, 0, p.zone)
	if early := wall.Sub(wallOf(t)); early > 0 {
		return t.Add(early)
	}
	for _, shift := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if earlier := t.Add(-shift); wallOf(earlier).Equal(wall) {
			return earlier
		}
	}
	return t
}

// windows are how far back the latest time is looked for.
var windows = []time.Duration{time.Hour, 24 * time.Hour, 32 * 24 * time.Hour, 367 * 24 * time.Hour}

// Latest is the last time of the schedule from a time of it on that is not after a time.
func (p *Plan) Latest(from, until time.Time) time.Time {
	for _, window := range windows {
		begin := until.Add(-window)
		if !begin.After(from) {
			break
		}
		if last := p.last(p.Next(begin), until); !last.IsZero() {
			return last
		}
	}
	return p.last(from, until)
}

func (p *Plan) last(from, until time.Time) (last time.Time) {
	for t := from; !t.IsZero() && !t.After(until); t = p.Next(t) {
		last = t
	}
	return last
}

// maxCount bounds how many times are counted.
const maxCount = 1000

// Count is how many times of the schedule there are from one of it on and before another, at most 1000.
func (p *Plan) Count(from, before time.Time) (n int) {
	for t := from; n < maxCount && !t.IsZero() && t.Before(before); t = p.Next(t) {
		n++
	}
	return n
}

// Delay is the jitter of a run of a monitor: always the same for the same run.
func (p *Plan) Delay(id string, run time.Time) time.Duration {
	if p.jitter <= 0 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendInt([]byte(id+"\x00"), run.Unix(), 10))
	return time.Duration(mix(h.Sum64()) % uint64(p.jitter)).Truncate(time.Millisecond)
}

// mix spreads the bits of a hash whose input differs in its last bytes only.
func mix(n uint64) uint64 {
	n ^= n >> 33
	n *= 0xff51afd7ed558ccd
	return n ^ n>>33
}
