package monitoring_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
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
