package cache_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/cache/cachetest"
)

func TestMap_keepsTheContract(t *testing.T) {
	cachetest.TestDB(t, func(*testing.T) cache.DB { return cache.NewMap() })
}

func TestNewOverflowing_keepsTheContract(t *testing.T) {
	cachetest.TestDB(t, func(t *testing.T) cache.DB { return cache.NewOverflowing(0, t.TempDir()) })
	cachetest.TestStore(t, func(t *testing.T, o cache.Options) cache.Store {
		s, err := cache.New(cache.NewOverflowing(0, t.TempDir()), "store", o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
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

func TestFile_keepsTheContractWhereItIsOpenedAgainOften(t *testing.T) {
	cachetest.TestDB(t, func(t *testing.T) cache.DB { return cache.Often(openFile(t, t.TempDir()).(*cache.File)) })
}

func openBolt(t *testing.T, dir string, o cache.Options) cache.Store {
	t.Helper()
	s, err := cache.OpenBolt(filepath.Join(dir, "cache.db"), cache.FileOptions{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMemory_keepsTheContract(t *testing.T) {
	cachetest.TestStore(t, func(_ *testing.T, o cache.Options) cache.Store { return cache.NewMemory(o) })
}

func TestBolt_keepsTheContract(t *testing.T) {
	cachetest.TestStore(t, func(t *testing.T, o cache.Options) cache.Store { return openBolt(t, t.TempDir(), o) })
	cachetest.TestPersistentStore(t, openBolt)
}

// Two stores live in one DB and don't notice each other.
func TestNew_keepsTheContractBesideOthers(t *testing.T) {
	cachetest.TestStore(t, func(t *testing.T, o cache.Options) cache.Store {
		db := cache.NewMap()
		beside, err := cache.New(db, "beside", cache.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := beside.Put(t.Context(), cache.Entry{Key: "k", Value: []byte("v")}, nil); err != nil {
			t.Fatal(err)
		}
		s, err := cache.New(db, "store", o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if keys, err := beside.Keys(context.Background(), "", "", 0); err != nil || len(keys) != 1 {
				t.Errorf("the store beside has %q, %v", keys, err)
			}
			if err := beside.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	})
}
