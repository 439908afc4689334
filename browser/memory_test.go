package browser

import (
	"os"
	"runtime"
	"testing"
	"time"
)

func TestPool_recyclesABrowserThatIsTooBig(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("this system: it has no /proc, which alone shows the memory of processes")
	}
	pool := ownPool(t, Options{MaxMemory: 1 << 20, seams: poolSeams{memoryEvery: 10 * time.Millisecond}})
	p := openFrom(t, pool, PageOptions{})
	eventually(t, "the big browser is retired", func() bool {
		pool.mu.Lock()
		defer pool.mu.Unlock()
		return p.gen.retired
	})
	visit(t, p, "data:text/html,<p>still works")
	marker := "WINNOW_RUN=" + p.gen.folder.marker()
	_ = p.Close()
	eventually(t, "the old browser is gone", func() bool { return len(processesWith(marker)) == 0 })
	if next := openFrom(t, pool, PageOptions{}); next.gen == p.gen {
		t.Error("the big browser is still used")
	}
}

func TestPool_aBrowserWithinItsLimitStays(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system: it has no /proc, which alone shows the memory of processes")
	}
	p := open(t, PageOptions{})
	held, over := p.gen.overMemory(defaultMaxMemory)
	if over || held < 50<<20 {
		t.Errorf("got %d MiB, over %v; want driver, browser and renderer, within the limit", held>>20, over)
	}
	shares := memoryOf(tree(processes(), p.gen.driver.Pid), 0)
	if shares <= 0 || shares > held {
		t.Errorf("got shares of %d MiB, want less than the bound of %d MiB", shares>>20, held>>20)
	}
}

func TestTree_holdsDescendantsOnly(t *testing.T) {
	all := []process{
		{pid: 2, parent: 1}, {pid: 3, parent: 2}, {pid: 4, parent: 3}, {pid: 5, parent: 1}, {pid: 6, parent: 2, state: "Z"}, {pid: 7, parent: 6},
		{pid: 8, parent: 9}, {pid: 9, parent: 8},
	}
	if got := tree(all, 2, 3); len(got) != 4 {
		t.Errorf("got %v, want 2, 3, 4, 7", got)
	}
	if got := tree(all, 8); len(got) != 2 {
		t.Errorf("got %v, want a circle to end", got)
	}
	if got := tree(all, 0, 1); len(got) != 0 {
		t.Errorf("got %v, want nothing for no pid", got)
	}
}

func TestParseStat_namesMayHoldAnything(t *testing.T) {
	line := "42 (a) R b(1) S) S 7 40 40 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 3 0 123456 1000 50"
	p, ok := parseStat(line)
	if !ok || p != (process{pid: 42, parent: 7, group: 40, state: "S", start: "123456"}) {
		t.Errorf("got %+v, %v", p, ok)
	}
	for _, bad := range []string{"", "1", "1 (x", "1 )x( 2", "1 (x) S"} {
		if _, ok := parseStat(bad); ok {
			t.Errorf("%q was taken", bad)
		}
	}
	if runtime.GOOS == "linux" && startTime(os.Getpid()) == "" {
		t.Error("no start time of our own")
	}
}
