package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine/search"
)

// TestMain looks for leaked goroutines; those of the library live as long as the process.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// fakeCache is a cache of pages in memory that notifies its index of changes.
type fakeCache struct {
	mu    sync.Mutex
	pages map[string]*search.Page
	reads int
	n     int
	fail  error
	index *Index // nil: no index is notified
}

func newFakeCache() *fakeCache { return &fakeCache{pages: map[string]*search.Page{}} }

var today = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// put keeps a page under its URL, as the newest version.
func (s *fakeCache) put(p search.Page) {
	s.mu.Lock()
	s.n++
	p.Version = fmt.Sprint(s.n)
	if p.Stored.IsZero() {
		p.Stored = today
	}
	s.pages[p.URL] = &p
	s.mu.Unlock()
	s.notify(p.URL)
}

func (s *fakeCache) remove(key string) {
	s.mu.Lock()
	delete(s.pages, key)
	s.mu.Unlock()
	s.notify(key)
}

func (s *fakeCache) notify(key string) {
	if s.index != nil {
		s.index.Changed([]string{key})
	}
}

func (s *fakeCache) Keys(_ context.Context, after string, limit int) (keys []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.pages {
		if k > after {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys[:min(limit, len(keys))], s.fail
}

func (s *fakeCache) Version(_ context.Context, key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.pages[key]; p != nil {
		return p.Version, s.fail
	}
	return "", s.fail
}

func (s *fakeCache) Page(_ context.Context, key string) (*search.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	p := s.pages[key]
	if p != nil && strings.Contains(p.Text, "panic!") {
		panic("a page that can't be read")
	}
	return p, s.fail
}

func (s *fakeCache) Settle(ctx context.Context) error { return ctx.Err() }

// on gives an index of the fakeCache; folder "" is in memory.
func on(t testing.TB, s *fakeCache, folder string) *Index {
	t.Helper()
	x := New(Options{Patience: time.Minute})
	if err := x.Attach(s, search.Setup{Folder: folder, Now: func() time.Time { return today }}); err != nil {
		t.Fatal(err)
	}
	s.index = x
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return x
}

func find(t testing.TB, x *Index, text string, change ...func(*search.Query)) []search.Result {
	t.Helper()
	q := search.Query{Text: text, Limit: 50}
	for _, c := range change {
		c(&q)
	}
	found, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return found.List
}

// urls are the results' URLs without scheme, in order.
func urls(list []search.Result) string {
	var out []string
	for _, r := range list {
		out = append(out, strings.TrimPrefix(r.URL, "https://"))
	}
	return strings.Join(out, " ")
}

// sorted are the same in the order of the alphabet.
func sorted(list []search.Result) string {
	words := strings.Fields(urls(list))
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Holds reports whether a text is in the files of a folder. Where one of them has gone meanwhile, it looks into all of them again: those
// of an open index are replaced in the background.
func Holds(t *testing.T, dir, text string) bool {
	t.Helper()
	for {
		there, err := lookInto(dir, text)
		if err == nil {
			return there
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

func lookInto(dir, text string) (there bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		there = there || bytes.Contains(data, []byte(text))
		return err
	})
	return there, err
}
