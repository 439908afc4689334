package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/monitor"
)

// watchedSite is a virtual host whose pages a test changes.
type watchedSite struct {
	mu    sync.Mutex
	pages map[string]string // body by path; "": gone
	code  int               // of all answers; 0: 200
}

func (s *watchedSite) set(path, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = body
}

func (s *watchedSite) fail(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.code = code
}

func (s *watchedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, found := s.pages[r.URL.Path]
	switch {
	case s.code != 0:
		http.Error(w, "not now", s.code)
	case !found || body == "":
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}
}

// article is a page with enough text to be one.
func article(title, text string) string {
	return "<html><head><title>" + title + "</title></head><body><main><h1>" + title + "</h1><p>" + text + "</p><p>" +
		strings.Repeat("The shop by the river sells lamps of brass and glass, made by hand in the old town. ", 8) + "</p></main></body></html>"
}

func watching(t *testing.T, pages map[string]string, setUp func(*engine.Options)) (*engine.Engine, *watchedSite) {
	t.Helper()
	site := &watchedSite{pages: pages}
	o := engine.Options{Render: engine.RenderNever, Hosts: map[string]http.Handler{"shop.example": site}, Now: betweenChecks}
	if setUp != nil {
		setUp(&o)
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, site
}

var testsBegan = time.Now()

// betweenChecks is the time of engines whose monitors run only when a test wants it: it is far from the hours at which they are due.
func betweenChecks() time.Time {
	return time.Date(2026, 5, 6, 13, 5, 0, 0, time.UTC).Add(time.Since(testsBegan))
}

func shopMonitor(targets ...engine.MonitorTarget) engine.MonitorOptions {
	return engine.MonitorOptions{Name: "the shop", Schedule: monitor.Schedule{Text: "every 2 hours"}, Targets: targets}
}

func scrapeTarget(paths ...string) engine.MonitorTarget {
	t := engine.MonitorTarget{Target: monitor.Target{ID: "pages"}}
	for _, p := range paths {
		t.URLs = append(t.URLs, "https://shop.example"+p)
	}
	return t
}

func created(t *testing.T, e *engine.Engine, o engine.MonitorOptions) *engine.Monitor {
	t.Helper()
	m, err := e.CreateMonitor(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// check runs a monitor and returns the check when it has ended.
func check(t *testing.T, e *engine.Engine, id string) *monitor.Detail {
	t.Helper()
	c, err := e.RunMonitor(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	job, err := e.Job(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, err := e.MonitorCheck(t.Context(), id, c.ID, monitor.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// statuses are those of a check's pages, by path.
func statuses(d *monitor.Detail) map[string]monitor.PageStatus {
	found := map[string]monitor.PageStatus{}
	for _, p := range d.Pages {
		found[strings.TrimPrefix(p.URL, "https://shop.example")] = p.Status
	}
	return found
}

func mustBe(t *testing.T, what string, d *monitor.Detail, want map[string]monitor.PageStatus) {
	t.Helper()
	got := statuses(d)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v (%s)", what, got, want, d.Error)
		for _, p := range d.Pages {
			t.Logf("%s %s %s", p.Status, p.URL, p.Error)
		}
	}
}

type states = map[string]monitor.PageStatus

func TestMonitor_pagesFromTheFirstCheckToTheLast(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var called []string
	e, site := watching(t, map[string]string{
		"/a": article("Lamp", "It costs 20 euros."), "/b": article("Table", "It costs 200 euros."),
	}, func(o *engine.Options) {
		o.OnMonitorChange = func(c monitor.Change) {
			mu.Lock()
			defer mu.Unlock()
			called = append(called, string(c.Status)+" "+c.URL)
		}
	})
	m := created(t, e, shopMonitor(scrapeTarget("/a", "/b", "/c")))
	if m.Schedule.Cron != "0 */2 * * *" || m.RetentionDays != 30 || m.Status != monitor.Active || m.NextRunAt.IsZero() {
		t.Errorf("created: %+v", m)
	}
	d := check(t, e, m.ID)
	mustBe(t, "the first", d, states{"/a": monitor.New, "/b": monitor.New, "/c": monitor.Error})
	if !d.Baseline || d.Status != monitor.Partial || d.Trigger != monitor.Manual {
		t.Errorf("the first check: %+v", d.Check)
	}
	mustBe(t, "nothing happened", check(t, e, m.ID), states{"/a": monitor.Same, "/b": monitor.Same, "/c": monitor.Error})

	site.set("/a", article("Lamp", "It costs 25 euros."))
	site.set("/c", article("Chair", "It is new here."))
	d = check(t, e, m.ID)
	mustBe(t, "a change and a new page", d, states{"/a": monitor.Changed, "/b": monitor.Same, "/c": monitor.New})
	for _, p := range d.Pages {
		if p.Status == monitor.Changed && (!strings.Contains(p.Diff.Text, "-It costs 20 euros.") || !strings.Contains(p.Diff.Text, "+It costs 25 euros.")) {
			t.Errorf("the diff: %+v", p.Diff)
		}
	}
	if !strings.Contains(d.Digest, "1 of 3 pages changed, 1 new, 0 removed, 1 the same, 0 failed.") {
		t.Errorf("the digest: %s", d.Digest)
	}

	site.fail(http.StatusForbidden) // which no job tries again
	mustBe(t, "an outage", check(t, e, m.ID), states{"/a": monitor.Error, "/b": monitor.Error, "/c": monitor.Error})
	site.fail(0)
	site.set("/b", "")
	mustBe(t, "a page is gone", check(t, e, m.ID), states{"/a": monitor.Same, "/b": monitor.Removed, "/c": monitor.Same})
	mustBe(t, "it stays gone", check(t, e, m.ID), states{"/a": monitor.Same, "/b": monitor.Same, "/c": monitor.Same})
	site.set("/b", article("Table", "It costs 200 euros."))
	mustBe(t, "it is back", check(t, e, m.ID), states{"/a": monitor.Same, "/b": monitor.New, "/c": monitor.Same})

	want := "[changed https://shop.example/a new https://shop.example/c removed https://shop.example/b new https://shop.example/b]"
	var logged []string
	for c, err := range e.MonitorChanges(t.Context(), m.ID, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Seq != uint64(len(logged)+1) || c.MonitorID != m.ID {
			t.Errorf("change %d: %+v", len(logged)+1, c)
		}
		logged = append(logged, string(c.Status)+" "+c.URL)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(logged) != 4 || len(called) != 4 || !sameMembers(logged, want) || !sameMembers(called, want) {
		t.Errorf("logged %v, called %v, want %s", logged, called, want)
	}
	checks, err := e.MonitorChecks(t.Context(), m.ID, 1, 2)
	if err != nil || len(checks) != 2 || checks[0].Summary.Same != 3 {
		t.Errorf("the checks after the newest: %+v, %v", checks, err)
	}
}

func sameMembers(list []string, want string) bool {
	for _, s := range list {
		if !strings.Contains(want, s) {
			return false
		}
	}
	return true
}

func TestMonitor_isKeptAndChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, _ := watching(t, map[string]string{"/a": article("Lamp", "x")}, func(o *engine.Options) { o.Dir = dir })
	o := shopMonitor(scrapeTarget("/a"))
	o.Webhook = &engine.Webhook{URL: "https://hook.example/", Secret: "shh"}
	o.Owner = "team"
	m := created(t, e, o)
	check(t, e, m.ID)
	changed, err := e.UpdateMonitor(t.Context(), m.ID, func(o *engine.MonitorOptions) error {
		if o.Webhook.Secret != "shh" || o.Owner != "team" || o.Targets[0].ID != "pages" {
			t.Errorf("the options to be changed: %+v", o)
		}
		o.Name, o.Status, o.Owner, o.Webhook = "another", monitor.Paused, "thief", nil
		o.Schedule = monitor.Schedule{Every: 90 * time.Minute, Jitter: time.Minute}
		return nil
	})
	if err != nil || changed.Name != "another" || changed.Owner != "team" || changed.Webhook != nil || changed.Schedule.Every != 90*time.Minute {
		t.Fatalf("changed: %+v, %v", changed, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	again, site := watching(t, map[string]string{"/a": article("Lamp", "y")}, func(o *engine.Options) { o.Dir = dir })
	_ = site
	list, err := again.Monitors(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != m.ID || list[0].Name != "another" || list[0].LastSummary.New != 1 {
		t.Fatalf("kept: %+v, %v", list, err)
	}
	mustBe(t, "what was known is kept too", check(t, again, m.ID), states{"/a": monitor.Changed})
	if err := again.DeleteMonitor(t.Context(), m.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Monitor(t.Context(), m.ID); engine.CodeOf(err) != engine.CodeNotFound {
		t.Errorf("a deleted monitor: %v", err)
	}
	if _, err := again.MonitorChecks(t.Context(), m.ID, 0, 0); engine.CodeOf(err) != engine.CodeNotFound {
		t.Errorf("checks of a deleted monitor: %v", err)
	}
}

func TestMonitor_refusesWhatItCannotHonour(t *testing.T) {
	t.Parallel()
	e, _ := watching(t, nil, nil)
	for field, change := range map[string]func(*engine.MonitorOptions){
		"name":              func(o *engine.MonitorOptions) { o.Name = "" },
		"schedule.text":     func(o *engine.MonitorOptions) { o.Schedule.Text = "now and then" },
		"schedule.timezone": func(o *engine.MonitorOptions) { o.Schedule.Timezone = "Nowhere" },
		"targets":           func(o *engine.MonitorOptions) { o.Targets = nil },
		"retentionDays":     func(o *engine.MonitorOptions) { o.RetentionDays = 366 },
		"goal":              func(o *engine.MonitorOptions) { o.Goal = "prices" },
		"status":            func(o *engine.MonitorOptions) { o.Status = "asleep" },
		"webhook.events": func(o *engine.MonitorOptions) {
			o.Webhook = &engine.Webhook{URL: "https://h.example", Events: []string{"started"}}
		},
		"targets[0].urls":           func(o *engine.MonitorOptions) { o.Targets[0].URLs = nil },
		"targets[0].url":            func(o *engine.MonitorOptions) { o.Targets[0].URLs = []string{"mailto:x"} },
		"targets[0].type":           func(o *engine.MonitorOptions) { o.Targets[0].Type = "look" },
		"targets[0].scrapeOptions":  func(o *engine.MonitorOptions) { o.Targets[0].Scrape.Lockdown = true },
		"targets[0].crawlOptions":   func(o *engine.MonitorOptions) { o.Targets[0].Crawl.Limit = 5 },
		"targets[0].includeTags[0]": func(o *engine.MonitorOptions) { o.Targets[0].Watch.Parts = []string{"p:has("} },
		"targets[1].id":             func(o *engine.MonitorOptions) { o.Targets = append(o.Targets, o.Targets[0]) },
		"targets[0].searchWindow":   func(o *engine.MonitorOptions) { o.Targets[0].Window = "6h" },
		"targets[0].timeout":        func(o *engine.MonitorOptions) { o.Targets[0].Scrape.Timeout = time.Millisecond },
		"schedule.interval":         func(o *engine.MonitorOptions) { o.Schedule = monitor.Schedule{Every: time.Second} },
	} {
		o := shopMonitor(scrapeTarget("/a"))
		change(&o)
		_, err := e.CreateMonitor(t.Context(), o)
		var opt *engine.OptionError
		if engine.CodeOf(err) != engine.CodeBadRequest || !asOption(err, &opt) || opt.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func asOption(err error, into **engine.OptionError) bool {
	for ; err != nil; err = unwrap(err) {
		if opt, ok := err.(*engine.OptionError); ok {
			*into = opt
			return true
		}
	}
	return false
}

func unwrap(err error) error {
	u, ok := err.(interface{ Unwrap() error })
	if !ok {
		return nil
	}
	return u.Unwrap()
}

func TestMonitor_partsOfPages(t *testing.T) {
	t.Parallel()
	page := func(price, rest string) string {
		return `<html><body><div class="price">` + price + `</div><main><p>` + rest + strings.Repeat(" lamps of brass", 50) + `</p></main></body></html>`
	}
	e, site := watching(t, map[string]string{"/a": page("20 euros", "first")}, nil)
	target := scrapeTarget("/a")
	target.Watch.Parts = []string{".price"}
	m := created(t, e, shopMonitor(target))
	mustBe(t, "the first", check(t, e, m.ID), states{"/a": monitor.New})
	site.set("/a", page("20 euros", "second"))
	mustBe(t, "what lies outside does not count", check(t, e, m.ID), states{"/a": monitor.Same})
	site.set("/a", page("30 euros", "second"))
	mustBe(t, "the part counts", check(t, e, m.ID), states{"/a": monitor.Changed})
	site.set("/a", strings.ReplaceAll(page("40 euros", "second"), "price", "cost"))
	mustBe(t, "nothing matches", check(t, e, m.ID), states{"/a": monitor.Error})
}

func TestMonitor_crawl(t *testing.T) {
	t.Parallel()
	links := func(paths ...string) string {
		text := ""
		for _, p := range paths {
			text += `<a href="` + p + `">to ` + p + `</a> `
		}
		return article("Home", text)
	}
	e, site := watching(t, map[string]string{
		"/": links("/a", "/b", "/c"), "/a": article("A", "1"), "/b": article("B", "1"), "/c": article("C", "1"),
	}, nil)
	m := created(t, e, shopMonitor(engine.MonitorTarget{
		Target: monitor.Target{ID: "site", URL: "https://shop.example/"}, Crawl: engine.CrawlOptions{Limit: 20},
	}))
	d := check(t, e, m.ID)
	mustBe(t, "the first", d, states{"/": monitor.New, "/a": monitor.New, "/b": monitor.New, "/c": monitor.New})
	site.set("/", links("/a", "/d")) // no link leads to b and c any more: b is there still, c is gone
	site.set("/c", "")
	site.set("/d", article("D", "1"))
	d = check(t, e, m.ID)
	mustBe(t, "links have changed", d, states{"/": monitor.Changed, "/a": monitor.Same, "/b": monitor.Same, "/c": monitor.Removed, "/d": monitor.New})
	if len(d.Targets) != 1 || len(d.Targets[0].Jobs) != 2 || !d.Targets[0].Done {
		t.Errorf("the target: %+v", d.Targets)
	}
}

// A webhook gets what has happened, signed.
func TestMonitor_webhook(t *testing.T) {
	t.Parallel()
	got := make(chan map[string]any, 10)
	hook := func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !strings.HasPrefix(r.Header.Get("X-Winnow-Signature"), "sha256=") {
			t.Errorf("%v, %v", err, r.Header)
		}
		got <- body
	}
	server := httptest.NewServer(http.HandlerFunc(hook))
	t.Cleanup(server.Close)
	e, site := watching(t, map[string]string{"/a": article("Lamp", "It costs 20 euros.")}, func(o *engine.Options) {
		o.Policy.AllowPrivate = true
	})
	o := shopMonitor(scrapeTarget("/a"))
	o.Webhook = &engine.Webhook{URL: server.URL, Secret: "shh", Metadata: map[string]string{"for": "me"}}
	m := created(t, e, o)
	first := check(t, e, m.ID)
	body := <-got
	if body["type"] != "monitor.check.completed" || body["id"] != first.ID || body["success"] != true {
		t.Errorf("after the first check: %v", body)
	}
	site.set("/a", article("Lamp", "It costs 25 euros."))
	second := check(t, e, m.ID)
	page := <-got
	data, _ := page["data"].([]any)
	if page["type"] != "monitor.page" || page["id"] != second.ID || len(data) != 1 || data[0].(map[string]any)["status"] != "changed" ||
		data[0].(map[string]any)["monitorId"] != m.ID {
		t.Errorf("the page: %v", page)
	}
	if body := <-got; body["type"] != "monitor.check.completed" {
		t.Errorf("after the second check: %v", body)
	}
}

func TestMonitor_isBusyWhileACheckRuns(t *testing.T) {
	t.Parallel()
	held, release := make(chan struct{}, 8), make(chan struct{})
	e, _ := watching(t, nil, func(o *engine.Options) {
		o.Hosts = map[string]http.Handler{"shop.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			held <- struct{}{}
			<-release
			fmt.Fprint(w, article("A", "b"))
		})}
	})
	m := created(t, e, shopMonitor(scrapeTarget("/a")))
	c, err := e.RunMonitor(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	<-held
	if _, err := e.RunMonitor(t.Context(), m.ID); engine.CodeOf(err) != engine.CodeMonitorBusy {
		t.Errorf("a second run: %v", err)
	}
	if now, err := e.Monitor(t.Context(), m.ID); err != nil || now.CurrentCheckID != c.ID {
		t.Errorf("while it runs: %+v, %v", now, err)
	}
	job, err := e.Job(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(release)
	for done := false; !done; { // the check ends when its work has
		d, err := e.MonitorCheck(context.Background(), m.ID, c.ID, monitor.Query{})
		if err != nil {
			t.Fatal(err)
		}
		if done = d.Status.Final(); done && d.Status != monitor.Failed {
			t.Errorf("a cancelled check: %+v", d.Check)
		}
	}
}
