package httpapi

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// withCredits gives red so many credits.
func withCredits(n int64) func(*engine.Options, *Options) {
	return func(_ *engine.Options, o *Options) { o.Keys[0].Limits = &Limits{Credits: n} }
}

// atOnce asks so many times at once, and counts the statuses.
func (s *service) atOnce(n int, do func(i int) answer) map[int]int {
	s.t.Helper()
	var mu sync.Mutex
	var work sync.WaitGroup
	seen := map[int]int{}
	for i := range n {
		work.Go(func() {
			a := do(i)
			mu.Lock()
			defer mu.Unlock()
			seen[a.status]++
		})
	}
	work.Wait()
	return seen
}

func (s *service) used() int64 {
	s.t.Helper()
	u, err := s.engine.Usage(s.t.Context(), "red")
	if err != nil {
		s.t.Fatal(err)
	}
	return u.Credits
}

func TestCredits_requestsAtOnceCannotUseMoreThanThereIs(t *testing.T) {
	s := newService(t, withCredits(3))
	seen := s.atOnce(50, func(i int) answer {
		return s.red("POST", "/v2/scrape", fmt.Sprintf(`{"url":"lamp.example/a?%d"}`, i))
	})
	// A request that is refused while another one still holds what it will use isn't asked again: fewer than 3 may be served.
	if seen[200] < 1 || seen[200] > 3 || seen[200]+seen[402] != 50 || s.used() != int64(seen[200]) {
		t.Errorf("statuses %v, %d credits used", seen, s.used())
	}
	for s.used() < 3 {
		s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example/b"}`)
	}
	s.must(402, "POST", "/v2/scrape", `{"url":"lamp.example/b"}`)
}

func TestCredits_jobsAtOnceCannotUseMoreThanThereIs(t *testing.T) {
	s := newService(t, withCredits(5), withModel(t))
	starts := []func() answer{
		func() answer {
			return s.red("POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/b"]}`)
		},
		func() answer {
			return s.red("POST", "/v2/crawl", `{"url":"lamp.example","sitemap":"skip","ignoreRobotsTxt":true,"limit":2}`)
		},
		func() answer { return s.red("POST", "/v2/scrape", `{"url":"lamp.example"}`) },
		func() answer { return s.red("POST", "/v2/map", `{"url":"lamp.example","sitemap":"skip"}`) },
		func() answer {
			return s.red("POST", "/v2/agent", `{"urls":["lamp.example"],"prompt":"lamps","maxCredits":2}`)
		},
	}
	seen := s.atOnce(50, func(i int) answer { return starts[i%len(starts)]() })
	jobs, err := s.engine.Jobs(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range jobs {
		s.ended(job.ID())
	}
	if s.used() > 5 || seen[402] == 0 || seen[200] == 0 || seen[200]+seen[402] != 50 {
		t.Errorf("statuses %v, %d credits used", seen, s.used())
	}
}

func TestCredits_whatIsAtWorkIsHeldUntilItsEnd(t *testing.T) {
	s := newService(t, withCredits(4))
	batch := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/slow","lamp.example/a"]}`).text("id")
	for s.must(200, "GET", "/v2/batch/scrape/"+batch, "").get("completed") != 1.0 {
		time.Sleep(time.Millisecond)
	}
	s.must(402, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/b","lamp.example/c"]}`)
	s.must(402, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/b","lamp.example/c"],"appendToId":"`+batch+`"}`)
	s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/slow"],"appendToId":"`+batch+`"}`)
	s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example/b"}`)
	s.must(402, "POST", "/v2/scrape", `{"url":"lamp.example/c"}`)
	s.must(200, "DELETE", "/v2/batch/scrape/"+batch, "")
	s.ended(batch)
	s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example/c"}`)
}

func TestCredits_whatOptionsCostMustBeThere(t *testing.T) {
	s := newService(t, withCredits(4))
	for _, body := range []string{
		`{"url":"lamp.example","formats":[{"type":"json","prompt":"p"}]}`, `{"url":"lamp.example","lockdown":true}`,
		`{"url":"lamp.example","formats":[{"type":"question","question":"q"}]}`, `{"url":"lamp.example","proxy":"stealth"}`,
		`{"url":"lamp.example","formats":["markdown",{"type":"changeTracking","modes":["json"],"prompt":"p"}]}`,
	} {
		s.must(402, "POST", "/v2/scrape", body)
	}
	s.must(402, "POST", "/v2/extract", `{"urls":["lamp.example"],"prompt":"p"}`)
	s.must(402, "POST", "/v2/crawl", `{"url":"lamp.example","scrapeOptions":{"formats":["audio"]}}`)
	// What was refused holds nothing.
	s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example","lamp.example/a","lamp.example/b","lamp.example/c"]}`)
}

func TestCredits_aSearchCostsWhatItAsksFor(t *testing.T) {
	s := newService(t, withCredits(8))
	for _, body := range []string{
		`{"query":"lamp","limit":41}`, `{"query":"lamp","scrapeOptions":{}}`, `{"query":"lamp","limit":1,"scrapeOptions":{"proxy":"stealth","formats":["audio"]}}`,
		`{"query":"lamp","limit":20,"sources":["web","news","images"]}`, `{"query":"lamp","limit":2,"sources":["web","news"],"scrapeOptions":{"formats":["audio"]}}`,
	} {
		s.must(402, "POST", "/v2/search", body)
	}
	for _, body := range []string{`{"query":"lamp","limit":40}`, `{"query":"lamp","limit":6,"scrapeOptions":{}}`} {
		s.must(503, "POST", "/v2/search", body) // affordable: the engine is asked, which has no provider
	}
}

func TestCredits_pagesOfAJobThatKeepsNothingCostMore(t *testing.T) {
	s := newService(t, func(eo *engine.Options, o *Options) {
		eo.AllowZeroDataRetention = true
		o.Keys[0].Limits = &Limits{Credits: 3, ZeroDataRetention: true}
	})
	s.must(402, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/b"],"zeroDataRetention":true}`)
	crawl := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","sitemap":"skip","ignoreRobotsTxt":true,"zeroDataRetention":true}`).text("id")
	if status := s.ended(crawl); status.Completed != 1 || status.CreditsUsed != 2 || s.used() != 2 {
		t.Errorf("%+v, %d credits used", status, s.used())
	}
}

func TestCredits_aSessionForAScrapeMustBeAffordable(t *testing.T) {
	s := newService(t, withCredits(7))
	scrape := s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`).text("data", "metadata", "scrapeId")
	s.must(402, "POST", "/v2/scrape/"+scrape+"/interact", `{"prompt":"press it"}`)
	for s.used() < 6 {
		s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`)
	}
	s.must(402, "POST", "/v2/scrape/"+scrape+"/interact", `{"code":"1"}`)
}

func TestJobs_idempotencyKeysAtOnce(t *testing.T) {
	s := newService(t)
	var mu sync.Mutex
	ids := map[string]int{}
	seen := s.atOnce(30, func(i int) answer {
		body := []string{`{"urls":["lamp.example/a"]}`, `{"urls":["lamp.example/b"]}`}[i%2]
		a := s.red("POST", "/v2/batch/scrape", body, func(r *http.Request) { r.Header.Set("X-Idempotency-Key", "once") })
		if a.status == 200 {
			mu.Lock()
			defer mu.Unlock()
			ids[a.text("id")]++
		}
		return a
	})
	if len(ids) != 1 || seen[200] != 1 || seen[409] != 29 {
		t.Errorf("jobs %v, statuses %v", ids, seen)
	}
}
