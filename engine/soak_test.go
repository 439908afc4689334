//go:build unix

package engine

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Scrapes whose browser is killed under them are retried once on a new one; after
// all of them nothing is left.
func TestSoak_scrapesWithKillsLeaveNothing(t *testing.T) {
	needBrowser(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	before, goroutines := children(t), goleak.IgnoreCurrent()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	e := hostEngine(t, map[string]http.Handler{"a.example": page(`<p id=p></p><script>setTimeout(() => p.textContent = "made", 50)</script>`)})
	scrapes, workers := soak(300), 3
	jobs := make(chan int)
	var work sync.WaitGroup
	for range workers {
		work.Go(func() {
			for i := range jobs {
				doc, err := e.Scrape(t.Context(), fmt.Sprintf("http://a.example/%d", i), ScrapeOptions{Render: RenderAlways})
				// A second kill may hit the retry: that scrape fails, clearly.
				if err != nil && CodeOf(err) != CodeAllEnginesFailed || err == nil && !strings.Contains(doc.Markdown, "made") {
					t.Errorf("%d: %+v, %v", i, doc, err)
				}
			}
		})
	}
	kills := 0
	for i := range scrapes {
		jobs <- i
		if i%10 == 9 {
			time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond) // anywhere in a scrape
			for _, pid := range e.pool.Pids() {
				if syscall.Kill(pid, syscall.SIGKILL) == nil {
					kills++
				}
			}
		}
	}
	close(jobs)
	work.Wait()
	t.Logf("%d scrapes, %d kills", scrapes, kills)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if after := childrenSince(t, before); len(after) != 0 {
		t.Errorf("processes stay: %v", after)
	}
	if err := goleak.Find(goroutines); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("files stay: %v, %v", left, err)
	}
}
