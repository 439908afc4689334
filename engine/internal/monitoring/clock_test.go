package monitoring_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/monitor"
)

// wall is a clock that a test sets.
type wall struct{ off atomic.Int64 }

func (w *wall) now() time.Time        { return time.Now().Add(time.Duration(w.off.Load())) }
func (w *wall) jump(by time.Duration) { w.off.Add(int64(by)) }

func still(page int, _ time.Time) monitoring.Observation {
	return monitoring.Observation{Status: 200, Text: fmt.Sprintf(articles, "nothing has happened")}
}

func scheduled(t *testing.T, p *process, id string) (list []*monitor.Check) {
	t.Helper()
	list, err := p.m.Checks(id, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Whatever the clock does, no time of the schedule is run twice, and each that the clock has passed is run or accounted for.
func TestSimulation_clockThatIsSet(t *testing.T) {
	simulated(t, func(t *testing.T) {
		seed := rand.Uint64() // simulated time begins the same each time
		r := rand.New(rand.NewPCG(seed, 2))
		clock, db := &wall{}, cache.NewMap()
		world := newSite(2, clock.now, still)
		p := boot(t, db, clock.now, world, nil)
		m, err := p.m.Create(spec(monitor.Schedule{Every: time.Hour}, 2))
		if err != nil {
			t.Fatal(err)
		}
		steps := max(100, scale(300))
		for range steps {
			time.Sleep(time.Duration(r.Int64N(int64(3 * time.Hour))))
			switch r.IntN(6) {
			case 0:
				clock.jump(time.Duration(r.Int64N(int64(72 * time.Hour))))
			case 1:
				clock.jump(-time.Duration(r.Int64N(int64(72 * time.Hour))))
			case 2:
				p.end()
				time.Sleep(time.Duration(r.Int64N(int64(5 * time.Hour))))
				p = boot(t, db, clock.now, world, nil)
			}
		}
		synctest.Wait()
		seen := map[time.Time]bool{}
		checks := scheduled(t, p, m.ID)
		for _, c := range checks {
			if seen[*c.ScheduledFor] {
				t.Errorf("seed %d: the run for %s was done twice", seed, c.ScheduledFor)
			}
			seen[*c.ScheduledFor] = true
			if !c.Status.Final() {
				t.Errorf("seed %d: the check for %s has not ended", seed, c.ScheduledFor)
			}
		}
		if len(checks) < steps/3 {
			t.Errorf("seed %d: %d checks in some %d hours", seed, len(checks), steps*3/2)
		}
		p.end()
	})
}

// A clock that was a year ahead by mistake doesn't silence a monitor for a year.
func TestSimulation_clockThatWasAYearAhead(t *testing.T) {
	simulated(t, func(t *testing.T) {
		clock := &wall{}
		p := boot(t, cache.NewMap(), clock.now, newSite(1, clock.now, still), func(o *monitoring.Options) {
			o.Ages = time.Now // by which nothing expires that a clock has passed by mistake
		})
		m, err := p.m.Create(spec(monitor.Schedule{Cron: "0 6 * * *"}, 1))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * 24 * time.Hour)
		clock.jump(365 * 24 * time.Hour)
		time.Sleep(time.Hour)
		clock.jump(-365 * 24 * time.Hour)
		time.Sleep(10 * 24 * time.Hour)
		synctest.Wait()
		if checks := scheduled(t, p, m.ID); len(checks) != 21 { // one of them for what the clock seemed to have passed
			t.Errorf("%d checks in twenty days, want 21", len(checks))
		}
		p.end()
	})
}

// What was missed while no process ran is one run, which says how many it stands for.
func TestMonitors_missedRunsAreOne(t *testing.T) {
	simulated(t, func(t *testing.T) {
		db := cache.NewMap()
		world := newSite(1, time.Now, still)
		p := boot(t, db, time.Now, world, nil)
		m, err := p.m.Create(spec(monitor.Schedule{Cron: "0 * * * *"}, 1))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(150 * time.Minute) // two runs
		p.end()
		time.Sleep(48 * time.Hour)
		p = boot(t, db, time.Now, world, nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		checks := scheduled(t, p, m.ID)
		if len(checks) != 3 || checks[0].Missed != 47 || !checks[0].ScheduledFor.Equal(time.Date(2000, 1, 3, 2, 0, 0, 0, time.UTC)) {
			t.Errorf("%d checks, the last for %s with %d missed", len(checks), checks[0].ScheduledFor, checks[0].Missed)
		}
		p.end()
	})
}

// A paused monitor does not run by itself; what passes meanwhile is not made up for.
func TestMonitors_pausedOnesDoNotRun(t *testing.T) {
	simulated(t, func(t *testing.T) {
		p := boot(t, cache.NewMap(), time.Now, newSite(1, time.Now, still), nil)
		s := spec(monitor.Schedule{Cron: "0 * * * *", Jitter: 10 * time.Minute}, 1)
		m, err := p.m.Create(s)
		if err != nil {
			t.Fatal(err)
		}
		state := func(to monitor.Status) {
			if _, err := p.m.Update(m.ID, func(s monitoring.Spec) (monitoring.Spec, error) { s.Status = to; return s, nil }); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(130 * time.Minute)
		state(monitor.Paused)
		time.Sleep(24 * time.Hour)
		state(monitor.Active)
		time.Sleep(65 * time.Minute)
		synctest.Wait()
		checks := scheduled(t, p, m.ID)
		if len(checks) != 3 || checks[0].Missed != 0 {
			t.Errorf("%d checks, %d missed", len(checks), checks[0].Missed)
		}
		if err := p.m.Delete(t.Context(), m.ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Hour)
		if len(scheduledOf(p, m.ID)) != 0 {
			t.Error("a deleted monitor runs")
		}
		p.end()
	})
}

func scheduledOf(p *process, id string) []*monitor.Check {
	list, _ := p.m.Checks(id, 0, 10) // of a deleted one: an error
	return list
}

// lazy is a store whose callers go on some time after their transactions: in any order.
type lazy struct {
	*cache.Map
	mu sync.Mutex
	r  *rand.Rand
}

func (l *lazy) Update(f func(jobs.Tx) error) error {
	err := l.Map.Update(f)
	l.mu.Lock()
	wait := time.Duration(l.r.Int64N(int64(5 * time.Second)))
	l.mu.Unlock()
	time.Sleep(wait)
	return err
}

// A check may end before the loop that has started it goes on: the monitor runs on.
func TestMonitors_runOnInAnyOrder(t *testing.T) {
	simulated(t, func(t *testing.T) {
		seed := rand.Uint64() // simulated time begins the same each time
		db := &lazy{Map: cache.NewMap(), r: rand.New(rand.NewPCG(seed, 3))}
		p := boot(t, db, time.Now, newSite(1, time.Now, still), nil)
		m, err := p.m.Create(spec(monitor.Schedule{Every: time.Hour}, 1))
		if err != nil {
			t.Fatal(err)
		}
		hours := max(60, scale(200))
		time.Sleep(time.Duration(hours)*time.Hour + 30*time.Minute)
		synctest.Wait()
		if checks := scheduled(t, p, m.ID); len(checks) != hours {
			t.Errorf("seed %d: %d checks in %d hours", seed, len(checks), hours)
		}
		p.end()
	})
}
