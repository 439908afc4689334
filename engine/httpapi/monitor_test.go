package httpapi

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// priceService also serves a page whose price is set by the test.
func priceService(t *testing.T, change ...func(*engine.Options, *Options)) (*service, *atomic.Int64) {
	price := new(atomic.Int64)
	price.Store(20)
	begun := time.Now()
	at := func() time.Time { return time.Date(2026, 5, 6, 12, 5, 0, 0, time.UTC).Add(time.Since(begun)) } // far from when monitors are due
	change = slices.Insert(change, 0, func(o *engine.Options, _ *Options) {
		o.Now = at
		o.Hosts["price.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>Lamp</title><main><h1>Lamp</h1><p>It costs %d euros.</p><p>%s</p></main>", price.Load(),
				strings.Repeat("A lamp of brass, made by hand in the old town. ", 8))
		})
	})
	return newService(t, change...), price
}

const priceMonitor = `{"name":"prices","schedule":{"text":"every 30 minutes","timezone":"Europe/Berlin"},"retentionDays":7,
	"targets":[{"id":"shop","type":"scrape","urls":["https://price.example/","https://price.example/two"],"scrapeOptions":{"onlyMainContent":true}}],
	"webhook":{"url":"https://hook.example/x","headers":{"authorization":"Bearer s"},"metadata":{"a":"b"}},
	"notification":{"email":{"enabled":false}},"winnow":{"jitter":60000}}`

// runToEnd runs a monitor and returns its check when that has ended.
func (s *service) runToEnd(id string) answer {
	s.t.Helper()
	check := s.must(200, "POST", "/v2/monitor/"+id+"/run", `{}`).text("data", "id")
	job, err := s.engine.Job(s.t.Context(), check)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := job.Wait(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return s.must(200, "GET", "/v2/monitor/"+id+"/checks/"+check, "")
}

func TestMonitor_fromItsCreationToItsEnd(t *testing.T) {
	s, price := priceService(t)
	m := s.must(200, "POST", "/v2/monitor", priceMonitor)
	id := m.text("data", "id")
	if m.text("data", "schedule", "cron") != "*/30 * * * *" || m.text("data", "schedule", "text") != "every 30 minutes" || m.text("data", "status") != "active" ||
		m.get("data", "winnow", "jitter") != float64(60000) || m.get("data", "retentionDays") != float64(7) || m.get("data", "targets", 0, "id") != "shop" ||
		m.get("data", "targets", 0, "scrapeOptions", "onlyMainContent") != true || m.get("data", "nextRunAt") == nil || strings.Contains(m.raw, "Bearer") {
		t.Errorf("created: %s", m.raw)
	}
	first := s.runToEnd(id)
	if first.text("data", "status") != "completed" || first.get("data", "summary", "new") != float64(2) || first.get("data", "winnow", "baseline") != true ||
		first.get("data", "pages", 0, "diff") != nil || first.get("next") != nil {
		t.Errorf("the first check: %s", first.raw)
	}
	price.Store(25)
	second := s.runToEnd(id)
	if second.get("data", "summary", "changed") != float64(2) || !strings.Contains(second.text("data", "pages", 0, "diff", "text"), "+It costs 25 euros.") ||
		second.get("data", "pages", 0, "diff", "json", "files") == nil || second.text("data", "pages", 0, "previousScrapeId") == "" {
		t.Errorf("the second check: %s", second.raw)
	}
	check := second.text("data", "id")
	part := s.must(200, "GET", "/v2/monitor/"+id+"/checks/"+check+"?limit=1&status=changed", "")
	want := "https://api.example/v2/monitor/" + id + "/checks/" + check + "?limit=1&skip=1&status=changed"
	if part.text("next") != want || part.text("data", "next") != want {
		t.Errorf("the next part: %s, want %s", part.text("next"), want)
	}
	if list := s.must(200, "GET", "/v2/monitor/"+id+"/checks?limit=1&offset=1", ""); list.text("data", 0, "id") != first.text("data", "id") {
		t.Errorf("the checks: %s", list.raw)
	}
	if list := s.must(200, "GET", "/v2/monitor?limit=5", ""); list.text("data", 0, "id") != id || list.get("data", 0, "lastCheckSummary", "changed") != float64(2) {
		t.Errorf("the monitors: %s", list.raw)
	}
	if list := s.as(blueSecret, "GET", "/v2/monitor", ""); list.status != 200 || strings.Contains(list.raw, id) {
		t.Errorf("another team's: %s", list.raw)
	}
	s.must(200, "DELETE", "/v2/monitor/"+id, "")
	s.must(404, "GET", "/v2/monitor/"+id, "")
}

func TestMonitor_isChangedByWhatIsGiven(t *testing.T) {
	s, _ := priceService(t)
	id := s.must(200, "POST", "/v2/monitor", priceMonitor).text("data", "id")
	m := s.must(200, "PATCH", "/v2/monitor/"+id, `{"name":"other","status":"paused","webhook":null,"goal":null,"schedule":{"cron":"5 4 * * *"}}`)
	if m.text("data", "name") != "other" || m.get("data", "webhook") != nil || m.get("data", "nextRunAt") != nil || m.text("data", "schedule", "cron") != "5 4 * * *" ||
		m.get("data", "schedule", "text") != nil || m.get("data", "winnow", "jitter") != float64(60000) || m.get("data", "targets", 0, "id") != "shop" {
		t.Errorf("changed: %s", m.raw)
	}
	m = s.must(200, "PATCH", "/v2/monitor/"+id, `{"winnow":{"interval":5400000,"jitter":0},"status":"active"}`)
	if m.get("data", "winnow", "interval") != float64(5400000) || m.get("data", "schedule", "cron") != nil || m.get("data", "nextRunAt") == nil {
		t.Errorf("an interval: %s", m.raw)
	}
}

func TestMonitor_whatCanNotBeHonouredIsRefusedByName(t *testing.T) {
	s, _ := priceService(t)
	with := func(more string) string { return strings.TrimSuffix(priceMonitor, "}") + "," + more + "}" }
	for body, path := range map[string]string{
		strings.Replace(priceMonitor, `"enabled":false`, `"enabled":true`, 1):                               "[notification email]",
		strings.Replace(priceMonitor, `"enabled":false`, `"enabled":false,"recipients":["a@b.example"]`, 1): "[notification email]",
		with(`"goal":"tell me of prices"`):                                                                  "[goal]",
		strings.Replace(priceMonitor, "every 30 minutes", "now and then", 1):                                "[schedule text]",
		strings.Replace(priceMonitor, "Europe/Berlin", "Mars", 1):                                           "[schedule timezone]",
		strings.Replace(priceMonitor, `"jitter":60000`, `"jitter":1800000`, 1):                              "[schedule jitter]",
		strings.Replace(priceMonitor, `"jitter":60000`, `"interval":1000`, 1):                               "[winnow interval]",
		strings.Replace(priceMonitor, `"type":"scrape"`, `"type":"crawl"`, 1):                               "[targets 0 urls]",
		strings.Replace(priceMonitor, `"onlyMainContent":true`, `"lockdown":true`, 1):                       "[targets 0 scrapeOptions]",
		strings.Replace(priceMonitor, `"type":"scrape"`, `"type":"scrape","crawlOptions":{"limit":3}`, 1):   "[targets 0 crawlOptions]",
		strings.Replace(priceMonitor, `"type":"scrape"`, `"type":"scrape","winnow":{"colour":1}`, 1):        "[targets 0 winnow colour]",
		`{"schedule":{"text":"hourly"},"targets":[{"urls":["https://price.example/"]}]}`:                    "[name]",
		`{"name":"a","targets":[{"urls":["https://price.example/"]}]}`:                                      "[schedule]",
		`{"name":"a","schedule":{"text":"hourly"}}`:                                                         "[targets]",
		with(`"status":"paused"`): "[status]",
	} {
		a := s.red("POST", "/v2/monitor", body)
		if a.status != 400 || fmt.Sprint(a.get("details", 0, "path")) != path {
			t.Errorf("want %s: %d %s", path, a.status, a.raw)
		}
	}
}

// plain requests what is no JSON object.
func (s *service) plain(target string) answer {
	r := httptest.NewRequest("GET", target, nil)
	r.Header.Set("Authorization", "Bearer "+redSecret)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return answer{status: w.Code, header: w.Header(), raw: w.Body.String()}
}

func TestMonitor_changesAsLinesAndAsAFeed(t *testing.T) {
	s, price := priceService(t)
	id := s.must(200, "POST", "/v2/monitor", priceMonitor).text("data", "id")
	s.runToEnd(id)
	price.Store(30)
	s.runToEnd(id)
	lines := s.plain("/v2/monitor/" + id + "/changes")
	if lines.status != 200 || strings.Count(lines.raw, "\n") != 2 || !strings.Contains(lines.raw, `"seq":1,`) || !strings.Contains(lines.raw, `"status":"changed"`) {
		t.Errorf("lines: %s", lines.raw)
	}
	if rest := s.plain("/v2/monitor/" + id + "/changes?after=1"); strings.Count(rest.raw, "\n") != 1 || !strings.Contains(rest.raw, `"seq":2,`) {
		t.Errorf("lines after the first: %s", rest.raw)
	}
	feed := s.plain("/v2/monitor/" + id + "/feed")
	var atom struct {
		ID      string `xml:"http://www.w3.org/2005/Atom id"`
		Entries []struct {
			ID, Title, Content string
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(feed.raw), &atom); err != nil || atom.ID != "urn:uuid:"+id || len(atom.Entries) != 2 {
		t.Errorf("the feed: %v %s", err, feed.raw)
	}
	if got := feed.header.Get("Content-Type"); !strings.HasPrefix(got, "application/atom+xml") || !strings.Contains(feed.raw, "+It costs 30 euros.") {
		t.Errorf("the feed is %s: %s", got, feed.raw)
	}
}

// scheduledCheck runs a monitor by its schedule: the clock moves on, and a change of the monitor has the engine look at it. It returns the
// newest check that the schedule has begun when that has ended.
func (s *service) scheduledCheck(id string, clock *atomic.Int64, by time.Duration) answer {
	s.t.Helper()
	before := s.must(200, "GET", "/v2/monitor/"+id+"/checks", "").text("data", 0, "id")
	clock.Add(int64(by))
	s.must(200, "PATCH", "/v2/monitor/"+id, `{"name":"prices"}`)
	for {
		list := s.must(200, "GET", "/v2/monitor/"+id+"/checks", "")
		if c := list.text("data", 0, "id"); c != before && list.text("data", 0, "status") != "running" {
			return s.must(200, "GET", "/v2/monitor/"+id+"/checks/"+c, "")
		}
		time.Sleep(time.Millisecond)
	}
}

// Checks are paid by the team of the monitor, as what it requests itself; without credits a check says so, fetches nothing, and comes again
// by the schedule.
func TestMonitor_checksArePaidByItsTeam(t *testing.T) {
	clock, model := new(atomic.Int64), llmtest.NewServer(t, llmtest.Step{Func: func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: `{"meaningful":true,"confidence":"high","reason":"a price","meaningfulChanges":[]}`}
	}, Times: -1}).Model()
	s, price := priceService(t, withCredits(13), func(o *engine.Options, _ *Options) {
		at := o.Now
		o.Now, o.Model = func() time.Time { return at().Add(time.Duration(clock.Load())) }, model
	})
	body := strings.Replace(priceMonitor, `"winnow":{"jitter":60000}`, `"goal":"prices"`, 1)
	id := s.must(200, "POST", "/v2/monitor", body).text("data", "id")
	paid := func(what string, c answer, credits, used float64, status string) {
		t.Helper()
		if c.get("data", "actualCredits") != credits || s.used() != int64(used) || c.text("data", "status") != status {
			t.Errorf("%s: %d credits used, want %v: %s", what, s.used(), used, c.raw)
		}
	}
	paid("the first", s.runToEnd(id), 2, 2, "completed")
	price.Store(25)
	paid("changes are judged", s.runToEnd(id), 10, 12, "completed")
	if other := s.as(blueSecret, "GET", "/v2/team/credit-usage", ""); other.get("data", "remainingCredits") == float64(0) {
		t.Errorf("another team's: %s", other.raw)
	}
	price.Store(30)
	for range 2 {
		c := s.scheduledCheck(id, clock, 31*time.Minute)
		paid("there is one left", c, 0, 12, "failed")
		if c.text("data", "trigger") != "scheduled" || len(c.get("data", "pages").([]any)) != 0 || !strings.Contains(c.text("data", "error"), "INSUFFICIENT_CREDITS") ||
			!strings.Contains(c.text("data", "winnow", "digest"), "not have enough credits") {
			t.Errorf("a check that can't be paid: %s", c.raw)
		}
	}
	paid("one by hand", s.runToEnd(id), 0, 12, "failed")
	s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example/b"}`) // the check held nothing
	s.must(402, "POST", "/v2/monitor/"+id+"/run", `{}`)
}

// A crawl for a check is cut to what is left, as other crawls are; a change that there are no credits left to judge is reported.
func TestMonitor_checksAreCutToWhatIsLeft(t *testing.T) {
	s, price := priceService(t, withModel(t), withCredits(5))
	crawl := s.must(200, "POST", "/v2/monitor", `{"name":"site","schedule":{"text":"daily"},"targets":[{"type":"crawl","url":"https://lamp.example/",
		"crawlOptions":{"sitemap":"skip","ignoreRobotsTxt":true}}]}`).text("data", "id")
	pages := s.must(200, "POST", "/v2/monitor", `{"name":"page","schedule":{"text":"daily"},"goal":"prices","targets":[{"urls":["https://price.example/"]}]}`).text("data", "id")
	s.runToEnd(pages)
	price.Store(25)
	c := s.runToEnd(pages)
	if s.used() != 2 || c.get("data", "summary", "changed") != 1.0 || !strings.Contains(c.text("data", "pages", 0, "error"), "INSUFFICIENT_CREDITS") {
		t.Errorf("%d credits used: %s", s.used(), c.raw)
	}
	if c := s.runToEnd(crawl); s.used() != 5 || c.get("data", "summary", "new") != 3.0 || c.text("data", "status") != "completed" {
		t.Errorf("%d credits used: %s", s.used(), c.raw)
	}
}
