package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRun_showsTheFilesItCarries(t *testing.T) {
	var out, progress strings.Builder
	if err := run(t.Context(), nil, settings{timeout: time.Minute}, &out, &progress); err != nil {
		t.Fatal(err, progress.String())
	}
	for _, want := range []string{"<!-- harvest.csv -->", "| Oats, white | 7 | no |", "**To the miller**", "# The loft", "- before the harvest"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
	if lines := strings.Count(progress.String(), "\n"); lines != 3 || !strings.HasPrefix(progress.String(), "1/3 harvest.csv: ") {
		t.Errorf("got progress %q, want a line for each of three files", progress.String())
	}
}

func TestRun_writesAFileForEach(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "md")
	var paths []string
	for name, content := range map[string]string{"a/x.txt": "one", "b/X.txt": "two"} {
		path := filepath.Join(in, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	var stdout, progress strings.Builder
	if err := run(t.Context(), paths, settings{out: out, timeout: time.Minute}, &stdout, &progress); err != nil || stdout.Len() > 0 {
		t.Fatal(err, stdout.String())
	}
	files, _ := filepath.Glob(filepath.Join(out, "*.md"))
	all := ""
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all += string(b)
	}
	if len(files) != 2 || !strings.Contains(all, "one\n") || !strings.Contains(all, "two\n") {
		t.Errorf("got %v with %q", files, all)
	}
}

func TestRun_goesOnAfterAFileThatCantBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fine.md")
	if err := os.WriteFile(path, []byte("fine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, progress strings.Builder
	err := run(t.Context(), []string{path + ".none", path}, settings{timeout: time.Minute}, &out, &progress)
	if err == nil || !strings.Contains(err.Error(), "1 of 2") || !strings.Contains(out.String(), "fine") || !strings.Contains(progress.String(), "1/2 fine.md.none: ") {
		t.Errorf("got %v, out %q, progress %q", err, out.String(), progress.String())
	}
}

func TestReport_hasPagesAndWarnings(t *testing.T) {
	doc := &engine.Document{Markdown: "äö", Warning: "W."}
	doc.Metadata.NumPages, doc.Metadata.TotalPages = 2, 9
	got := report(0, 1, engine.ParseInput{Name: "a.pdf"}, doc, 1500*time.Microsecond, nil)
	if want := "1/1 a.pdf: 2 of 9 pages, 2 characters, 2ms (W.)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
