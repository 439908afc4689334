//go:build !race

package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxDoor is the size of the README in bytes: what is longer stands beside what it describes.
const maxDoor = 10_000

func TestDoor_isShort(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil || len(text) > maxDoor {
		t.Errorf("README.md has %d bytes (%v), want at most %d: move text to the documentation of packages or to .guide", len(text), err, maxDoor)
	}
}

var (
	linkedFile = regexp.MustCompile(`\]\(([^)#:]+)\)`)
	linkedPage = regexp.MustCompile(`(?m)^\[[a-z]+\]: https://pkg\.go\.dev/` + regexp.QuoteMeta(module) + `(\S+)$`)
	runCommand = regexp.MustCompile(`go run \./(examples/[a-z]+)`)
)

// Files, packages and programs that the README and the guides name exist.
func TestDoor_leadsSomewhere(t *testing.T) {
	t.Parallel()
	pages := pagesOf(t)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range linkedFile.FindAllStringSubmatch(string(text), -1) {
			mustExist(t, page, filepath.Join(filepath.Dir(page), link[1]))
		}
		for _, pattern := range []*regexp.Regexp{linkedPage, runCommand} {
			for _, link := range pattern.FindAllStringSubmatch(string(text), -1) {
				mustExist(t, page, filepath.Join("..", link[1]))
			}
		}
	}
	if len(pages) < 5 {
		t.Errorf("%d pages: %q; want the README and the guides", len(pages), pages)
	}
}

func mustExist(t *testing.T, page, name string) {
	t.Helper()
	if _, err := os.Stat(name); err != nil {
		t.Errorf("%s leads to %s, which isn't there: %v", page, name, err)
	}
}

func pagesOf(t *testing.T) []string {
	t.Helper()
	pages := []string{filepath.Join("..", "README.md")}
	for _, folder := range []string{".guide", ".github"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".md") {
				pages = append(pages, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// The banned words may not stand in the README and the guides either.
func TestDoor_usesPlainWords(t *testing.T) {
	t.Parallel()
	for _, page := range pagesOf(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if word := bannedPhrases.Find(text); word != nil {
			t.Errorf("%s has the banned word %q", page, word)
		}
	}
}
