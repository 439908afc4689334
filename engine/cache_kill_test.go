//go:build unix

package engine

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats"
)

// fillerDir, in the environment, makes of a run of the test binary a program that
// fills the cache of that folder until it is killed.
const fillerDir = "WINNOW_TEST_FILLER_DIR"

// asItCame is cheap to make: the program's time shall go into the cache.
var asItCame = []formats.Format{{Type: formats.RawHTML}}

// A program that is killed while it fills a cache loses no page that it was assured was
// on disk, whatever it did at that moment.
func TestCache_aKilledProgramLosesNoPage(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(fillerDir); dir != "" {
		fillForever(t, dir)
		return
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random, dir := rand.New(rand.NewPCG(seed, 0)), t.TempDir()
	known := map[string]bool{}
	rounds := soak(100)
	if raced {
		rounds = max(rounds/3, 3)
	}
	for round := range rounds {
		for _, path := range killedFiller(t, dir, random) {
			known[path] = true
		}
		e := newTestEngine(t, Options{Dir: dir})
		for path := range known {
			doc, err := e.Scrape(t.Context(), "https://granary.example"+path, ScrapeOptions{Formats: asItCame, Lockdown: true})
			if err != nil || !strings.Contains(doc.RawHTML, "Sack "+path+"<") {
				t.Fatalf("round %d: %s isn't there: %v", round, path, err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d pages", rounds, len(known))
	if len(known) == 0 {
		t.Error("no page was ever on disk")
	}
}

// killedFiller runs the program for a moment and gives the paths that it has printed.
func killedFiller(t *testing.T, dir string, random *rand.Rand) (paths []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestCache_aKilledProgramLosesNoPage$", "-test.short", "-test.v")
	cmd.Env = append(os.Environ(), fillerDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	most := 1 + random.IntN(8) // flushes before the kill
	for lines := bufio.NewScanner(out); lines.Scan(); {
		told, ok := strings.CutPrefix(lines.Text(), "on disk: ")
		if !ok {
			continue
		}
		paths = append(paths, strings.Fields(told)...)
		if most--; most == 0 {
			time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond) // anywhere in the next writes
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // it was killed
	return paths
}

func fillForever(t *testing.T, dir string) {
	e, err := New(Options{Dir: dir, Render: RenderNever, Hosts: map[string]http.Handler{
		"granary.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			htmlPage("<h1>Sack "+r.URL.Path+"</h1><p>"+noise(len(r.URL.Path), 20_000)+"</p>").ServeHTTP(w, r)
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now().UnixNano()
	for i := range 100_000 {
		var paths []string
		for j := range 1 + i%4 {
			path := fmt.Sprintf("/%d-%d-%d", start, i, j)
			if _, err := e.Scrape(t.Context(), "https://granary.example"+path, ScrapeOptions{Formats: asItCame}); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		fmt.Println("on disk:", strings.Join(paths, " "))
	}
}
