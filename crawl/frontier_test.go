package crawl_test

import (
	"path/filepath"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/crawltest"
)

func TestFrontier_inMemory(t *testing.T) {
	crawltest.TestFrontier(t, func(t *testing.T) crawl.DB {
		m := cache.NewMap()
		t.Cleanup(func() { _ = m.Close() })
		return store{m}
	}, nil)
}

func TestFrontier_inAFile(t *testing.T) {
	paths := map[crawl.DB]string{}
	open := func(t *testing.T, path string) crawl.DB {
		file, err := cache.OpenFile(path, cache.FileOptions{Kind: "crawl test"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		paths[store{file}] = path
		return store{file}
	}
	crawltest.TestFrontier(t, func(t *testing.T) crawl.DB {
		return open(t, filepath.Join(t.TempDir(), "state.db"))
	}, func(t *testing.T, db crawl.DB) crawl.DB {
		if err := db.(store).Close(); err != nil {
			t.Fatal(err)
		}
		return open(t, paths[db])
	})
}
