package httpapi

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// clock is set by hand.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func TestLimits_ratesPerKeyEndpointAndWindow(t *testing.T) {
	at := &clock{at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s := newService(t, func(_ *engine.Options, o *Options) {
		o.Now, o.Limits = at.now, Limits{Rates: map[Endpoint]Rate{EndpointScrape: {Requests: 2}, EndpointMap: {1, time.Hour}}}
	})
	scrape := func(secret string) answer { return s.as(secret, "POST", "/v2/scrape", `{"url":"lamp.example"}`) }
	scrape(redSecret)
	at.pass(15500 * time.Millisecond)
	scrape(redSecret)
	a := scrape(redSecret)
	if a.status != 429 || a.text("code") != "RATE_LIMIT_EXCEEDED" || a.header.Get("Retry-After") != "45" {
		t.Errorf("%d %v %s", a.status, a.header, a.raw)
	}
	if a := scrape(blueSecret); a.status != 200 {
		t.Errorf("another key: %d", a.status)
	}
	s.must(200, "POST", "/v2/map", `{"url":"lamp.example"}`)
	if a := s.must(429, "POST", "/v2/map", `{"url":"lamp.example"}`); a.header.Get("Retry-After") != "3600" {
		t.Errorf("%v", a.header)
	}
	at.pass(44500 * time.Millisecond)
	if a := scrape(redSecret); a.status != 200 {
		t.Errorf("after the window: %d", a.status)
	}
}

func TestLimits_everyStartingRouteNeedsCredits(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Keys[0].Limits = &Limits{Credits: 1} })
	s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`)
	asked := 0
	for _, r := range table() {
		method, target := example(r.pattern)
		a := s.red(method, target, bodies[r.pattern])
		if (a.status == 402) != (r.credits > 0) || a.status == 402 && a.text("code") != "INSUFFICIENT_CREDITS" {
			t.Errorf("%s: %d %s", r.pattern, a.status, a.raw)
		}
		if a.status == 402 {
			asked++
		}
	}
	if asked != 16 {
		t.Errorf("%d routes cost credits", asked)
	}
	if a := s.must(200, "GET", "/v2/team/credit-usage", ""); a.get("data", "remainingCredits") != 0.0 || a.get("data", "planCredits") != 1.0 {
		t.Errorf("%s", a.raw)
	}
}

func TestLimits_jobsAreCutToTheCreditsThatAreLeft(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Keys[0].Limits = &Limits{Credits: 2} })
	s.must(402, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/b","lamp.example/c"]}`)
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","sitemap":"skip","ignoreRobotsTxt":true}`).text("id")
	if status := s.ended(id); status.Completed != 2 {
		t.Errorf("%+v", status)
	}
}

func TestLimits_pagesOfATeamAtOnceWaitInLine(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Keys[0].Limits = &Limits{Pages: 1} })
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		s.red("POST", "/v2/scrape", `{"url":"lamp.example/slow"}`, func(r *http.Request) { *r = *r.WithContext(ctx) })
	})
	for s.must(200, "GET", "/v2/concurrency-check", "").get("concurrency") != 1.0 {
		time.Sleep(time.Millisecond)
	}
	if a := s.must(408, "POST", "/v2/scrape", `{"url":"lamp.example","timeout":1000}`); a.text("code") != "SCRAPE_TIMEOUT" {
		t.Errorf("a timeout in line: %s", a.raw)
	}
	if a := s.must(408, "POST", "/v2/map", `{"url":"lamp.example","timeout":1}`); a.text("code") != "MAP_TIMEOUT" {
		t.Errorf("a timeout in line: %s", a.raw)
	}
	var second answer
	work.Go(func() { second = s.red("POST", "/v2/scrape", `{"url":"lamp.example"}`) })
	if a := s.as(blueSecret, "POST", "/v2/scrape", `{"url":"lamp.example"}`); a.status != 200 {
		t.Errorf("another team waits: %d", a.status)
	}
	cancel()
	work.Wait()
	if second.status != 200 {
		t.Errorf("%d %s", second.status, second.raw)
	}
	if a := s.must(200, "GET", "/v2/concurrency-check", ""); a.get("concurrency") != 0.0 || a.get("maxConcurrency") != 1.0 {
		t.Errorf("%s", a.raw)
	}
}

func TestLog_hasNeitherURLsNorSecrets(t *testing.T) {
	var b lockedBuffer
	s := newService(t, func(_ *engine.Options, o *Options) { o.Logger = b.logger() })
	s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example/a?token=hush","origin":"cli"}`)
	s.as("wrong-secret-0123456789", "GET", "/v2/team/activity?cursor=hush", "")
	log := b.String()
	if strings.Contains(log, "hush") || strings.Contains(log, "lamp.example") || strings.Contains(log, "secret") || strings.Count(log, "\n") != 2 ||
		!strings.Contains(log, `"method":"POST","route":"/v2/scrape","status":200`) || !strings.Contains(log, `"team":"red","key":"`) || !strings.Contains(log, `"origin":"cli"`) {
		t.Error(log)
	}
}

func TestConcurrencyOf_isTheLesser(t *testing.T) {
	for _, c := range []struct{ pages, asked, want int }{{0, 0, 0}, {0, 7, 7}, {5, 0, 5}, {5, 3, 3}, {5, 7, 5}, {5000, 0, decode.MaxConcurrency}} {
		if got := (&call{caller: caller{limits: Limits{Pages: c.pages}}}).concurrencyOf(c.asked); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
