//go:build unix

package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// soakTimeout is the time of each scrape of the soak, which none may use up.
const soakTimeout = 30 * time.Second

// Scrapes under which processes of each kind are killed and stopped at random: they
// succeed all the same, and after them nothing is left.
func TestSoak_scrapesAmongBrowsersThatHalfLive(t *testing.T) {
	needBrowser(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	before, goroutines := children(t), goleak.IgnoreCurrent()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	e := hostEngine(t, map[string]http.Handler{"a.example": htmlPage(scripted)}, ownBrowser)
	run := &soakRun{engine: e, hits: map[string]int{}}
	jobs := make(chan int)
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() {
			for i := range jobs {
				run.scrape(t, fmt.Sprintf("http://a.example/%d", i))
			}
		})
	}
	scrapes := soak(300)
	for i := range scrapes {
		jobs <- i
		if i%10 == 9 {
			time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond) // anywhere in a scrape
			run.hit(random)
		}
	}
	close(jobs)
	work.Wait()
	run.judge(t, scrapes)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if after := childrenSince(t, before); len(after) != 0 {
		t.Errorf("processes stay: %v", after)
	}
	noneStays(t, goroutines)
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("files stay: %v, %v", left, err)
	}
}

// soakRun is what the soak did, and how it went.
type soakRun struct {
	engine *Engine
	hits   map[string]int

	mu     sync.Mutex
	failed []error
	took   []time.Duration
}

func (r *soakRun) scrape(t *testing.T, address string) {
	began := time.Now()
	doc, err := r.engine.Scrape(t.Context(), address, ScrapeOptions{Render: RenderAlways, Timeout: soakTimeout})
	if err == nil && !strings.Contains(doc.Markdown, "made") {
		t.Errorf("%s: %q", address, doc.Markdown)
	}
	if err != nil && CodeOf(err) != CodeAllEnginesFailed { // a second hit may meet the retry, which then fails clearly
		t.Errorf("%s: %v", address, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took = append(r.took, time.Since(began))
	if err != nil {
		r.failed = append(r.failed, err)
	}
}

// hit kills or stops one process of a browser, of each kind as often.
func (r *soakRun) hit(random *rand.Rand) {
	kinds := browserProcesses(r.engine)
	if len(kinds) == 0 {
		return // it is just being replaced
	}
	names := slices.Sorted(maps.Keys(kinds))
	kind := names[random.IntN(len(names))]
	s := []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP}[random.IntN(2)]
	if syscall.Kill(kinds[kind][random.IntN(len(kinds[kind]))], s) == nil {
		r.hits[kind+" "+s.String()]++
	}
}

// judge holds the figures against what is promised: 99 in 100 succeed, and none takes its whole time.
func (r *soakRun) judge(t *testing.T, scrapes int) {
	slices.Sort(r.took)
	t.Logf("%d scrapes, %d failed; half took %s, 99 of 100 %s, the longest %s", scrapes, len(r.failed),
		r.took[len(r.took)/2].Round(time.Millisecond), r.took[len(r.took)*99/100].Round(time.Millisecond), r.took[len(r.took)-1].Round(time.Millisecond))
	t.Logf("hits: %v", r.hits)
	if len(r.failed) > max(1, scrapes/100) {
		t.Errorf("%d of %d failed: %v", len(r.failed), scrapes, r.failed)
	}
	if os.Getenv("WINNOW_SOAK") == "1" && r.took[len(r.took)-1] >= soakTimeout {
		t.Errorf("a scrape took %s", r.took[len(r.took)-1])
	}
}
