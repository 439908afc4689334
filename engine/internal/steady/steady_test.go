package steady

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

const year = 365 * 24 * time.Hour

// hands are those of a clock that is set, and of one that isn't.
type hands struct {
	wall    time.Time
	elapsed time.Duration
}

func (h *hands) pass(d time.Duration) {
	h.wall = h.wall.Add(d)
	h.elapsed += d
}

func TestClock_aJumpAheadCountsOnceItHasLasted(t *testing.T) {
	var out bytes.Buffer
	h := &hands{wall: time.Date(2026, 11, 25, 8, 0, 0, 0, time.UTC)}
	c := New(func() time.Time { return h.wall }, func() time.Duration { return h.elapsed }, slog.New(slog.NewTextHandler(&out, nil)))
	want := h.wall
	step := func(what string, passes, jumps, counts time.Duration) {
		t.Helper()
		h.pass(passes)
		h.wall = h.wall.Add(jumps)
		want = want.Add(counts)
		if got := c.Now(); !got.Equal(want) {
			t.Fatalf("%s: got %v, want %v", what, got, want)
		}
	}
	jumps := func(n int) {
		t.Helper()
		if got := strings.Count(out.String(), "has jumped ahead"); got != n {
			t.Errorf("the log has %d jumps, want %d:\n%s", got, n, &out)
		}
	}
	step("time passes", 3*24*time.Hour, 0, 3*24*time.Hour)
	step("a small correction", time.Second, 30*time.Second, 31*time.Second)
	jumps(0)
	step("a year ahead", time.Second, year, time.Second)
	step("time goes on", 59*time.Minute, 0, 59*time.Minute)
	step("it is put right", time.Second, -year, time.Second)
	step("time goes on", 2*time.Hour, 0, 2*time.Hour)
	jumps(1)
	step("a year ahead", 0, year, 0)
	step("which lasts", time.Hour, 0, time.Hour+year)
	step("time goes on", time.Hour, 0, time.Hour)
	jumps(2)
	step("a year back", time.Second, -year, time.Second-year)
	step("time goes on", 2*time.Hour, 0, 2*time.Hour)
	jumps(2)
	step("back and ahead again", time.Second, year, time.Second)
	step("which lasts", time.Hour, 0, time.Hour+year)
	jumps(3)
}

func TestClock_resumesWhereTheLastProcessWas(t *testing.T) {
	now := time.Date(2026, 11, 25, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		what       string
		last, want time.Time
	}{
		{"nothing is known", time.Time{}, now},
		{"it was just now", now.Add(-time.Second), now},
		{"it was a year ago", now.Add(-year), now.Add(-year)},
		{"it is in a year", now.Add(year), now},
	} {
		var out bytes.Buffer
		h := &hands{wall: now}
		clock := New(func() time.Time { return h.wall }, func() time.Duration { return h.elapsed }, slog.New(slog.NewTextHandler(&out, nil)))
		clock.Resume(c.last)
		if got := clock.Now(); !got.Equal(c.want) {
			t.Errorf("%s: got %v, want %v", c.what, got, c.want)
		}
		h.pass(59 * time.Minute)
		if got := clock.Now(); !got.Equal(c.want.Add(59 * time.Minute)) {
			t.Errorf("%s: after 59 minutes it is %v", c.what, got)
		}
		h.pass(time.Minute)
		if got := clock.Now(); !got.Equal(h.wall) {
			t.Errorf("%s: after an hour it is %v", c.what, got)
		}
		if out.Len() > 0 {
			t.Errorf("%s: the log has %s", c.what, &out)
		}
	}
}
