package quota

import (
	"testing"
	"time"
)

func TestRates_countByKeyAndEndpoint(t *testing.T) {
	r, now := NewRates(), time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	red := Counter{Key: [32]byte{1}, Endpoint: "scrape"}
	for i, c := range []struct {
		of     Counter
		after  time.Duration
		limit  int
		window time.Duration
		want   time.Duration
	}{
		{red, 0, 2, time.Hour, 0},
		{red, time.Minute, 2, time.Hour, 0},
		{red, 2 * time.Minute, 2, time.Hour, 58 * time.Minute},
		{Counter{Key: red.Key, Endpoint: "map"}, 2 * time.Minute, 1, 0, 0},
		{Counter{Key: red.Key, Endpoint: "map"}, 2*time.Minute + 59*time.Second, 1, 0, time.Second}, // a minute
		{Counter{Endpoint: "scrape"}, 2 * time.Minute, 1, time.Hour, 0},
		{red, 2 * time.Minute, 0, time.Hour, 0}, // no limit
		{red, time.Hour, 2, time.Hour, 0},       // the next window
	} {
		if got := r.Take(c.of, c.limit, c.window, now.Add(c.after)); got != c.want {
			t.Errorf("%d: wait %v, want %v", i, got, c.want)
		}
	}
}
