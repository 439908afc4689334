//go:build unix

package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/fetch"
)

// nightSite has pages that link to each other, of which some change, and kills a program in the middle of its requests.
type nightSite struct {
	*httptest.Server

	mu       sync.Mutex
	versions map[string]int // by path
	hits     map[string]int
	left     int // requests until kill is called
	kill     func()
}

const nightPages = 40

func newNightSite(t *testing.T) *nightSite {
	s := &nightSite{versions: map[string]int{}, hits: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *nightSite) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	s.hits[r.URL.Path]++
	if s.left--; s.left == 0 {
		s.kill()
	}
	version := s.versions[r.URL.Path]
	s.mu.Unlock()
	var links strings.Builder
	for n := range nightPages - 1 {
		fmt.Fprintf(&links, ` <a href="/p/%d">page %d</a>`, n+1, n+1)
	}
	words := strings.Repeat("The mill grinds barley slowly and carefully in winter. ", 8)
	htmlPage(fmt.Sprintf(`<title>%s</title><main><h1>%s</h1><p>%s</p><p>%s</p></main><nav>%s</nav>`, r.URL.Path, r.URL.Path, words,
		strings.Repeat("Edited by the miller. ", version), links.String())).ServeHTTP(w, r)
}

// change edits some pages, and forgets what was requested.
func (s *nightSite) change() (changed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.hits)
	for n := 2; n < nightPages; n += 7 {
		path := fmt.Sprintf("/p/%d", n)
		s.versions[path]++
		changed = append(changed, s.URL+path)
	}
	return changed
}

func (s *nightSite) killAfter(requests int, kill func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left, s.kill = requests, kill
}

// repeated is how many requests were made more than once.
func (s *nightSite) repeated() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, hits := range s.hits {
		n += hits - 1
	}
	return n
}

// In the environment, these make of a run of the test binary a program that works until it is killed.
const (
	nightDir  = "WINNOW_TEST_NIGHT_DIR"
	nightSeed = "WINNOW_TEST_NIGHT_SEED"
	nightJob  = "WINNOW_TEST_NIGHT_MONITOR"
)

// killed runs a test as another program, which is killed with -9 after some requests.
func (s *nightSite) killed(t *testing.T, dir, monitorID string, requests int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.short")
	cmd.Env = append(os.Environ(), nightDir+"="+dir, nightSeed+"="+s.URL+"/", nightJob+"="+monitorID)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.killAfter(requests, func() { _ = cmd.Process.Kill() })
	if err := cmd.Wait(); ctx.Err() != nil || cmd.ProcessState.ExitCode() != -1 { // of a signal
		t.Fatalf("the program was not killed: %v", err)
	}
}

func killedNightEngine(t *testing.T, dir string) *Engine {
	e, err := New(Options{Dir: dir, Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, MaxPages: killedWorkers})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func nightCrawl(t *testing.T, e *Engine, seed string) *CrawlJob {
	t.Helper()
	job, err := e.StartCrawl(t.Context(), seed, CrawlOptions{Sitemap: SitemapSkip, Since: SinceLast})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// unfinished is the job that an earlier program has begun; nil without one.
func unfinished(t *testing.T, e *Engine) *Job {
	jobs, err := e.Jobs(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) == 0 {
		return nil
	}
	return jobs[0]
}

// A crawl that comes again, whose program is killed with -9 again and again, reports each change once.
func TestCrawl_aKilledSecondNightReportsEachChangeOnce(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(nightDir); dir != "" {
		e := killedNightEngine(t, dir)
		if unfinished(t, e) == nil {
			nightCrawl(t, e, os.Getenv(nightSeed))
		}
		select {} // to be killed
	}
	s, dir := newNightSite(t), t.TempDir()
	e := killedNightEngine(t, dir)
	if status, err := nightCrawl(t, e, s.URL+"/").Wait(t.Context()); err != nil || status.Completed != nightPages {
		t.Fatalf("the first night: %+v, %v", status, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	want := s.change()
	const kills = 2 // a page that was at work at three kills is given up
	for range kills {
		s.killed(t, dir, "", 10)
	}
	s.killAfter(0, nil)
	e = killedNightEngine(t, dir)
	defer func() { _ = e.Close() }()
	left := unfinished(t, e)
	if left == nil {
		t.Fatal("no crawl was left")
	}
	job, _ := left.Crawl()
	if status, err := job.Wait(t.Context()); err != nil || status.State != JobCompleted {
		t.Fatalf("the second night: %+v, %v", status, err)
	}
	var got []string
	for c, err := range job.Changes(t.Context(), 0) {
		if err != nil || c.Kind != PageChanged {
			t.Errorf("got %+v, %v", c, err)
		}
		got = append(got, c.URL)
	}
	slices.Sort(got)
	slices.Sort(want)
	if jobs, err := e.Jobs(t.Context(), false); err != nil || len(jobs) != 2 {
		t.Errorf("%d crawls, %v", len(jobs), err)
	}
	if !slices.Equal(got, want) || s.repeated() > kills*killedWorkers || len(s.hits) != nightPages {
		t.Errorf("changes %v, want %v; %d pages requested, %d of them again", got, want, len(s.hits), s.repeated())
	}
}

// A check of a monitor whose program is killed with -9 again and again is one check, which compares each page once.
func TestMonitor_aKilledCheckIsNeitherDoubledNorLost(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(nightDir); dir != "" {
		e := killedNightEngine(t, dir)
		id := os.Getenv(nightJob)
		if checks, err := e.MonitorChecks(t.Context(), id, 0, 1); err != nil || len(checks) == 0 || checks[0].Status != monitor.Running {
			if _, err := e.RunMonitor(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		select {} // to be killed
	}
	s, dir := newNightSite(t), t.TempDir()
	e := killedNightEngine(t, dir)
	target := MonitorTarget{Target: monitor.Target{ID: "pages"}}
	for n := range nightPages - 1 {
		target.URLs = append(target.URLs, fmt.Sprintf("%s/p/%d", s.URL, n+1))
	}
	m, err := e.CreateMonitor(t.Context(), MonitorOptions{
		Name: "the mill", Schedule: monitor.Schedule{Text: "every 30 days"}, Targets: []MonitorTarget{target},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	const kills = 2
	var want []string
	for night := range 2 {
		if night > 0 {
			want = s.change()
		}
		for range kills {
			s.killed(t, dir, m.ID, 8)
		}
		s.killAfter(0, nil)
		e = killedNightEngine(t, dir)
		checks, err := e.MonitorChecks(t.Context(), m.ID, 0, 10)
		if err != nil || len(checks) != night+1 {
			t.Fatalf("night %d: %d checks, %v", night, len(checks), err)
		}
		job, err := e.Job(t.Context(), checks[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := job.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		d, err := e.MonitorCheck(t.Context(), m.ID, checks[0].ID, monitor.Query{Limit: 100})
		if err != nil || d.Status != monitor.Completed || len(d.Pages) != nightPages-1 {
			t.Errorf("night %d: %+v, %v", night, d, err)
		}
		if s.repeated() > kills*killedWorkers {
			t.Errorf("night %d: %d requests were repeated", night, s.repeated())
		}
		var got []string
		for _, p := range d.Pages {
			if p.Status == monitor.Changed {
				got = append(got, p.URL)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("night %d: changed %v, want %v", night, got, want)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
