package browser

import (
	"runtime"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/process"
)

func TestPool_recyclesABrowserThatIsTooBig(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("this system: it has no /proc, which alone shows the memory of processes")
	}
	pool := ownPool(t, Options{MaxMemory: 1 << 20, seams: poolSeams{memoryEvery: 10 * time.Millisecond}})
	p := openFrom(t, pool, PageOptions{})
	eventually(t, "the big browser is retired", func() bool {
		pool.browsers.mu.Lock()
		defer pool.browsers.mu.Unlock()
		return p.gen.retired
	})
	visit(t, p, "data:text/html,<p>still works")
	marker := "WINNOW_RUN=" + p.gen.Folder.Marker()
	_ = p.Close()
	eventually(t, "the old browser is gone", func() bool { return len(processesWith(marker)) == 0 })
	if pool.browsers.now() != nil { // so that the next page starts another: TestShared_aBrowserThatRetiresIsReplacedForAll
		t.Error("the big browser is still used")
	}
}

func TestPool_aBrowserWithinItsLimitStays(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system: it has no /proc, which alone shows the memory of processes")
	}
	p := open(t, PageOptions{})
	held, over := p.gen.OverMemory(defaultMaxMemory)
	if over || held < 50<<20 {
		t.Errorf("got %d MiB, over %v; want driver, browser and renderer, within the limit", held>>20, over)
	}
	shares := process.Memory(process.Tree(process.All(), p.gen.DriverPID()), 0)
	if shares <= 0 || shares > held {
		t.Errorf("got shares of %d MiB, want less than the bound of %d MiB", shares>>20, held>>20)
	}
}
