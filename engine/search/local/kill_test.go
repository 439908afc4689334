//go:build unix

package local_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
)

// indexerDir, in the environment, makes of a run of the test binary a program that scrapes and
// searches in that folder until it is killed.
const indexerDir = "WINNOW_TEST_INDEXER_DIR"

func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// A program that is killed while it indexes leaves an index that the next one repairs: it finds every
// page that the cache has, and no other text of it.
func TestEngine_aKilledProgramLeavesAnIndexThatIsRepaired(t *testing.T) {
	if dir := os.Getenv(indexerDir); dir != "" {
		indexForever(t, dir)
		return
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random, dir := rand.New(rand.NewPCG(seed, 0)), t.TempDir()
	known, rounds, largest := map[string]string{}, max(3, soak(50)*3/5), 0
	for round := range rounds {
		reported := killedIndexer(t, dir, random)
		for path, words := range reported {
			known[path] = words
		}
		e := newEngine(t, &site{}, dir)
		found := map[string]string{}
		for path := range known {
			r, err := e.Search(t.Context(), "sack "+strings.Trim(path, "/"), engine.SearchOptions{Limit: 1})
			if err != nil || len(r.Data.Web) != 1 || r.Data.Web[0].URL != home+path || !strings.Contains(r.Data.Web[0].Description, "sack") {
				t.Fatalf("round %d: %s: %+v, %v", round, path, r, err)
			}
			found[path] = r.Data.Web[0].Description
		}
		for path, description := range found { // it is the cache's newest text, whatever was reported last
			doc, err := e.Scrape(t.Context(), home+path, engine.ScrapeOptions{Lockdown: true})
			if err != nil || filled(doc.Markdown) == "" || filled(doc.Markdown) != filled(description) {
				t.Fatalf("round %d: %s: the index has %q, the cache %.100q, %v", round, path, description, doc.Markdown, err)
			}
			if picture := pictureOf(t, e, path); filled(picture) != filled(description) {
				t.Fatalf("round %d: %s: the image has %q, its page %q", round, path, picture, description)
			}
		}
		largest = max(largest, len(found))
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d pages", rounds, largest)
	if largest == 0 {
		t.Error("no page was ever on disk")
	}
}

// filled is the part of a page's text that distinguishes its versions.
func filled(text string) string {
	return regexp.MustCompile(`of \d+ was filled at \d+\.`).FindString(text)
}

// pictureOf is the text of a page's image, which has only one.
func pictureOf(t *testing.T, e *engine.Engine, path string) string {
	t.Helper()
	r, err := e.Search(t.Context(), "sack "+strings.Trim(path, "/"), engine.SearchOptions{
		Sources: []engine.SearchSource{{Type: search.Images}}, Limit: 100,
	})
	if err != nil || len(r.Data.Images) != 1 || r.Data.Images[0].URL != home+path {
		t.Fatalf("%s: images %+v, %v", path, r, err)
	}
	return r.Data.Images[0].Title
}

// killedIndexer runs the program for a moment and gives the pages that it has reported.
func killedIndexer(t *testing.T, dir string, random *rand.Rand) map[string]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestEngine_aKilledProgramLeavesAnIndexThatIsRepaired$", "-test.v")
	cmd.Env = append(os.Environ(), indexerDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reported, left := map[string]string{}, 1+random.IntN(12)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		page, ok := strings.CutPrefix(lines.Text(), "on disk: ")
		if !ok {
			continue
		}
		path, words, _ := strings.Cut(page, " ")
		reported[path] = words
		if left--; left == 0 {
			time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond) // anywhere in the next writes
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // it was killed
	return reported
}

func indexForever(t *testing.T, dir string) {
	s := &site{pages: map[string]string{}}
	e := newEngine(t, s, dir)
	start := time.Now().UnixNano()
	for i := range 100_000 {
		path := fmt.Sprintf("/k%d", i%7)
		words := fmt.Sprintf("The sack k%d of %d was filled at %d. %s", i%7, start, i, strings.Repeat(fmt.Sprintf("filler%d ", i), 200))
		s.set(path, words+fmt.Sprintf(`<img src="/%d.png" alt="%s">`, i, words[:strings.Index(words, ".")+1]))
		scrape(t, e, home+path, fresh())
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		fmt.Println("on disk:", path, words[:40])
		if i%2 == 0 {
			if _, err := e.Search(t.Context(), "sack", engine.SearchOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}
