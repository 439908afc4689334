package sessions

import (
	"errors"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// booked is what sessions have cost, by owner.
type booked map[string]int

// newTestSet has records and no browser.
func newTestSet(t *testing.T, records ...Record) (*Set, booked) {
	t.Helper()
	costs := booked{}
	l := New(Options{
		State: cache.NewMap(), KeepFor: 24 * time.Hour, Now: func() time.Time { return noon }, Ages: func() time.Time { return noon },
		Book: func(owner string, _ time.Time, credits int) { costs[owner] += credits },
	})
	putAll(t, l, records...)
	return l, costs
}

func putAll(t *testing.T, l *Set, records ...Record) {
	t.Helper()
	err := l.o.State.Update(func(tx cache.Tx) (err error) {
		for _, r := range records {
			err = errors.Join(err, putSession(tx, r))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSet_orphansEndAtTheirLastUse(t *testing.T) {
	t.Parallel()
	begun, used := noon.Add(-time.Hour), noon.Add(-50*time.Minute)
	l, costs := newTestSet(t,
		Record{ID: "1", Owner: "o", Scrape: "s", Created: begun, Used: used, Prompted: true},
		Record{ID: "2", Owner: "o", Created: begun, Used: used, Ended: used, Reason: "it was closed", Credits: 20},
	)
	if err := l.CloseOrphans(); err != nil {
		t.Fatal(err)
	}
	info, err := l.Info("1")
	if want := 10 * PromptMinute; err != nil || info.Status != StatusDestroyed || !info.EndedAt.Equal(used) || info.Credits != want || costs["o"] != want {
		t.Errorf("%+v, %v, %v", info, costs, err)
	}
	if _, err := l.Session("1"); !isEnded(err, ErrEngineEnded.Error()) {
		t.Error(err)
	}
	if err := l.CloseOrphans(); err != nil || costs["o"] != 10*PromptMinute {
		t.Errorf("charged twice: %v, %v", costs, err)
	}
	if info, err := l.Stop("s"); err != nil || info.ID != "1" {
		t.Errorf("%+v, %v", info, err)
	}
}

func isEnded(err error, reason string) bool {
	ended, ok := errors.AsType[*EndedError](err)
	return ok && ended.Reason == reason
}

func TestSet_listsByStatusAndForgetsWhatIsOld(t *testing.T) {
	t.Parallel()
	l, _ := newTestSet(t,
		Record{ID: "1", Scrape: "s", Created: noon.Add(-30 * time.Hour), Ended: noon.Add(-25 * time.Hour)},
		Record{ID: "2", Created: noon.Add(-3 * time.Hour), Ended: noon.Add(-2 * time.Hour)},
		Record{ID: "3", Created: noon.Add(-time.Hour)},
	)
	for status, want := range map[string]string{"": "32", StatusActive: "3", StatusDestroyed: "2"} {
		list, err := l.List(status)
		ids := ""
		for _, info := range list {
			ids += info.ID
		}
		if err != nil || ids != want {
			t.Errorf("%q: %q, want %q, %v", status, ids, want, err)
		}
	}
	if err := l.o.State.Update(l.prune); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Info("1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("it is not forgotten: %v", err)
	}
	if _, err := l.Stop("s"); !errors.Is(err, ErrNoSession) {
		t.Errorf("its scrape still has it: %v", err)
	}
	if info, err := l.Info("2"); err != nil || info.ID != "2" {
		t.Errorf("%+v, %v", info, err)
	}
}

// The record of a session is read by later versions.
func TestRecord_keepsItsForm(t *testing.T) {
	t.Parallel()
	l, _ := newTestSet(t, Record{
		ID: "1", Owner: "o", Scrape: "s", Created: noon, TTL: time.Minute, Idle: time.Second, Prompted: true, Used: noon, Ended: noon, Reason: "r", Credits: 7,
	})
	const want = `{"id":"1","owner":"o","scrape":"s","created":"2026-11-22T12:00:00Z","ttl":60000000000,"idle":1000000000,` +
		`"prompted":true,"used":"2026-11-22T12:00:00Z","ended":"2026-11-22T12:00:00Z","reason":"r","credits":7}`
	err := l.o.State.View(func(tx cache.Tx) error {
		if got := string(tx.Get("sessions", []byte("1"))); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got := string(tx.Get("interact", []byte("s"))); got != "1" {
			t.Errorf("the scrape's session: %q", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRecord_costsEachMinuteThatHasBegun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		after    time.Duration
		prompted bool
		want     int
	}{
		{0, false, 2}, {time.Minute, false, 2}, {time.Minute + 1, false, 4}, {90 * time.Second, true, 14},
	} {
		r := Record{Created: noon, Prompted: c.prompted}
		if got := r.price(noon.Add(c.after)); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
