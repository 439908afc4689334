package httpapi

import (
	"fmt"
	"testing"
	"time"
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
	if a := s.must(200, "GET", "/v2/team/credit-usage", ""); a.get("data", "remainingCredits") != float64(noLimit) || a.get("data", "planCredits") != float64(noLimit) {
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
	a = s.must(200, "GET", "/v2/team/queue-status", "")
	if a.get("jobsInQueue") != 0.0 || a.get("activeJobsInQueue") != 0.0 || a.get("waitingJobsInQueue") != 0.0 || a.text("mostRecentSuccess") == "" {
		t.Errorf("%s", a.raw)
	}
}
