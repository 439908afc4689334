package pagestore

import (
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/page"
)

func TestChoose_aVersionOfTheFutureIsNotFresh(t *testing.T) {
	now := time.Date(2026, 11, 25, 8, 0, 0, 0, time.UTC)
	at := func(age time.Duration) []Version {
		return []Version{{cache.Version{Stored: now.Add(-age)}, &Facts{Status: 200, By: page.ByHTTP, ETag: "x"}}}
	}
	day, year := 24*time.Hour, 365*24*time.Hour
	for _, c := range []struct {
		request       Request
		age           time.Duration
		serves, stale bool
	}{
		{Request{MaxAge: day}, time.Hour, true, false},
		{Request{MaxAge: day}, 2 * day, false, true},
		{Request{MaxAge: day}, -time.Second, true, false}, // two clocks are never the same
		{Request{MaxAge: day}, -year, false, true},
		{Request{MaxAge: 2 * year, Only: true, Lockdown: true}, -year, true, false},
		{Request{MinAge: day, MaxAge: 2 * year, Only: true}, -year, true, false},
		{Request{MinAge: day, MaxAge: 2 * year, Only: true}, time.Hour, false, false},
	} {
		serves, stale := len(c.request.Choose(at(c.age), now)) == 1, c.request.Expired(at(c.age), now) != nil
		if serves != c.serves || stale != c.stale {
			t.Errorf("%+v of age %v: serves %v, stale %v; want %v, %v", c.request, c.age, serves, stale, c.serves, c.stale)
		}
	}
}
