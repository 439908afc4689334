package main

import (
	"bytes"
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// asProgram makes the test binary be the program: for tests that need its exit status
// or a signal.
const asProgram = "WINNOW_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

// crawled runs the program on the built-in site, as site answers for it.
func crawled(ctx context.Context, t *testing.T, site http.HandlerFunc, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, progress bytes.Buffer
	err = program{stdout: &out, stderr: &progress, site: site}.run(ctx, args)
	return out.String(), progress.String(), err
}

// mustCrawl is crawled that can't fail.
func mustCrawl(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := crawled(t.Context(), t, serve, args...)
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr)
	}
	return stdout, stderr
}

// setTemp makes dir the folder of temporary files, on any system.
func setTemp(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"TMPDIR", "TMP"} {
		t.Setenv(name, dir)
	}
}

// tree reads all files below dir but the engine's own, by their slash paths.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == stateDir:
			return filepath.SkipDir
		case d.IsDir() || d.Name() == doneFile:
			return nil
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// wantError reports whether err says what it should, in one line.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
