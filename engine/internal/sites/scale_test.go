//go:build linux

package sites

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"

	"github.com/winnow-go/winnow/formats"
)

// scale is a crawl that shows how cost grows with the number of pages.
type scale struct {
	pages int // in full
	few   int // pages of an ordinary test: enough for a dictionary, and for files that are mostly of pages
	bytes int // of a page's HTML
	wants formats.Type
	disk  int64 // bytes on the disk a page, at most
	// shared is how many bytes of each page are the same.
	shared int
}

// On the disk a page of random words alone takes 27 kB: 10 in the cache, 13 in the job, where it is packed for speed (real text takes 5 %
// more by that, not 27), and 4 of rows beside them. Where more than half of it is a template, which a dictionary has, it takes less
// than half of that.
var scales = map[string]scale{
	"links":     {1_000_000, 2000, 1 << 10, formats.Links, 4_000, 0},
	"documents": {100_000, 300, 43_000, formats.Markdown, 28_000, 0},
	"templates": {50_000, 250, 43_000, formats.Markdown, 13_500, 26_000},
}

// In the environment, these make of a run of the test binary the program that crawls.
const (
	scaleDir   = "WINNOW_TEST_SCALE_DIR"
	scaleKind  = "WINNOW_TEST_SCALE_KIND"
	scalePages = "WINNOW_TEST_SCALE_PAGES"
	scaleKill  = "WINNOW_TEST_SCALE_KILL" // after so many pages; 0: never
)

// scaled is what one program has used.
type scaled struct {
	Pages  int           // that it has crawled itself
	CPU    time.Duration // the site's own included
	Peak   int64         // bytes of memory, files apart
	End    int64         // that at the end: the peak of as many pages as a hundredth of the site has
	Resume time.Duration // from its start to its first page
	Disk   int64         `json:"-"` // bytes that the folder takes on the disk
}

func (s scaled) perPage() time.Duration { return s.CPU / time.Duration(s.Pages) }

// A crawl that is killed at half goes on at once and loses no page. In full, with WINNOW_SOAK=1, a hundred times as many pages take at
// most 1.3 times the memory at the end, and each of them at most 1.5 times the processor time; some hundred pages show that all is
// delivered.
func TestScale_aCrawlCostsTheSameAPageHoweverManyThereAre(t *testing.T) {
	if dir := os.Getenv(scaleDir); dir != "" {
		crawlToScale(t, dir, scales[os.Getenv(scaleKind)], os.Getenv(scalePages))
		return
	}
	if raced {
		t.Skip("-race: memory is measured without the race detector; what is read is tested with it elsewhere")
	}
	t.Parallel() // programs of their own are measured
	for kind, s := range scales {
		t.Run(kind, func(t *testing.T) {
			if os.Getenv("WINNOW_SOAK") != "1" {
				killedAtHalf(t, kind, s.few)
				return
			}
			small := crawlIn(t, t.TempDir(), kind, s.pages/100, 0)
			big := killedAtHalf(t, kind, s.pages)
			if limit := small.End * 13 / 10; big.End > limit {
				t.Errorf("%d MB of memory at the end, want at most %d", big.End>>20, limit>>20)
			}
			if limit := small.perPage() * 3 / 2; big.perPage() > limit {
				t.Errorf("%v a page, want at most %v", big.perPage(), limit)
			}
			if big.Resume > 10*time.Second {
				t.Errorf("it went on after %v", big.Resume)
			}
		})
	}
}

// killedAtHalf is the second of two programs that crawl the pages of a site.
func killedAtHalf(t *testing.T, kind string, pages int) scaled {
	t.Helper()
	dir := t.TempDir()
	crawlIn(t, dir, kind, pages, pages/2)
	s := crawlIn(t, dir, kind, pages, 0)
	const free = 1 << 20 // pages of the files that are free at the end, of however many
	if limit := scales[kind].disk; s.Disk > limit*int64(pages)+free {
		t.Errorf("%d bytes on disk a page, want at most %d", s.Disk/int64(pages), limit)
	}
	if s.Pages > pages/2+pages/10 || s.Pages < pages/3 {
		t.Errorf("%d of %d pages were crawled by the second program", s.Pages, pages)
	}
	return s
}

// crawlIn runs the program until it is done, or has killed itself after so many pages.
func crawlIn(t *testing.T, dir, kind string, pages, kill int) (s scaled) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestScale_aCrawlCostsTheSameAPageHoweverManyThereAre$", "-test.short", "-test.timeout=0")
	cmd.Env = append(os.Environ(), scaleDir+"="+dir, scaleKind+"="+kind, scalePages+"="+strconv.Itoa(pages), scaleKill+"="+strconv.Itoa(kill))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if data, found := strings.CutPrefix(line, "scaled "); found {
			must(t, json.Unmarshal([]byte(data), &s))
		}
		if strings.Contains(line, "_test.go:") {
			t.Error(line)
		}
	}
	if err := cmd.Wait(); kill == 0 && err != nil {
		t.Fatal(err)
	}
	if kill > 0 {
		return s
	}
	s.Disk = bytesIn(t, dir)
	t.Logf("%s: %d of %d pages: %v and %d bytes on disk a page, %d MB at the end, peak %d MB, first page after %v",
		kind, s.Pages, pages, s.perPage(), s.Disk/int64(pages), s.End>>20, s.Peak>>20, s.Resume)
	return s
}

func bytesIn(t *testing.T, dir string) (sum int64) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			info, err := d.Info()
			must(t, err)
			sum += info.Sys().(*syscall.Stat_t).Blocks * 512 // what files were grown ahead takes none
		}
		return err
	}))
	return sum
}

// crawlToScale crawls a site, or goes on with that, and says what it used.
func crawlToScale(t *testing.T, dir string, s scale, pages string) {
	all, err := strconv.Atoi(pages)
	must(t, err)
	kill, err := strconv.Atoi(os.Getenv(scaleKill))
	must(t, err)
	site := scaledSite(all, s)
	if kill > 0 {
		site = ending(kill+all/10, site)
	}
	began := time.Now()
	e, err := engine.New(engine.Options{Dir: dir, Render: engine.RenderNever, Hosts: map[string]http.Handler{"a.example": site}})
	must(t, err)
	jobs, err := e.Jobs(t.Context(), false)
	must(t, err)
	before := 0
	if len(jobs) == 0 {
		o := engine.ScrapeOptions{Formats: []formats.Format{{Type: s.wants}}}
		if s.wants == formats.Links { // and nothing of the cache
			o.MaxAge, o.StoreInCache = fresh, new(false)
		}
		job, err := e.StartCrawl(t.Context(), "https://a.example/0", engine.CrawlOptions{Sitemap: engine.SitemapSkip, Limit: all, CrawlEntireDomain: true, Scrape: o})
		must(t, err)
		jobs = []*engine.Job{job.Job}
	} else {
		status, err := jobs[0].Status(t.Context())
		must(t, err)
		before = status.Completed
	}
	got := scaled{}
	for done, ticks := before, time.Tick(10*time.Millisecond); done < all; {
		<-ticks
		status, err := jobs[0].Status(t.Context())
		must(t, err)
		if status.State.Final() && status.Completed != all {
			t.Fatalf("%+v", status)
		}
		if got.Resume == 0 && status.Completed > before {
			got.Resume = time.Since(began)
		}
		now := memoryNow(t)
		if done, got.Peak = status.Completed, max(got.Peak, now); done >= all-s.pages/100 {
			got.End = max(got.End, now)
		}
		if kill > 0 && done >= kill { // not by another process, which may come late on a busy machine
			must(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
		}
	}
	got.Pages, got.CPU = all-before, ownTime(t)
	must(t, e.Close())
	data, err := json.Marshal(got)
	must(t, err)
	fmt.Printf("scaled %s\n", data)
}

// ending answers so many requests only: the crawl goes no further where its program is late to kill itself.
func ending(left int, site http.Handler) http.Handler {
	var answered atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answered.Add(1) > int64(left) {
			<-r.Context().Done()
			return
		}
		site.ServeHTTP(w, r)
	})
}

// scaledSite has so many pages of a kind, each of which links to ten others that none before it does, and to some that are known.
func scaledSite(pages int, s scale) http.Handler {
	menu := strings.Repeat(`<li class="menu-item"><a href="/0">Another part of this site</a></li>`, s.bytes/800)
	template := scaledTemplate(s.shared)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "<!doctype html><title>Page %d</title>%s<nav><ul>%s</ul></nav><main><h1>Page %d</h1>", n, template, menu, n)
		for i := 10*n + 1; i <= 10*n+10 && i < pages; i++ {
			fmt.Fprintf(&b, `<a href="/%d">page %d</a> `, i, i)
		}
		for i := 2; i < 5; i++ {
			fmt.Fprintf(&b, `<a href="/%d">see also</a> `, n/i)
		}
		for x := uint64(n); b.Len() < s.bytes; {
			b.WriteString("<p>")
			for range 60 {
				x = x*6364136223846793005 + 1442695040888963407
				b.WriteString(scaleWords[x>>32%uint64(len(scaleWords))])
			}
			b.WriteString("</p>\n")
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(b.Bytes())
	})
}

// scaledTemplate is a style sheet of a size, of which little repeats within a page.
func scaledTemplate(size int) string {
	if size == 0 {
		return ""
	}
	random, b := rand.New(rand.NewPCG(1, 2)), strings.Builder{}
	for b.WriteString("<style>\n"); b.Len() < size; {
		fmt.Fprintf(&b, ".part-%04x .item { margin: %dpx; color: #%06x }\n", random.Uint32()>>16, random.IntN(100), random.Uint32()>>8)
	}
	return b.String() + "</style>"
}

var scaleWords = strings.SplitAfter("the of and water river stone which paper was letter number house people year market city field long over under "+
	"between north winter train school music small light history language question answer system region form power ", " ")

// memoryNow is what the program has in memory, files apart.
func memoryNow(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/status")
	must(t, err)
	_, after, found := strings.Cut(string(data), "RssAnon:")
	kB, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	if !found || err != nil {
		t.Fatal("RssAnon is missing", err)
	}
	return kB << 10
}

func ownTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
