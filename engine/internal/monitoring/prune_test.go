package monitoring_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/monitoring/hearing"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Checks, their pages and changes go after the days of the monitor; what is known of its pages stays, of those that it has.
func TestMonitors_keepChecksForTheirDays(t *testing.T) {
	simulated(t, func(t *testing.T) {
		db, version := cache.NewMap(), 0
		p := boot(t, db, time.Now, newSite(2, time.Now, func(page int, at time.Time) monitoring.Observation {
			version++
			return monitoring.Observation{Status: 200, Text: fmt.Sprintf(articles, fmt.Sprintf("case %d is open", version))}
		}), nil)
		s := spec(monitor.Schedule{Cron: "0 6 * * *"}, 2)
		s.Days = 3
		m, err := p.m.Create(s)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*24*time.Hour + 7*time.Hour)
		synctest.Wait()
		if checks := scheduled(t, p, m.ID); len(checks) != 4 { // of today, and of three days
			t.Errorf("%d checks", len(checks))
		}
		changes := 0
		for _, err := range p.m.Changes(context.Background(), m.ID, 0, func(err error) error { return err }) {
			if changes++; err != nil {
				t.Fatal(err)
			}
		}
		if changes != 8 {
			t.Errorf("%d changes", changes)
		}
		rows := func(bucket string) (n int) {
			_ = db.View(func(tx jobs.Tx) error {
				for range tx.Scan(bucket, nil) {
					n++
				}
				return nil
			})
			return n
		}
		if rows("monitors.pages") != 8 || rows("monitors.seen") != 0 || rows("monitors.snapshots") != 2 {
			t.Errorf("%d pages, %d notes of them, %d snapshots", rows("monitors.pages"), rows("monitors.seen"), rows("monitors.snapshots"))
		}
		_, err = p.m.Update(m.ID, func(s monitoring.Spec) (monitoring.Spec, error) {
			s.Targets[0].URLs = s.Targets[0].URLs[:1]
			return s, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.m.Delete(t.Context(), m.ID); err != nil {
			t.Fatal(err)
		}
		for _, bucket := range []string{"", ".gone", ".runs", ".checks", ".pages", ".seen", ".snapshots", ".learnt", ".changes"} {
			if n := rows("monitors" + bucket); n != 0 {
				t.Errorf("%d rows of monitors%s are left of a monitor that was deleted", n, bucket)
			}
		}
		p.end()
	})
}

// A monitor that is paused keeps nothing for longer either.
func TestMonitors_keepNothingForLongerWhilePaused(t *testing.T) {
	simulated(t, func(t *testing.T) {
		p := boot(t, cache.NewMap(), time.Now, newSite(1, time.Now, still), nil)
		s := spec(monitor.Schedule{Every: time.Hour}, 1)
		s.Days = 3
		m, err := p.m.Create(s)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5*time.Hour + time.Minute)
		if _, err := p.m.Update(m.ID, func(s monitoring.Spec) (monitoring.Spec, error) { s.Status = monitor.Paused; return s, nil }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * 24 * time.Hour)
		if n := len(scheduled(t, p, m.ID)); n != 5 {
			t.Errorf("%d checks after two days, want 5", n)
		}
		time.Sleep(3 * 24 * time.Hour)
		if n := len(scheduled(t, p, m.ID)); n != 0 {
			t.Errorf("%d checks after five days, want none", n)
		}
		p.end()
	})
}

// results is a search whose results a test sets.
type results struct {
	mu   sync.Mutex
	urls []string
}

func (r *results) set(urls ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.urls = urls
}

func (r *results) Pages(_ context.Context, _ monitoring.Pass, each func(monitoring.Observation) error) (out monitoring.Outcome, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, u := range r.urls {
		if err := each(monitoring.Observation{URL: u, Key: strings.TrimSuffix(u, "?from=x"), Title: u, Text: "found"}); err != nil {
			return out, err
		}
	}
	return monitoring.Outcome{Results: len(r.urls), Credits: 2}, nil
}

// A result that is found no more is known for as many days as checks are kept, and what is found again until then is nothing new.
func TestMonitors_forgetResultsThatAreFoundNoMore(t *testing.T) {
	simulated(t, func(t *testing.T) {
		found := &results{urls: []string{"https://a.example/", "https://b.example/"}}
		db := cache.NewMap()
		p := boot(t, db, time.Now, found, func(o *monitoring.Options) { o.Noise = hearing.Noise{} })
		s := spec(monitor.Schedule{Cron: "0 6 * * *"}, 0)
		s.Days, s.Targets[0] = 5, monitoring.Target{Target: monitor.Target{ID: "t", Queries: []string{"lamps"}}}
		m, err := p.m.Create(s)
		if err != nil {
			t.Fatal(err)
		}
		day := func(days int, urls ...string) monitor.Summary {
			found.set(urls...)
			time.Sleep(time.Duration(days) * 24 * time.Hour)
			synctest.Wait()
			return scheduled(t, p, m.ID)[0].Summary
		}
		day(1, "https://a.example/", "https://b.example/")
		if got := day(4, "https://a.example/"); got != (monitor.Summary{TotalPages: 1, Same: 1}) {
			t.Errorf("one is found no more: %+v", got)
		}
		if got := day(1, "https://b.example/?from=x", "https://a.example/"); got != (monitor.Summary{TotalPages: 2, Same: 2}) {
			t.Errorf("it is found again, soon: %+v", got)
		}
		day(7, "https://a.example/")
		if got := day(1, "https://a.example/", "https://b.example/"); got != (monitor.Summary{TotalPages: 2, Same: 1, New: 1}) {
			t.Errorf("it is found again, late: %+v", got)
		}
		if c := scheduled(t, p, m.ID)[0]; c.Credits != 2 {
			t.Errorf("the check has cost %d", c.Credits)
		}
		p.end()
	})
}

// What is known of noise goes with the last page of its form of address.
func TestMonitors_forgetNoiseOfPagesThatAreGone(t *testing.T) {
	simulated(t, func(t *testing.T) {
		db, views := cache.NewMap(), 0
		p := boot(t, db, time.Now, newSite(1, time.Now, func(int, time.Time) monitoring.Observation {
			views++
			return monitoring.Observation{Status: 200, Text: fmt.Sprintf(articles, "so") + fmt.Sprintf("\n\n%d views", views)}
		}), func(o *monitoring.Options) { o.Noise = hearing.Noise{} })
		m, err := p.m.Create(spec(monitor.Schedule{Every: time.Hour}, 1))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(4*time.Hour + time.Minute)
		synctest.Wait()
		if list, err := p.m.Noise(m.ID); err != nil || len(list) == 0 {
			t.Errorf("what is taken for noise: %v, %v", list, err)
		}
		_, err = p.m.Update(m.ID, func(s monitoring.Spec) (monitoring.Spec, error) {
			s.Targets[0].ID = "other"
			return s, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		list, err := p.m.Noise(m.ID)
		for _, n := range list {
			if n.TargetID != "other" {
				t.Errorf("of a target that is gone: %+v", n)
			}
		}
		if err != nil || len(list) == 0 {
			t.Errorf("what is taken for noise: %v, %v", list, err)
		}
		p.end()
	})
}

// A check in which nothing can be seen is no beginning; one that sees that there is nothing yet is.
func TestMonitors_whatComesAfterNothingIsNew(t *testing.T) {
	page := monitoring.Observation{Status: 200, Text: fmt.Sprintf(articles, "so")}
	wall := monitoring.Observation{Status: 200, Text: "Are you human?", Failure: "the page is a wall (captcha)"}
	absent, empty := monitoring.Observation{Status: 404, Gone: true}, monitoring.Observation{Status: 200, Text: "Loading"}
	for name, c := range map[string]struct {
		seen []monitoring.Observation
		want int // changes
	}{
		"it was not there":         {[]monitoring.Observation{absent, absent, page, page}, 1},
		"a wall was there":         {[]monitoring.Observation{wall, page, page}, 0},
		"it came empty":            {[]monitoring.Observation{empty, page, page}, 0},
		"it came empty, and less":  {[]monitoring.Observation{empty, absent, page}, 1},
		"it was gone in between":   {[]monitoring.Observation{page, absent, page}, 2},
		"it is not there any more": {[]monitoring.Observation{page, absent, absent}, 1},
	} {
		changes := 0
		simulated(t, func(t *testing.T) {
			turn := -1
			p := boot(t, cache.NewMap(), time.Now, newSite(1, time.Now, func(int, time.Time) monitoring.Observation {
				turn++
				return c.seen[turn]
			}), func(o *monitoring.Options) { o.OnChange = func(monitor.Change) { changes++ } })
			if _, err := p.m.Create(spec(monitor.Schedule{Every: time.Hour}, 1)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(len(c.seen))*time.Hour + time.Minute)
			synctest.Wait()
			p.end()
		})
		if changes != c.want {
			t.Errorf("%s: %d changes, want %d", name, changes, c.want)
		}
	}
}
