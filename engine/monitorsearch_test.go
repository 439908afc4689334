package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/engine/search"
)

// offers is a provider whose results by query a test sets.
type offers struct {
	mu      sync.Mutex
	results map[string][]string // URLs
	failed  error
	turn    int
}

func (s *offers) set(query string, urls ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[query] = urls
}

func (s *offers) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = err
}

// find gives each result another title and description at each search.
func (s *offers) find(q search.Query) (r search.Results, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn++
	for _, u := range s.results[q.Text] {
		r.List = append(r.List, search.Result{URL: u, Title: fmt.Sprintf("Lamp, %d offers", s.turn), Description: fmt.Sprintf("%d hours ago … it is lit", s.turn)})
	}
	return r, s.failed
}

func (s *offers) engine(t *testing.T, dir string) *Engine {
	t.Helper()
	f := &finder{name: "shelf", can: search.Capabilities{}, find: s.find}
	e, err := New(Options{Dir: dir, Render: RenderNever, Search: []search.Provider{f}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// searched runs a monitor of searches to its end, and returns the check with what it found of each result.
func searched(t *testing.T, e *Engine, id string) (*monitor.Detail, map[string]monitor.PageStatus) {
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
	found := map[string]monitor.PageStatus{}
	for _, p := range d.Pages {
		found[p.URL] = p.Status
	}
	return d, found
}

// changesOf lists the changes that a monitor has reported.
func changesOf(t *testing.T, e *Engine, id string) (list []string) {
	t.Helper()
	for c, err := range e.MonitorChanges(context.Background(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(c.Status)+" "+c.URL)
	}
	return list
}

// A monitor of searches reports what was not found before, and nothing of results that go, come back, change places or carry other
// tracking parameters; also over a restart.
func TestMonitor_searches(t *testing.T) {
	t.Parallel()
	s, dir := &offers{results: map[string][]string{}}, t.TempDir()
	e := s.engine(t, dir)
	m, err := e.CreateMonitor(t.Context(), MonitorOptions{
		Name: "lamps", Schedule: monitor.Schedule{Every: 24 * time.Hour}, Owner: "team",
		Targets: []MonitorTarget{{Target: monitor.Target{ID: "s", Queries: []string{"lamp", "brass lamp"}, MaxResults: 20}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const a, b, c = "https://a.example/lamp", "https://b.example/?item=4", "https://c.example/"
	night := func(what string, want map[string]monitor.PageStatus, credits int) {
		t.Helper()
		d, got := searched(t, e, m.ID)
		if fmt.Sprint(got) != fmt.Sprint(want) || d.Credits != credits || d.Status != monitor.Completed {
			t.Errorf("%s: %v, want %v; %s, %d credits, want %d; %s", what, got, want, d.Status, d.Credits, credits, d.Error)
		}
	}
	type found = map[string]monitor.PageStatus
	night("nothing is found", found{}, 0)
	s.set("lamp", a, b)
	s.set("brass lamp", b)
	night("results come", found{a: monitor.New, b: monitor.New}, 4)
	s.set("lamp", b+"&utm_source=shelf&gclid=77", "http://www.a.example/lamp/#:~:text=lit")
	night("order, tracking and spelling", found{b + "&utm_source=shelf&gclid=77": monitor.Same, "http://www.a.example/lamp/#:~:text=lit": monitor.Same}, 4)
	s.set("lamp", a)
	s.set("brass lamp", c, a)
	night("one goes, one comes", found{a: monitor.Same, c: monitor.New}, 4)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = s.engine(t, dir)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	s.set("lamp", c, b, a)
	night("one is back, after a restart", found{a: monitor.Same, b: monitor.Same, c: monitor.Same}, 4)
	s.set("lamp", "https://a.example/lamp?page=2")
	night("another page of the site", found{"https://a.example/lamp?page=2": monitor.New, c: monitor.Same, a: monitor.Same}, 4)
	s.fail(errors.New("the shelf is closed"))
	if d, got := searched(t, e, m.ID); d.Status != monitor.Failed || len(got) != 0 || d.Error == "" || d.Targets[0].Done {
		t.Errorf("the provider fails: %+v, %v", d.Check, got)
	}
	s.fail(nil)
	night("it works again", found{"https://a.example/lamp?page=2": monitor.Same, c: monitor.Same, a: monitor.Same}, 4)
	want := []string{"new " + a, "new " + b, "new " + c, "new https://a.example/lamp?page=2"}
	if got := changesOf(t, e, m.ID); !slices.Equal(got, want) {
		t.Errorf("changes %v, want %v", got, want)
	}
	if used, err := e.Usage(t.Context(), "team"); err != nil || used.Credits != 24 {
		t.Errorf("the owner has paid %+v, %v", used, err)
	}
}

// The results of a search aren't fetched: options of how they were to be are refused, not passed over.
func TestMonitor_searchesHaveNoScrapeOptions(t *testing.T) {
	t.Parallel()
	e := (&offers{}).engine(t, "")
	defer e.Close()
	_, err := e.CreateMonitor(t.Context(), MonitorOptions{
		Name: "lamps", Schedule: monitor.Schedule{Every: 24 * time.Hour},
		Targets: []MonitorTarget{{Target: monitor.Target{Queries: []string{"lamp"}}, Scrape: ScrapeOptions{OnlyMainContent: new(true)}}},
	})
	opt, ok := errors.AsType[*OptionError](err)
	if !ok || opt.Field != "targets[0].scrapeOptions" {
		t.Errorf("the error %v", err)
	}
}

// halting is a provider that stops at a query until its context ends, once.
type halting struct {
	finder
	at      string
	mu      sync.Mutex
	queries []string
	reached chan struct{}
}

func (h *halting) Search(ctx context.Context, q search.Query) (search.Results, error) {
	h.mu.Lock()
	h.queries = append(h.queries, q.Text)
	halt := q.Text == h.at
	if halt {
		h.at = ""
	}
	h.mu.Unlock()
	if halt {
		close(h.reached)
		<-ctx.Done()
		return search.Results{}, ctx.Err()
	}
	return search.Results{List: []search.Result{{URL: "https://" + strings.ReplaceAll(q.Text, " ", "-") + ".example/", Title: q.Text}}}, nil
}

// A check that ends in the midst of a target's searches goes on with the next: those that were done are neither done again nor paid again.
func TestMonitor_searchesArePaidOnceOverARestart(t *testing.T) {
	t.Parallel()
	h := &halting{finder: finder{name: "shelf"}, at: "lantern", reached: make(chan struct{})}
	open := func(dir string) *Engine {
		e, err := New(Options{Dir: dir, Render: RenderNever, Search: []search.Provider{h}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	dir := t.TempDir()
	e := open(dir)
	m, err := e.CreateMonitor(t.Context(), MonitorOptions{
		Name: "lamps", Schedule: monitor.Schedule{Every: 24 * time.Hour}, Owner: "team",
		Targets: []MonitorTarget{{Target: monitor.Target{Queries: []string{"lamp", "lantern"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.RunMonitor(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	<-h.reached
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(dir)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	job, err := e.Job(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, err := e.MonitorCheck(t.Context(), m.ID, c.ID, monitor.Query{})
	if err != nil || d.Status != monitor.Completed || d.Credits != 4 || d.Targets[0].Results != 2 || len(d.Pages) != 2 {
		t.Errorf("the check %+v, %v", d, err)
	}
	if want := []string{"lamp", "lantern", "lantern"}; !slices.Equal(h.queries, want) {
		t.Errorf("searched %q, want %q", h.queries, want)
	}
	if used, err := e.Usage(t.Context(), "team"); err != nil || used.Credits != 4 {
		t.Errorf("the owner has paid %+v, %v", used, err)
	}
}
