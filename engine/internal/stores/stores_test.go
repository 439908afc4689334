package stores

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/records"
)

func openIn(t *testing.T, dir string) *Stores {
	t.Helper()
	s, err := Open(Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const page = "https://a.example/"

// fill puts something into each store.
func fill(t *testing.T, s *Stores) {
	t.Helper()
	err := errors.Join(
		s.Pages.Put(t.Context(), cache.Entry{Key: page + "\x00", Value: []byte("x")}, nil),
		s.History.Put(t.Context(), cache.Entry{Key: page + "\x00", Value: []byte("x")}, nil),
		s.Layouts.Put(t.Context(), cache.Entry{Key: page + "\x00", Value: []byte("x")}, nil),
		s.Records.Put(t.Context(), records.Record{ID: "1", Page: page, CreatedAt: time.Now()}, "x"),
	)
	if err != nil {
		t.Fatal(err)
	}
	s.Ledger.Add("team", time.Now(), 3)
}

func TestStores_keepInAFolderWhatWasPut(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	fill(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openIn(t, dir)
	for name, store := range map[string]cache.Store{"pages": s.Pages, "history": s.History, "layouts": s.Layouts, "records": s.Records.Records} {
		if keys, err := store.Keys(t.Context(), "", "", 0); err != nil || len(keys) != 1 {
			t.Errorf("%s: %q, %v", name, keys, err)
		}
	}
	if used, err := s.Ledger.Usage("team"); err != nil || used.Credits != 3 {
		t.Errorf("usage: %+v, %v", used, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestStores_areLookedAfterInMemoryToo(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		s := openIn(t, dir)
		fill(t, s)
		if err := s.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		if st, err := s.Stats(t.Context()); err != nil || st.Versions != 1 || st.PageFile < st.Bytes || st.StateFile == 0 {
			t.Errorf("in %q: %+v, %v", dir, st, err)
		}
		if reasons, err := s.Probe(time.Now()); reasons != nil || err != nil {
			t.Errorf("in %q: %v, %v", dir, reasons, err)
		}
		if n, err := s.Forget(t.Context(), []string{page + "\x00"}); err != nil || n != 1 {
			t.Errorf("in %q: forgot %d, %v", dir, n, err)
		}
		for name, store := range map[string]cache.Store{"pages": s.Pages, "history": s.History, "layouts": s.Layouts} {
			if keys, err := store.Keys(t.Context(), "", "", 0); err != nil || len(keys) != 0 {
				t.Errorf("in %q, %s: %q, %v", dir, name, keys, err)
			}
		}
		if err := errors.Join(s.Compact(t.Context()), s.Close()); err != nil {
			t.Error(err)
		}
	}
}

// What was opened before the file that fails is closed: the folder can be opened once that is repaired.
func TestOpen_namesTheFileAndLeavesNothingOpen(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, stateFile)
	if err := os.WriteFile(state, []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if refused, ok := errors.AsType[*option.Error](err); !ok || refused.Field != "Dir" || !strings.Contains(refused.Want, stateFile) {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, dir)
	if _, err := Open(Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: time.Now}); !errors.Is(err, cache.ErrLocked) {
		t.Errorf("open elsewhere: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	for field, o := range map[string]Options{
		"Cache.Versions": {Versions: -1}, "Cache.MaxAge": {MaxAge: -1}, "Cache.MaxBytes": {MaxBytes: -1},
	} {
		if refused, ok := errors.AsType[*option.Error](o.Check()); !ok || refused.Field != field {
			t.Errorf("%s: %v", field, o.Check())
		}
	}
	if err := (Options{}).Check(); err != nil {
		t.Error(err)
	}
}

func TestHostOf_isTheSameForAllPagesOfAHost(t *testing.T) {
	for key, want := range map[string]string{
		"https://a.example/x?q=1\x00country=DE;languages=de": "https://a.example",
		"https://a.example\x00country=;languages=":           "https://a.example",
		"https://a.example:8443/\x00":                        "https://a.example:8443",
		"https://b.a.example/#x\x00mobile":                   "https://b.a.example",
	} {
		if got := hostOf(key); got != want {
			t.Errorf("hostOf(%q) = %q, want %q", key, got, want)
		}
	}
}
