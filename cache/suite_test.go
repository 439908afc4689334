package cache_test

import (
	"path/filepath"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/cache/cachetest"
)

func TestMap_keepsTheContract(t *testing.T) {
	cachetest.TestDB(t, func(*testing.T) cache.DB { return cache.NewMap() })
}

func openFile(t *testing.T, dir string) cache.DB {
	t.Helper()
	f, err := cache.OpenFile(filepath.Join(dir, "sub", "test.db"), cache.FileOptions{Kind: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFile_keepsTheContract(t *testing.T) {
	cachetest.TestDB(t, func(t *testing.T) cache.DB { return openFile(t, t.TempDir()) })
	cachetest.TestPersistentDB(t, openFile)
}
