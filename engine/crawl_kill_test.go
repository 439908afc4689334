//go:build unix

package engine

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/crawltest/trapsite"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// In the environment, these make of a run of the test binary a program that crawls a
// site, or goes on with that, until it is done or killed.
const (
	crawlerDir  = "WINNOW_TEST_CRAWLER_DIR"
	crawlerSeed = "WINNOW_TEST_CRAWLER_SEED"
)

const killedWorkers = 8

// A crawl whose program is killed with -9 again and again loses no page and delivers
// none twice; what it had at work is all that is fetched again.
func TestCrawl_aKilledProgramLosesNoPage(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(crawlerDir); dir != "" {
		crawlUntilKilled(t, dir, os.Getenv(crawlerSeed))
		return
	}
	killedPages := soak(3000)
	if raced {
		killedPages /= 2
	}
	site := trapsite.Plain(killedPages, 1<<10, 8<<10)
	server := httptest.NewServer(site.Handler())
	defer server.Close()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random, dir := rand.New(rand.NewPCG(seed, 0)), t.TempDir()
	kills := max(soak(20), 3)
	for i := range kills {
		if !killedCrawler(t, dir, server.URL+"/", random, killedPages/(2*kills)) {
			t.Errorf("the crawl was done before the kill %d of %d", i+1, kills)
			break
		}
	}
	e := newTestEngine(t, Options{Dir: dir, Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, MaxPages: killedWorkers})
	jobs, err := e.Jobs(t.Context(), false)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	status, err := jobs[0].Wait(t.Context())
	if err != nil || status.State != JobCompleted || status.Completed != killedPages || status.Failed != 0 || status.Total != killedPages || status.CreditsUsed != int64(killedPages) {
		t.Errorf("%+v, %v", status, err)
	}
	job, _ := jobs[0].Crawl()
	got, want := documentsOf(t, job), site.URLs(server.URL)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d documents, %d of them different; want %d", len(got), len(slices.Compact(got)), len(want))
	}
	repeated := 0
	for _, n := range site.Hits() {
		repeated += n - 1
	}
	t.Logf("%d kills, %d requests repeated", kills, repeated)
	if repeated > kills*killedWorkers {
		t.Errorf("%d requests were repeated, more than were at work", repeated)
	}
	pages := 0
	for ev, err := range jobs[0].Events(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Type == "page" {
			pages++
		}
	}
	if pages != killedPages {
		t.Errorf("%d events of pages", pages)
	}
}

// killedCrawler runs the program until about so many more pages are done, and kills
// it somewhere in the next ones. It is false when the crawl was done before.
func killedCrawler(t *testing.T, dir, seed string, random *rand.Rand, pages int) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestCrawl_aKilledProgramLosesNoPage$", "-test.short", "-test.v")
	cmd.Env = append(os.Environ(), crawlerDir+"="+dir, crawlerSeed+"="+seed)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }() // it was killed
	left := 1 + pages/2 + random.IntN(pages)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch {
		case strings.HasPrefix(lines.Text(), "completed"):
			_ = cmd.Process.Kill() // it waits for that
			return false
		case strings.HasPrefix(lines.Text(), "page"):
			if left--; left == 0 {
				time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
				_ = cmd.Process.Kill()
			}
		}
	}
	return true
}

func crawlUntilKilled(t *testing.T, dir, seed string) {
	e, err := New(Options{Dir: dir, Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, MaxPages: killedWorkers})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := e.Jobs(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) == 0 {
		job, err := e.StartCrawl(t.Context(), seed, CrawlOptions{Sitemap: SitemapSkip, Scrape: ScrapeOptions{Formats: []formats.Format{{Type: formats.Links}}, MaxAge: fresh}})
		if err != nil {
			t.Fatal(err)
		}
		jobs = []*Job{job.Job}
	}
	status, err := jobs[0].Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	job, _ := jobs[0].Crawl()
	for i := range job.Documents(t.Context(), uint64(status.Completed)) {
		fmt.Println("page", i.Metadata.URL)
	}
	fmt.Println("completed")
	select {} // to be killed
}
