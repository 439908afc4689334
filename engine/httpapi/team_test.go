package httpapi

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
)

func TestActivity_pagesWithoutGapsOrRepeatsWhileMoreComeIn(t *testing.T) {
	s := newService(t)
	const n = 7
	for i := range n {
		s.must(200, "POST", "/v2/scrape", fmt.Sprintf(`{"url":"lamp.example/a?%d"}`, i))
	}
	seen, cursor := map[string]int{}, ""
	for {
		a := s.must(200, "GET", "/v2/team/activity?limit=3&endpoint=scrape&cursor="+cursor, "")
		for i := range a.get("data").([]any) {
			seen[a.text("data", i, "target")]++
			if a.text("data", i, "endpoint") != "scrape" || a.text("data", i, "api_version") != "v2" || a.text("data", i, "created_at") == "" || a.text("data", i, "id") == "" {
				t.Errorf("%s", a.raw)
			}
		}
		s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example/b"}`)
		cursor = a.text("cursor")
		if a.get("has_more") != (cursor != "") {
			t.Errorf("%s", a.raw)
		}
		if cursor == "" {
			break
		}
	}
	for url, times := range seen {
		if times != 1 {
			t.Errorf("%s %d times", url, times)
		}
	}
	if len(seen) != n {
		t.Errorf("seen %v", seen)
	}
}

func TestActivity_filtersAndRefusals(t *testing.T) {
	s := newService(t)
	s.must(200, "POST", "/v2/map", `{"url":"lamp.example"}`)
	s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`)
	for query, want := range map[string]int{"": 2, "?endpoint=map": 1, "?endpoint=crawl": 0, "?endpoint=llmstxt": 0, "?limit=0": 2, "?limit=x": 2, "?limit=1000": 2, "?limit=1": 1} {
		if a := s.must(200, "GET", "/v2/team/activity"+query, ""); len(a.get("data").([]any)) != want {
			t.Errorf("%s: %s", query, a.raw)
		}
	}
	for _, query := range []string{"?endpoint=parse", "?endpoint=x", "?cursor=x", "?cursor=%25"} {
		s.must(400, "GET", "/v2/team/activity"+query, "")
	}
}

func TestTeam_usageAndLoad(t *testing.T) {
	s := newService(t)
	s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`)
	if a := s.must(200, "GET", "/v2/team/credit-usage", ""); a.get("data", "remainingCredits") != float64(quota.Unlimited) || a.get("data", "planCredits") != float64(quota.Unlimited) {
		t.Errorf("%s", a.raw)
	}
	a := s.must(200, "GET", "/v2/team/credit-usage/historical", "")
	start, err := time.Parse(time.RFC3339, a.text("periods", 0, "startDate"))
	if err != nil || start.Day() != 1 || a.get("periods", 0, "creditsUsed") != 1.0 {
		t.Errorf("%v %s", err, a.raw)
	}
	s.must(400, "GET", "/v2/team/credit-usage/historical?byApiKey=true", "")
	id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a"]}`).text("id")
	s.ended(id)
	for _, target := range []string{"/v2/concurrency-check", "/v2/team/queue-status"} {
		if a := s.must(200, "GET", target, ""); a.get("maxConcurrency") != float64(s.engine.MaxPages()) {
			t.Errorf("%s", a.raw)
		}
	}
	a = s.must(200, "GET", "/v2/team/queue-status", "")
	if a.get("jobsInQueue") != 0.0 || a.get("activeJobsInQueue") != 0.0 || a.get("waitingJobsInQueue") != 0.0 || a.text("mostRecentSuccess") == "" {
		t.Errorf("%s", a.raw)
	}
}

func TestTeam_tokens(t *testing.T) {
	s := newService(t, withAgent(t))
	if a := s.must(200, "GET", "/v2/team/token-usage", ""); a.get("data", "remainingTokens") != float64(quota.Unlimited) || a.get("data", "planTokens") != float64(quota.Unlimited) {
		t.Errorf("%s", a.raw)
	}
	if a := s.must(200, "GET", "/v2/team/token-usage/historical", ""); len(a.get("periods").([]any)) != 0 {
		t.Errorf("%s", a.raw)
	}
	id := s.must(200, "POST", "/v2/agent", agentBody).text("id")
	used := s.ended(id).Usage.Tokens()
	if a := s.must(200, "GET", "/v2/team/token-usage/historical", ""); used == 0 || a.get("periods", 0, "tokensUsed") != float64(used) {
		t.Errorf("%d tokens: %s", used, a.raw)
	}
	if a := s.as(blueSecret, "GET", "/v2/team/token-usage/historical", ""); len(a.get("periods").([]any)) != 0 {
		t.Errorf("%s", a.raw)
	}
	s.must(400, "GET", "/v2/team/token-usage/historical?byApiKey=true", "")
}

func TestByMonth_sumsDaysAndLeavesOutMonthsOfNothing(t *testing.T) {
	days := []engine.DayUsage{{Day: "2025-11-30"}, {Day: "2025-12-30", Tokens: 1}, {Day: "2025-12-31", Tokens: 2}, {Day: "2026-01-01", Tokens: 4}, {Day: "2027-01-01", Tokens: 8}}
	var got []string
	for m, sum := range byMonth(days, func(d engine.DayUsage) int64 { return d.Tokens }) {
		got = append(got, fmt.Sprint(m.start, m.end, sum))
	}
	if want := "[2025-12-01T00:00:00Z2026-01-01T00:00:00Z3 2026-01-01T00:00:00Z2026-02-01T00:00:00Z4 2027-01-01T00:00:00Z2027-02-01T00:00:00Z8]"; fmt.Sprint(got) != want {
		t.Errorf("got %v", got)
	}
}

func TestActivity_hasTheVersionAndTheLabels(t *testing.T) {
	s := newService(t)
	s.must(200, "POST", "/v1/map", `{"url":"lamp.example","origin":"cli@1"}`)
	s.must(200, "POST", "/v2/map", `{"url":"lamp.example","integration":"lights"}`)
	a := s.must(200, "GET", "/v2/team/activity", "")
	if a.text("data", 0, "api_version") != "v2" || a.text("data", 1, "api_version") != "v1" {
		t.Errorf("%s", a.raw)
	}
	rows, _, err := s.engine.Activity(t.Context(), engine.ActivityQuery{})
	if err != nil || rows[0].Labels != (engine.Labels{Integration: "lights", Version: "v2"}) || rows[1].Labels != (engine.Labels{Origin: "cli@1", Version: "v1"}) {
		t.Errorf("%+v, %v", rows, err)
	}
}

// Many write while one reads page by page: what was there before is seen once, and what comes meanwhile at most once.
func TestActivity_whileManyWrite(t *testing.T) {
	s := newService(t)
	const before = 30
	scrape := func(n int) string {
		return s.must(200, "POST", "/v2/scrape", fmt.Sprintf(`{"url":"lamp.example/a?%d"}`, n)).text("data", "metadata", "scrapeId")
	}
	old := map[string]bool{}
	for i := range before {
		old[scrape(i)] = true
	}
	stop, writers := make(chan struct{}), sync.WaitGroup{}
	for w := range 3 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					scrape(1000*(w+1) + i)
				}
			}
		})
	}
	seen, cursor, last := map[string]bool{}, "", ""
	for {
		a := s.must(200, "GET", "/v2/team/activity?limit=2&cursor="+cursor, "")
		for i := range a.get("data").([]any) {
			id, at := a.text("data", i, "id"), a.text("data", i, "created_at")
			when, err := time.Parse(time.RFC3339Nano, at)
			if spelled := when.Format("2006-01-02T15:04:05.000000000"); err != nil || seen[id] || last != "" && spelled > last {
				t.Fatalf("row %v after %s", a.get("data", i), last)
			} else {
				last = spelled
			}
			seen[id] = true
			delete(old, id)
		}
		if cursor = a.text("cursor"); cursor == "" {
			break
		}
	}
	close(stop)
	writers.Wait()
	if len(old) != 0 {
		t.Errorf("%d rows weren't seen", len(old))
	}
}
