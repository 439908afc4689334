package crawl_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

const (
	victimEnv     = "WINNOW_CRAWL_VICTIM" // the file that the helper process crawls into
	victimWorkers = 4
	victimPages   = 250
	killsInFull   = 400
)

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// A crawl whose process is killed again and again loses no URL, has each page once in its results, never fetches again what was
// acknowledged, and fetches twice at most what was leased at each kill.
func TestFrontier_survivesKills(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	enough := soak(killsInFull)
	if enough < killsInFull { // each run of the suite has other seeds
		enough = 20
	}
	for kills := 0; kills < enough; {
		path := filepath.Join(t.TempDir(), "state.db")
		w := &witness{done: map[string]bool{}}
		for ended := false; !ended; {
			if ended = w.watch(t, path, 1+random.IntN(60)); !ended {
				w.kills++
			}
		}
		w.check(t, path)
		kills += w.kills
		if t.Failed() {
			t.Fatalf("after %d kills", kills)
		}
	}
}

// witness reads what the helper processes of one crawl say.
type witness struct {
	kills, fetches int
	done           map[string]bool
}

// watch runs the helper and kills it after so many lines; true: it came to its end before.
func (w *witness) watch(t *testing.T, path string, lines int) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+path)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	said := bufio.NewScanner(out)
	for n := 0; said.Scan(); n++ {
		if n == lines {
			_ = cmd.Process.Kill()
		}
		what, url, _ := strings.Cut(said.Text(), " ")
		switch {
		case what == "fetch" && (w.done[url] || acknowledged[url]):
			t.Errorf("%s is fetched, and was acknowledged before", url)
		case what == "fetch":
			w.fetches++
		case what == "done":
			acknowledged[url] = true
		}
	}
	err = cmd.Wait()
	for url := range acknowledged {
		w.done[url] = true
	}
	if exit, failed := errors.AsType[*exec.ExitError](err); failed && exit.Exited() {
		t.Fatalf("the helper failed: %v\n%s", err, complaints.String())
	}
	return err == nil
}

func (w *witness) check(t *testing.T, path string) {
	t.Helper()
	db, err := cache.OpenFile(path, cache.FileOptions{Kind: "crawl test"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f := openJob(t, store{db}, crawl.Options{})
	got := map[string]bool{}
	for after := uint64(0); ; {
		list, err := f.Results(t.Context(), after, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			break
		}
		for _, r := range list {
			if got[r.URL] {
				t.Errorf("%s is there twice", r.URL)
			}
			got[r.URL] = true
			after = r.Sequence
		}
	}
	for i := range victimPages {
		if !got[victimURL(i)] {
			t.Errorf("%s is missing", victimURL(i))
		}
	}
	for url := range w.done {
		if !got[url] {
			t.Errorf("%s was acknowledged, and is missing", url)
		}
	}
	// A worker that was killed between its lease and its word for it isn't counted, so this is at most.
	if most := victimPages + w.kills*victimWorkers; w.fetches > most || len(got) != victimPages {
		t.Errorf("%d fetches and %d pages, want at most %d and %d", w.fetches, len(got), most, victimPages)
	}
	t.Logf("%d kills, %d pages fetched again", w.kills, w.fetches-victimPages)
}

func victimURL(i int) string { return fmt.Sprintf("http://h%d.example/%d", i%3, i) }

// victim is the helper process: it goes on with the crawl until it is done or killed, and says what it does. Its exit code is its verdict.
func victim(path string) int {
	db, err := cache.OpenFile(path, cache.FileOptions{Kind: "crawl test", LockWait: 30 * time.Second})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	f, err := crawl.Open(store{db}, "job", crawl.Options{Attempts: 1 << 30})
	if err == nil {
		_, err = f.Put(context.Background(), []crawl.Found{{URL: victimURL(0)}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	var work sync.WaitGroup
	failed := make(chan error, victimWorkers)
	for range victimWorkers {
		work.Go(func() { failed <- victimWork(f) })
	}
	work.Wait()
	close(failed)
	for err := range failed {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 5
		}
	}
	return 0 // the file isn't closed: as if killed
}

func victimWork(f *crawl.Frontier) error {
	ctx := context.Background()
	for {
		items, wait, err := f.Lease(ctx, 1, time.Hour)
		if err != nil {
			return err
		}
		if len(items) == 0 {
			if wait.Done {
				return nil
			}
			<-wait.Changed
			continue
		}
		item := items[0]
		fmt.Println("fetch", item.URL)
		var host, i int
		if _, err := fmt.Sscanf(item.URL, "http://h%d.example/%d", &host, &i); err != nil {
			return err
		}
		page := crawl.Page{Result: []byte(item.URL)}
		for _, to := range []int{2*i + 1, 2*i + 2, i * 7 % victimPages} {
			page.Found = append(page.Found, crawl.Found{URL: victimURL(min(to, victimPages-1)), Hops: item.Hops + 1, From: item.URL})
		}
		if err := f.Complete(ctx, item, page); err != nil {
			return err
		}
		fmt.Println("done", item.URL)
	}
}
