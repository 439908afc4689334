package jobs

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const year = 365 * 24 * time.Hour

// A webhook that is to be tried again is, in time, whatever the clock is set to.
func TestDeliver_goesOnWhenTheClockIsSet(t *testing.T) {
	for _, jump := range []time.Duration{-year, year} {
		synctest.Test(t, func(t *testing.T) {
			var off atomic.Int64
			h := &hooks{answer: func(string, payload) (int, error) { return http.StatusInternalServerError, nil }}
			j := open(t, memory(), Options{Send: h.post, Now: func() time.Time { return time.Now().Round(0).Add(time.Duration(off.Load())) }, Ages: time.Now})
			r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
			synctest.Wait()
			off.Store(int64(jump))
			time.Sleep(time.Minute)
			synctest.Wait()
			if n := len(h.all()); n != 2 {
				t.Errorf("jump %v: %d attempts after a minute, want 2", jump, n)
			}
			finish(t, j, r.ID, Completed)
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestJobs_expireByTheClockOfAges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Date(2026, 11, 25, 8, 0, 0, 0, time.UTC)
		ages := now
		j := open(t, memory(), Options{Now: func() time.Time { return now }, Ages: func() time.Time { return ages }})
		synctest.Wait() // for the first look of the background, which would delete the job by itself
		r := create(t, j, New{})
		finish(t, j, r.ID, Completed)
		synctest.Wait() // what goes on looks at the time
		now = now.Add(year)
		if n, err := j.Prune(t.Context()); n != 0 || err != nil {
			t.Errorf("%d jobs expired, %v", n, err)
		}
		if _, err := j.Get(t.Context(), r.ID); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		ages = now
		if _, err := j.Get(t.Context(), r.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v", err)
		}
		if n, err := j.Prune(t.Context()); n != 1 || err != nil {
			t.Errorf("%d jobs expired, %v", n, err)
		}
	})
}
