package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const emmerFile = "pages/granary.example_grains_emmer_from_list~fnkue8nj8hu5b0oiifegf3j3m0.md"

const wantIndex = `# https://granary.example/

completed: 9 pages, 1 failed, 2 left out.

| Page | URL | Status |
|---|---|---|
| [The granary](pages/granary.example.md) | <https://granary.example/> | 200 |
| [Almanac](pages/granary.example_almanac.md) | <https://granary.example/almanac> | 200 |
| [Grains](pages/granary.example_grains_.md) | <https://granary.example/grains/> | 200 |
| [Emmer](` + emmerFile + `) | <https://granary.example/grains/emmer?from=list> | 200 |
| [Rye](pages/granary.example_grains_rye.md) | <https://granary.example/grains/rye> | 200 |
| [Spelt \| hulled](pages/granary.example_grains_spelt.md) | <https://granary.example/grains/spelt> | 200 |
| [https://granary.example/lost](pages/granary.example_lost.md) | <https://granary.example/lost> | 404 |
| [The new barn](pages/granary.example_new-barn.md) | <https://granary.example/new-barn> | 200 |
| [Tools](pages/granary.example_tools.md) | <https://granary.example/tools> | 200 |

## Failed

- <https://granary.example/seed>: content of type "application/octet-stream" gives no document

## Left out

` + "`EXTERNAL_LINK`" + ` (1):

- <https://museum.example/>

` + "`ROBOTS_TXT`" + ` (1):

- <https://granary.example/ledger>
`

const wantRye = `---
title: "Rye"
url: "https://granary.example/grains/rye"
---

# Rye

Rye grows on poor soil. Compare [spelt](https://granary.example/grains/spelt).

| Year | Sacks |
|---|---|
| 2024 | 96 |
| 2025 | 88 |
`

func TestRun_writesAFileForEachPageAndAnIndex(t *testing.T) {
	out := t.TempDir()
	stdout, _ := mustCrawl(t, "-out", out)
	files := tree(t, out)
	want := []string{
		"index.md", "pages/granary.example.md", "pages/granary.example_almanac.md", "pages/granary.example_grains_.md",
		emmerFile, "pages/granary.example_grains_rye.md", "pages/granary.example_grains_spelt.md",
		"pages/granary.example_lost.md", "pages/granary.example_new-barn.md", "pages/granary.example_tools.md",
	}
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("got files %q\nwant %q", got, want)
	}
	if got := files["index.md"]; got != wantIndex {
		t.Errorf("got index\n%s\nwant\n%s", got, wantIndex)
	}
	if got := files["pages/granary.example_grains_rye.md"]; got != wantRye {
		t.Errorf("got page\n%s\nwant\n%s", got, wantRye)
	}
	if want := "9 pages, 1 failed, 2 left out\n" + filepath.Join(out, "index.md") + "\n"; stdout != want {
		t.Errorf("got %q, want %q", stdout, want)
	}
}

func TestRun_limitBoundsThePages(t *testing.T) {
	out := t.TempDir()
	mustCrawl(t, "-out", out, "-limit", "3", "-quiet")
	if files := tree(t, out); len(files) != 3+1 {
		t.Errorf("got %d files, want 3 pages and the index: %q", len(files), slices.Sorted(maps.Keys(files)))
	}
}

func TestRun_nothingIsWrittenOutsideItsFolders(t *testing.T) {
	around := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "TMPDIR", "TMP"} {
		dir := filepath.Join(around, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, dir)
	}
	t.Chdir(around)
	mustCrawl(t, "-out", "out", "-dir", "state")
	for name := range tree(t, around) {
		if !strings.HasPrefix(name, "out/") && !strings.HasPrefix(name, "state/") {
			t.Errorf("%s was written", name)
		}
	}
	if _, err := os.Stat(filepath.Join("out", stateDir)); err == nil {
		t.Errorf("-dir was given: %s should not be in the folder", stateDir)
	}
}

func TestRun_aLinkInTheFolderLeadsNowhere(t *testing.T) {
	around := t.TempDir()
	out, elsewhere := filepath.Join(around, "out"), filepath.Join(around, "elsewhere")
	for _, dir := range []string{out, elsewhere} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	site := interrupted(1, func() { // once the folder was found free
		if err := os.Symlink(elsewhere, filepath.Join(out, pagesDir)); err != nil {
			t.Error(err)
		}
	})
	_, _, err := crawled(t.Context(), t, site.serve, "-out", out)
	wantError(t, err, pagesDir)
	if files := tree(t, elsewhere); len(files) > 0 {
		t.Errorf("%d files were written outside", len(files))
	}
}

func TestRun_withoutATerminalProgressIsInLines(t *testing.T) {
	out := t.TempDir()
	_, stderr := mustCrawl(t, "-out", out)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if lines[0] != "writing to "+out || lines[len(lines)-1] != "10 of 10 pages, 1 failed" {
		t.Errorf("got %q", lines)
	}
	if strings.Contains(stderr, "\r") {
		t.Errorf("a bar was drawn: %q", stderr)
	}
}

func TestRun_quietShowsNoProgress(t *testing.T) {
	if _, stderr := mustCrawl(t, "-out", t.TempDir(), "-quiet"); stderr != "" {
		t.Errorf("got %q", stderr)
	}
}

func TestRun_aTemporaryFolderIsPrintedAndStays(t *testing.T) {
	setTemp(t, t.TempDir())
	stdout, stderr := mustCrawl(t)
	_, path, _ := strings.Cut(strings.TrimSpace(stdout), "\n")
	if data, err := os.ReadFile(path); err != nil || string(data) != wantIndex {
		t.Errorf("%v: %s", err, data)
	}
	if !strings.Contains(stderr, "writing to "+filepath.Dir(path)) {
		t.Errorf("the folder isn't printed: %s", stderr)
	}
}

func TestRun_aTemporaryFolderGoesWhenNothingCameOfIt(t *testing.T) {
	temp := t.TempDir()
	setTemp(t, temp)
	for _, args := range [][]string{{"-render", "sometimes"}, {"-limit", "-1"}, {"http://127.0.0.1:1/"}} {
		if _, _, err := crawled(t.Context(), t, serve, args...); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v: left %v", err, left)
	}
}

func TestRun_aFailedCrawlLeavesTheFolderFree(t *testing.T) {
	out := t.TempDir()
	_, _, err := crawled(t.Context(), t, serve, "-out", out, "http://127.0.0.1:1/")
	wantError(t, err, "the crawl has failed: 127.0.0.1 (127.0.0.1:1) is refused")
	mustCrawl(t, "-out", out)
}

func TestRun_aFolderIsUsedForOneCrawl(t *testing.T) {
	out := t.TempDir()
	mustCrawl(t, "-out", out)
	before := tree(t, out)
	_, _, err := crawled(t.Context(), t, serve, "-out", out)
	wantError(t, err, "holds a crawl: choose another folder")
	if !maps.Equal(before, tree(t, out)) {
		t.Error("the first crawl's files were changed")
	}
}

func TestRun_errorsAreClear(t *testing.T) {
	empty := t.TempDir()
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, planFile), []byte(`{"key":`), 0o644); err != nil {
		t.Fatal(err)
	}
	begun := t.TempDir()
	f, err := openFolder(settings{out: begun, plan: plan{Limit: 5}})
	if err == nil {
		err = f.claim()
		f.close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-out", empty, "-render", "sometimes"}, `"auto", "never" or "always"`},
		{[]string{"-out", empty, "-limit", "-1"}, "limit: -1"},
		{[]string{"-out", empty, "http://"}, "url"},
		{[]string{"-out", empty, "http://10.0.0.1/"}, "10.0.0.1"},
		{[]string{"-out", empty, "https://a.example/", "-quiet"}, "at most one URL"},
		{[]string{"-loud"}, "-loud"},
		{[]string{"-resume"}, "-resume needs -out"},
		{[]string{"-resume", "-out", empty}, "holds no unfinished crawl"},
		{[]string{"-resume", "-out", filepath.Join(empty, "missing")}, "holds no unfinished crawl"},
		{[]string{"-resume", "-out", damaged}, "is damaged"},
		{[]string{"-out", damaged}, "holds an unfinished crawl: continue it with -resume"},
		{[]string{"-resume", "-out", begun, "-limit", "7"}, "-limit is 7: the crawl in " + begun + " was started with 5"},
		{[]string{"-resume", "-out", begun, "-dir", empty}, "-dir is " + empty + ": the crawl in"},
		{[]string{"-resume", "-out", begun, "https://b.example/"}, "the URL is https://b.example/: the crawl in"},
	} {
		_, _, err := crawled(t.Context(), t, serve, c.args...)
		wantError(t, err, c.want)
		if status(err) != 1 {
			t.Errorf("%v: status %d", c.args, status(err))
		}
	}
	if _, err := os.Stat(filepath.Join(empty, "missing")); err == nil {
		t.Error("-resume made a folder")
	}
}

func TestRun_helpIsNoError(t *testing.T) {
	_, stderr, err := crawled(t.Context(), t, serve, "-h")
	if status(err) != 0 || !strings.Contains(stderr, "-resume") {
		t.Errorf("%v: %s", err, stderr)
	}
}
