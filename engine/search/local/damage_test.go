package local

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/search"
)

// filled makes an index in a folder and closes it.
func filled(t *testing.T, s *fakeCache, folder string) {
	t.Helper()
	x := on(t, s, folder)
	for i := range 3 { // several segments
		s.put(search.Page{URL: fmt.Sprintf("https://a.example/%d", i), Title: "Sack", Text: strings.Repeat("barley and oats ", 50),
			Article: true, Published: today, Images: []search.PageImage{{URL: fmt.Sprintf("https://a.example/%d.png", i), Alt: "A sack of barley"}}})
		find(t, x, "barley")
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

// everywhere has the pages on barley that each source of an index in a folder finds.
func everywhere(t *testing.T, s *fakeCache, dir string) map[search.Source]string {
	t.Helper()
	x, found := on(t, s, dir), map[search.Source]string{}
	for _, source := range x.Can().Sources {
		found[source] = sorted(find(t, x, "barley", func(q *search.Query) { q.Source = source }))
	}
	return found
}

func TestIndex_isKeptAndCaughtUp(t *testing.T) {
	s, dir := newFakeCache(), t.TempDir()
	filled(t, s, dir)
	s.index = nil // what happens now reaches no index
	s.put(search.Page{URL: "https://a.example/1", Text: "rye"})
	s.put(search.Page{URL: "https://a.example/9", Text: "barley"})
	s.remove("https://a.example/2")
	s.reads = 0
	x := on(t, s, dir)
	if got := sorted(find(t, x, "barley")); got != "a.example/0 a.example/9" {
		t.Errorf("got %s", got)
	}
	if got := urls(find(t, x, "rye")); got != "a.example/1" {
		t.Errorf("changed: got %s", got)
	}
	if s.reads != 2 {
		t.Errorf("%d pages were read, want the two that changed", s.reads)
	}
}

// Whatever happens to its files, an index is found damaged and rebuilt.
func TestIndex_damageIsFoundAndRepaired(t *testing.T) {
	files := func(dir string) (list []string) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				list = append(list, path)
			}
			return err
		})
		if err != nil || len(list) < 4 {
			t.Fatalf("files %v, %v", list, err)
		}
		return list
	}
	random := rand.New(rand.NewPCG(1, 2))
	damages := map[string]func(path string, data []byte) []byte{
		"cut":     func(_ string, data []byte) []byte { return data[:len(data)/2] },
		"emptied": func(string, []byte) []byte { return nil },
		"flipped": func(_ string, data []byte) []byte {
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
			return data
		},
	}
	template, s := t.TempDir(), newFakeCache()
	filled(t, s, template)
	s.index = nil
	for i := range files(template) {
		for name, damage := range damages {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
				t.Fatal(err)
			}
			path := files(dir)[i]
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(path, data), 0o600); err != nil {
				t.Fatal(err)
			}
			for source, got := range everywhere(t, s, dir) {
				if got != "a.example/0 a.example/1 a.example/2" {
					t.Errorf("%s %s: %s: got %q", filepath.Base(path), name, source, got)
				}
			}
		}
	}
}

// Without a seal, as after a kill, segments that are damaged are found out by their own sums.
func TestIndex_damageAfterAKillIsFoundAndRepaired(t *testing.T) {
	template, s := t.TempDir(), newFakeCache()
	filled(t, s, template)
	s.index = nil
	if err := os.Remove(filepath.Join(template, sealName)); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(dir string) error{
		"none": func(string) error { return nil },
		"half a segment beside": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, filesName, "store", "00000000ffff.zap"), []byte("half a segment"), 0o600)
		},
		"segments cut": func(dir string) error { // the oldest may be of no account
			list, err := filepath.Glob(filepath.Join(dir, filesName, "store", "*.zap"))
			if err != nil || len(list) == 0 {
				return fmt.Errorf("segments %v, %v", list, err)
			}
			for _, path := range list {
				err = errors.Join(err, os.Truncate(path, 100))
			}
			return err
		},
		"database cut": func(dir string) error { return os.Truncate(filepath.Join(dir, filesName, "store", "root.bolt"), 8192) },
		"other version": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, schemaName), []byte("winnow index 0\n"), 0o600)
		},
		"a file in the way": func(dir string) error {
			return errors.Join(os.RemoveAll(filepath.Join(dir, filesName)), os.WriteFile(filepath.Join(dir, filesName), nil, 0o600))
		},
	} {
		dir := t.TempDir()
		if err := errors.Join(os.CopyFS(dir, os.DirFS(template)), damage(dir)); err != nil {
			t.Fatal(err)
		}
		s.reads = 0
		for source, got := range everywhere(t, s, dir) {
			if got != "a.example/0 a.example/1 a.example/2" {
				t.Errorf("%s: %s: got %q", name, source, got)
			}
		}
		whole := name == "none" || name == "half a segment beside"
		if (s.reads == 0) != whole {
			t.Errorf("%s: %d pages were read", name, s.reads)
		}
	}
}

// What is compacted holds no text of pages that are gone; the log never has URLs.
func TestIndex_compactLeavesNoTextOfWhatIsGone(t *testing.T) {
	s, dir := newFakeCache(), t.TempDir()
	var log bytes.Buffer
	x := New(Options{})
	if err := x.Attach(s, search.Setup{Folder: dir, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}); err != nil {
		t.Fatal(err)
	}
	s.index = x
	s.put(search.Page{URL: "https://quokka.example/", Text: "zebrafish"})
	for i := range 5 {
		s.put(search.Page{URL: fmt.Sprintf("https://a.example/%d", i), Text: "barley"})
		find(t, x, "barley")
	}
	for _, name := range []string{"quokka", "zebrafish"} {
		if !Holds(t, dir, name) {
			t.Errorf("%s isn't seen in the files: the check below proves nothing", name)
		}
	}
	s.remove("https://quokka.example/")
	if err := errors.Join(x.Purge(t.Context()), x.Compact(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got := len(find(t, x, "barley")); got != 5 {
		t.Errorf("got %d", got)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"quokka", "zebrafish"} {
		if Holds(t, dir, name) {
			t.Errorf("%s is still there", name)
		}
	}
	if strings.Contains(log.String(), "example") {
		t.Errorf("log:\n%s", log.String())
	}
}

// In memory nothing grows with what is replaced.
func TestIndex_inMemoryIsRebuiltNowAndThen(t *testing.T) {
	s := newFakeCache()
	x := on(t, s, "")
	for round := range maxDead/50 + 10 {
		for i := range 50 {
			s.put(search.Page{URL: fmt.Sprintf("https://a.example/%d", i), Text: fmt.Sprintf("barley round%d", round)})
		}
		if got := len(find(t, x, fmt.Sprintf("round%d", round))); got != 50 {
			t.Fatalf("round %d: %d", round, got)
		}
	}
	if x.store.dead > maxDead {
		t.Errorf("%d are dead", x.store.dead)
	}
}
