package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/natsdb"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// inFull is a size of a long test: in full with WINNOW_SOAK=1, else what shows that it works.
func inFull[T any](full, less T) T {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return less
}

// How a billion URLs lie on the shards of 64 workers: hosts have sizes as on the web (a few are very large), scaled down to a million hosts
// that stand for all. Of the hosts themselves no shard has twice its part.
func TestFigures_skewOfHosts(t *testing.T) {
	const urls, workers = 1e9, 64
	hosts := inFull(1_000_000, 20_000)
	for _, exponent := range []float64{0.8, 1} {
		sizes, all := make([]float64, hosts), 0.0
		for i := range sizes {
			sizes[i] = math.Pow(float64(i+1), -exponent)
			all += sizes[i]
		}
		for _, n := range []int{256, 4096} {
			by, count := make([]float64, n), make([]int, n)
			for i, size := range sizes {
				shard := shards.Of(fmt.Sprintf("http://host%d.example/", i), n)
				by[shard] += size / all * urls
				count[shard]++
			}
			if limit := 2 * hosts / n; limit > 100 && slices.Max(count) > limit { // fewer are uneven by chance
				t.Errorf("a shard of %d has %d of %d hosts, want at most %d", n, slices.Max(count), hosts, limit)
			}
			of := make([]float64, workers)
			for shard, size := range by {
				of[shard%workers] += size
			}
			t.Logf("sizes as rank^-%.1f, %d shards: the largest host has %.1f%% of all, the largest shard %.2f times the mean, the largest worker %.2f times",
				exponent, n, 100*sizes[0]/all, slices.Max(by)/urls*float64(n), slices.Max(of)/urls*workers)
		}
	}
}

// What a URL takes: in the stream, on the disk of a worker, in a snapshot and in memory, and how long the next owner needs to open a shard.
func TestFigures_aShardOfABillion(t *testing.T) {
	scaleURLs := inFull(200_000, 3000) // the 256th of a billion would be 3.9 million
	js, dir := dial(t, host(t)), t.TempDir()
	local, err := cache.OpenFile(filepath.Join(dir, "a.db"), cache.FileOptions{Kind: "shard"})
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	db, err := natsdb.Open(t.Context(), natsdb.Options{JetStream: js, Name: "s", Local: local, SnapshotBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f, err := crawl.Open(db, "job", crawl.Options{Limit: scaleURLs})
	if err != nil {
		t.Fatal(err)
	}
	before, began := heap(), time.Now()
	random := rand.New(rand.NewPCG(1, 1))
	for i := 0; i < scaleURLs; i += 1000 {
		var found []crawl.Found
		for range 1000 {
			url := fmt.Sprintf("https://host%d.example/articles/%x/%08x-of-some-length.html", random.IntN(20_000), random.Uint32(), random.Uint64())
			found = append(found, crawl.Found{URL: url, Hops: 3})
		}
		if _, err := f.Put(t.Context(), found); err != nil {
			t.Fatal(err)
		}
	}
	s, err := js.Stream(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	size := fileSize(t, filepath.Join(dir, "a.db"))
	t.Logf("%d URLs in %s: %d bytes a URL in the stream, %d on the disk, %d in memory", scaleURLs, time.Since(began).Round(time.Second),
		s.CachedInfo().State.Bytes/uint64(scaleURLs), size/int64(scaleURLs), (int64(heap())-int64(before))/int64(scaleURLs))
	next(t, js.Conn().ConnectedUrl(), "the stream alone", scaleURLs)
	began = time.Now()
	if err := db.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	objects, err := js.Stream(t.Context(), "OBJ_s-objects")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a snapshot in %s: %d bytes a URL", time.Since(began).Round(100*time.Millisecond), objects.CachedInfo().State.Bytes/uint64(scaleURLs))
	next(t, js.Conn().ConnectedUrl(), "a snapshot", scaleURLs)
}

// next is another machine, which has nothing yet, and then all that the first one had.
func next(t *testing.T, url, what string, urls int) {
	t.Helper()
	local, err := cache.OpenFile(filepath.Join(t.TempDir(), "b.db"), cache.FileOptions{Kind: "shard"})
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	began := time.Now()
	db, err := natsdb.Open(t.Context(), natsdb.Options{JetStream: dial(t, url[len("nats://"):]), Name: "s", Local: local, SnapshotBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f, err := crawl.Open(db, "job", crawl.Options{Limit: urls})
	if err != nil {
		t.Fatal(err)
	}
	if have, err := f.Stats(t.Context()); err != nil || have.Known != urls {
		t.Errorf("%s has %d of %d URLs, %v", what, have.Known, urls, err)
	}
	t.Logf("the next owner reads %s in %s", what, time.Since(began).Round(100*time.Millisecond))
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func fileSize(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
