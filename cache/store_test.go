package cache_test

import (
	"path/filepath"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

func openBolt(t *testing.T, dir string, o cache.Options) cache.Store {
	t.Helper()
	s, err := cache.OpenBolt(filepath.Join(dir, "cache.db"), cache.FileOptions{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore_whatWasPutIsThereAfterReopening(t *testing.T) {
	dir := t.TempDir()
	s := openBolt(t, dir, cache.Options{})
	for i := range 7 {
		if err := s.Put(t.Context(), cache.Entry{Key: "k", Meta: []byte{byte(i)}, Value: make([]byte, 1000*i)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	vs, err := s.Versions(t.Context(), "k")
	if err != nil || len(vs) != 5 || vs[0].Meta[0] != 6 {
		t.Fatalf("%v, %v", vs, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openBolt(t, dir, cache.Options{})
	vs, err = s.Versions(t.Context(), "k")
	if err != nil || len(vs) != 5 || vs[0].Meta[0] != 6 {
		t.Fatalf("%v, %v", vs, err)
	}
	for _, v := range vs {
		b, err := s.Get(t.Context(), v)
		if err != nil || int64(len(b)) != v.Size || len(b) != 1000*int(v.Meta[0]) {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
	}
	if st, err := s.Stats(t.Context()); err != nil || st.Keys != 1 || st.Versions != 5 {
		t.Fatalf("%+v, %v", st, err)
	}
	if n, err := s.Forget(t.Context(), ""); n != 5 || err != nil {
		t.Fatal(n, err)
	}
	if st, err := s.Stats(t.Context()); err != nil || st != (cache.Stats{}) {
		t.Fatalf("%+v, %v", st, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
