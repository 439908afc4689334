package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func state(n int) []byte {
	return fmt.Appendf(nil, `{"cookies":[{"name":"n","value":"%d"}],"origins":[]}`, n)
}

// stores runs a promise on a store in a folder and on one in memory.
func stores(t *testing.T, promise func(t *testing.T, s *Store)) {
	t.Run("folder", func(t *testing.T) { promise(t, Open(filepath.Join(t.TempDir(), "profiles"))) })
	t.Run("memory", func(t *testing.T) { promise(t, Open("")) })
}

func hold(t *testing.T, s *Store, owner, name string, write bool) *Hold {
	t.Helper()
	h, err := s.Acquire(t.Context(), owner, name, write)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Release() })
	return h
}

func TestStore_whatWasSavedIsThere(t *testing.T) {
	stores(t, func(t *testing.T, s *Store) {
		w := hold(t, s, "team", "shop", true)
		if got, err := w.State(); got != nil || err != nil {
			t.Errorf("new profile: %q, %v", got, err)
		}
		for n := range 2 {
			if err := w.Save(state(n)); err != nil {
				t.Fatal(err)
			}
			if got, err := hold(t, s, "team", "shop", false).State(); err != nil || !bytes.Equal(got, state(n)) {
				t.Errorf("got %q, %v", got, err)
			}
		}
		for _, other := range [][2]string{{"team", "Shop"}, {"", "shop"}, {"teams", "hop"}, {"team\x00", "shop"}} {
			if got, err := hold(t, s, other[0], other[1], false).State(); got != nil || err != nil {
				t.Errorf("%q sees %q, %v", other, got, err)
			}
		}
	})
}

func TestStore_hasOneWriterAndManyReaders(t *testing.T) {
	stores(t, func(t *testing.T, s *Store) {
		w := hold(t, s, "", "x", true)
		if _, err := s.Acquire(t.Context(), "", "x", true); !errors.Is(err, ErrBusy) {
			t.Errorf("second writer: %v", err)
		}
		hold(t, s, "", "y", true)
		for range 3 {
			if err := hold(t, s, "", "x", false).Save(state(1)); !errors.Is(err, ErrReader) {
				t.Errorf("a reader saved: %v", err)
			}
		}
		if err := errors.Join(w.Release(), w.Release()); err != nil {
			t.Error(err)
		}
		hold(t, s, "", "x", true)
	})
}

func TestStore_anotherProcessIsAWriterToo(t *testing.T) {
	dir := t.TempDir()
	a, b := Open(dir), Open(dir) // two stores know nothing of each other but the lock file
	w := hold(t, a, "", "x", true)
	if _, err := b.Acquire(t.Context(), "", "x", true); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	w.Release()
	hold(t, b, "", "x", true)
}

func TestStore_refusesNamesAndStatesOutOfRange(t *testing.T) {
	stores(t, func(t *testing.T, s *Store) {
		for _, name := range []string{"", strings.Repeat("ä", 129)} {
			if _, err := s.Acquire(t.Context(), "", name, false); !errors.Is(err, ErrName) {
				t.Errorf("%.20q: %v", name, err)
			}
		}
		w := hold(t, s, "", strings.Repeat("ä", 128), true)
		for _, bad := range []string{"", "null", "[]", "{}", `{"cookies":[]}`, `{"cookies":{},"origins":[]}`, "\x00"} {
			if err := w.Save([]byte(bad)); err == nil {
				t.Errorf("%q was saved", bad)
			}
		}
	})
}

func TestStore_aDamagedProfileIsNamedAndNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir)
	w := hold(t, s, "", "x", true)
	file := filepath.Join(dir, key("", "x")+".json")
	if err := os.WriteFile(file, []byte(`{"cookies":[`), 0o600); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, err := w.State(); !errors.As(err, &corrupt) || corrupt.File != file {
		t.Errorf("State: %v", err)
	}
	if err := w.Save(state(1)); !errors.As(err, &corrupt) {
		t.Errorf("Save: %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != `{"cookies":[` {
		t.Errorf("the file now holds %q", got)
	}
}

func TestStore_aNameIsNeverAPathAndFilesArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profiles")
	w := hold(t, Open(dir), "../..", "../../etc/passwd", true)
	if err := w.Save(state(1)); err != nil {
		t.Fatal(err)
	}
	seen := 0
	err := filepath.WalkDir(filepath.Dir(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		seen++
		info, err := d.Info()
		if err == nil && (info.Mode().Perm() != 0o600 || filepath.Dir(path) != dir) {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil || seen != 2 {
		t.Errorf("%d files, %v", seen, err)
	}
}

func TestStore_readersNeverSeeHalfAState(t *testing.T) {
	s := Open(t.TempDir())
	w := hold(t, s, "", "x", true)
	big := func(n int) []byte {
		return fmt.Appendf(nil, `{"cookies":[],"origins":["%s"]}`, strings.Repeat(fmt.Sprint(n), 10_000))
	}
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if h, err := s.Acquire(t.Context(), "", "x", false); err != nil {
					t.Error(err)
				} else if _, err := h.State(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 12 {
		if err := w.Save(big(n % 10)); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	readers.Wait()
}

func FuzzCheck(f *testing.F) {
	f.Add(state(1))
	f.Add([]byte(`{"cookies":[],"origins":[{}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := Open("")
		h, err := s.Acquire(t.Context(), "", "x", true)
		if err != nil {
			t.Fatal(err)
		}
		if h.Save(b) == nil {
			if got, err := h.State(); err != nil || !bytes.Equal(got, b) {
				t.Errorf("got %q, %v", got, err)
			}
		}
	})
}
