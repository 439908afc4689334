//go:build linux

package engine

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/stores"
)

// badDisk is a folder on which nothing more can be written from fill to free.
type badDisk struct {
	dir        string
	fill, free func(t *testing.T)
	strict     bool // nothing at all can be written, however small
}

// fullDir, in the environment, makes of a run of the test binary a program whose files may not grow, on that folder.
const fullDir = "WINNOW_TEST_FULL_DIR"

// A disk that is full, without the rights that a real one needs: the process may write its files' first two pages alone.
func TestFullDisk_ofAProcessWithALimit(t *testing.T) {
	if dir := os.Getenv(fullDir); dir != "" {
		testFullDisk(t, badDisk{dir: dir, fill: limitFiles(8 << 10), free: limitFiles(1 << 62), strict: true})
		return
	}
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk_ofAProcessWithALimit$", "-test.short", "-test.v")
	cmd.Env = append(os.Environ(), fullDir+"="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func limitFiles(bytes uint64) func(*testing.T) {
	return func(t *testing.T) {
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		limit.Cur = min(bytes, limit.Max)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
	}
}

// mountDir is a folder with a file system of its own.
func mountDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("winnow", dir, "tmpfs", 0, "size=64m"); err != nil {
		t.Skip("this system: no file system can be mounted: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// A folder that can't be written is refused by name, and is as it was once it can be again.
func TestNew_aReadOnlyDirIsRefusedAndStaysWhole(t *testing.T) {
	dir := mountDir(t)
	open := func() (*Engine, error) {
		return New(Options{Dir: dir, Render: RenderNever, Hosts: map[string]http.Handler{"a.example": htmlPage("<p>granary</p>")}})
	}
	scrape := func(want string) {
		t.Helper()
		e, err := open()
		if err != nil {
			t.Fatal(err)
		}
		doc, err := e.Scrape(t.Context(), "https://a.example/", ScrapeOptions{Formats: asItCame})
		if err != nil || doc.Metadata.CacheState != want {
			t.Errorf("got %v, %v, want a %s", doc, err, want)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	scrape(cacheMiss)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err := open()
	if opt, ok := errors.AsType[*OptionError](err); !ok || opt.Field != "Dir" || !errors.Is(err, cache.ErrReadOnly) || CodeOf(err) != CodeBadRequest {
		t.Errorf("read-only: %v", err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	scrape(cacheHit)
}

func TestFullDisk_real(t *testing.T) {
	leftToUnraced(t)
	dir := mountDir(t)
	ballast := filepath.Join(dir, "ballast")
	testFullDisk(t, badDisk{
		dir: filepath.Join(dir, "winnow"),
		fill: func(t *testing.T) {
			if err := os.WriteFile(ballast, make([]byte, 65<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("got %v, want a disk that is full", err)
			}
		},
		free: func(t *testing.T) {
			if err := os.Remove(ballast); err != nil {
				t.Error(err)
			}
		},
	})
}

// outageLog counts the lines with which outages begin and end, and those that repeat them.
type outageLog struct {
	mu                   sync.Mutex
	begun, ended, others int
	changed              chan struct{}
}

func (l *outageLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch line := string(p); {
	case strings.Contains(line, "cache: a file can't be written"):
		l.begun++
	case strings.Contains(line, "cache: files can be written again"):
		l.ended++
	case strings.Contains(line, cache.ErrUnwritable.Error()):
		l.others++
	}
	close(l.changed)
	l.changed = make(chan struct{})
	return len(p), nil
}

// await waits until an outage more has begun than ended, or none has.
func (l *outageLog) await(t *testing.T, begun bool) {
	t.Helper()
	for {
		l.mu.Lock()
		done, changed := (l.begun > l.ended) == begun, l.changed
		l.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-time.After(5 * time.Minute):
			t.Fatalf("no outage has begun (%v) or ended, %d did", begun, l.begun)
		}
	}
}

func (l *outageLog) counts() (begun, ended, others int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun, l.ended, l.others
}

// fullSite is a site of pages from "/", the first, to "/16". The disk is full before any but the first four answers; each leads to the
// next three.
type fullSite struct {
	t    *testing.T
	disk badDisk
	full sync.Once
}

const (
	fullSitePages = 16
	fullPageBytes = 100_000 // what is free inside of the files doesn't take a few of them
)

func (s *fullSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := 1
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); r.URL.Path != "/" && err != nil || n > fullSitePages {
		http.NotFound(w, r)
		return
	}
	if n > 4 {
		s.full.Do(func() { s.disk.fill(s.t) })
	}
	var links strings.Builder
	for next := n + 1; next <= min(n+3, fullSitePages); next++ {
		fmt.Fprintf(&links, `<a href="/%d">%d</a>`, next, next)
	}
	htmlPage(fmt.Sprintf("<h1>Page %d</h1><p>%s</p>%s", n, noise(n, fullPageBytes), &links)).ServeHTTP(w, r)
}

// testFullDisk crawls over two outages: one that ends, and one in which the engine is closed.
func testFullDisk(t *testing.T, disk badDisk) {
	log := &outageLog{changed: make(chan struct{})}
	hosts := map[string]http.Handler{
		"a.example": &fullSite{t: t, disk: disk}, "b.example": &fullSite{t: t, disk: disk},
		"c.example": htmlPage("<p>" + noise(99, 10*fullPageBytes) + "</p>"),
	}
	open := func() *Engine {
		e, err := New(Options{Dir: disk.dir, Render: RenderNever, Logger: slog.New(slog.NewTextHandler(log, nil)), Hosts: hosts})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := open()
	job := startFullCrawl(t, e, "https://a.example/")
	log.await(t, true)
	checkOutage(t, e, job, disk)
	disk.free(t)
	log.await(t, false)
	wantWholeCrawl(t, job)
	if err := errors.Join(e.Ready(t.Context()), e.Flush(t.Context())); err != nil {
		t.Errorf("after the outage: %v", err)
	}

	job = startFullCrawl(t, e, "https://b.example/")
	log.await(t, true)
	if _, err := e.Scrape(t.Context(), "https://c.example/lost", ScrapeOptions{Formats: asItCame}); err != nil {
		t.Error(err)
	}
	if err := e.Close(); !errors.Is(err, cache.ErrUnwritable) || !strings.Contains(err.Error(), "were not written") {
		t.Errorf("closed in an outage: %v", err)
	}
	disk.free(t)
	e = open()
	again, err := e.Job(t.Context(), job.ID())
	if err != nil {
		t.Fatal(err)
	}
	wantWholeCrawl(t, again)
	if err := e.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	begun, ended, others := log.counts()
	t.Logf("%d outages began and %d ended in the log", begun, ended)
	if begun < 2 || ended < 1 || others != 0 || disk.strict && (begun != 2 || ended != 1) {
		t.Errorf("the log has %d beginnings, %d ends, %d further lines; want 2, 1, 0", begun, ended, others)
	}
}

func startFullCrawl(t *testing.T, e *Engine, seed string) *Job {
	t.Helper()
	job, err := e.StartCrawl(t.Context(), seed, CrawlOptions{Sitemap: SitemapSkip, IgnoreRobotsTxt: true, Scrape: ScrapeOptions{Formats: asItCame}})
	if err != nil {
		t.Fatal(err)
	}
	return job.Job
}

// checkOutage looks at what is left of an engine whose disk is full.
func checkOutage(t *testing.T, e *Engine, job *Job, disk badDisk) {
	t.Helper()
	un, ok := errors.AsType[*UnreadyError](e.Ready(t.Context()))
	if !ok || !slices.Contains(un.Reasons, stores.ReasonDisk) || !errors.Is(un, cache.ErrUnwritable) {
		t.Errorf("ready: %v", un)
	}
	if status, err := job.Status(t.Context()); err != nil || status.State != JobScraping {
		t.Errorf("the job is %v, %v", status.State, err)
	}
	for _, want := range []string{cacheMiss, cacheHit} {
		doc, err := e.Scrape(t.Context(), "https://c.example/", ScrapeOptions{Formats: asItCame})
		if err != nil || doc.Metadata.CacheState != want {
			t.Fatalf("a scrape: %v, %v, want a %s", doc, err, want)
		}
		record, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID)
		if err != nil || record.Document == nil || record.Document.RawHTML != doc.RawHTML {
			t.Errorf("its record: %v", err)
		}
	}
	if _, err := e.CacheStats(t.Context()); err != nil {
		t.Errorf("stats: %v", err)
	}
	if !disk.strict {
		return
	}
	_, err := e.StartBatch(t.Context(), []string{"https://c.example/"}, BatchOptions{})
	for what, err := range map[string]error{"start": err, "flush": e.Flush(t.Context()), "compact": e.Compact(t.Context())} {
		if CodeOf(err) != CodeStorage || !errors.Is(err, cache.ErrUnwritable) || strings.Contains(err.Error(), disk.dir) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func wantWholeCrawl(t *testing.T, job *Job) {
	t.Helper()
	status, err := job.Wait(t.Context())
	if err != nil || status.State != JobCompleted || status.Completed != fullSitePages || status.Failed != 0 || status.CreditsUsed != fullSitePages {
		t.Errorf("%+v, %v", status, err)
	}
	crawl, _ := job.Crawl()
	if got := documentsOf(t, crawl); len(slices.Compact(got)) != fullSitePages {
		t.Errorf("%d documents, want %d", len(got), fullSitePages)
	}
}
