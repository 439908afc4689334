package robotstxt

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch"
)

// 429 and 503 may say when to come again.
func TestRobots_retryAfterIsHeeded(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	clock := func() time.Time { return now }
	for value, want := range map[string]time.Duration{
		"30":     30 * time.Second,
		" 120 ":  2 * time.Minute,
		"1":      2 * time.Second,
		"999999": 10 * time.Minute,
		"-1":     2 * time.Second,
		"soon":   2 * time.Second,
		now.UTC().Add(50 * time.Second).Format(http.TimeFormat): 50 * time.Second,
	} {
		before := (*record)(nil)
		res := &fetch.Response{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {value}}}
		entry := New(Options{Now: clock}).judge("https://granary.example", res, nil, before)
		if got := entry.until.Sub(now); got != want || entry.tries != 1 {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

// The memory for robots.txt has a bound, whatever sites send.
func TestRobots_memoryIsBounded(t *testing.T) {
	body := "User-agent: *\n" + strings.Repeat("Disallow: /a\n", 30_000)
	r := New(Options{Now: time.Now})
	for i := range 12 {
		origin := fmt.Sprintf("https://s%d.example", i)
		entry := r.judge(origin, &fetch.Response{Status: 200, Body: []byte(body)}, nil, nil)
		r.kept.Put(origin, entry, entry.size)
	}
	if n := r.kept.Len(); n == 0 || n > 10 || r.kept.Bytes() > maxBytes {
		t.Errorf("%d files of %d bytes in memory", n, r.kept.Bytes())
	}
}
