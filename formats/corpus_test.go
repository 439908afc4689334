package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/internal/content/sample"
)

// corpus is a sample of pages whose main content is known.
type corpus struct {
	name  string
	pages []sample.Page
}

// corpusFolder is the folder that WINNOW_CORPUS names.
func corpusFolder(tb testing.TB) string {
	tb.Helper()
	root := os.Getenv("WINNOW_CORPUS")
	if _, benchmark := tb.(*testing.B); benchmark && root == "" && !testing.Verbose() {
		fmt.Printf("%s is skipped: WINNOW_CORPUS is not set\n", tb.Name()) // the reason of a skipped benchmark is shown with -v alone
	}
	if root == "" {
		tb.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	return root
}

// realPages are the samples wcxb-dev and wcxb-dev2 in the folder that WINNOW_CORPUS names; where WINNOW_IDS names a file of ids, those of
// these pages.
func realPages(tb testing.TB) []corpus {
	tb.Helper()
	all, err := readCorpora(corpusFolder(tb), "wcxb-dev", "wcxb-dev2")
	if file := os.Getenv("WINNOW_IDS"); err == nil && file != "" {
		all, err = onlyIDs(all, file)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func readCorpora(root string, names ...string) (all []corpus, err error) {
	for _, name := range names {
		c := corpus{name: name}
		for p, err := range sample.Read(filepath.Join(root, name)) {
			if err != nil {
				return nil, err
			}
			c.pages = append(c.pages, p)
		}
		all = append(all, c)
	}
	return all, nil
}

// onlyIDs keeps the pages whose ids are in the file, between white space, and the samples that have any of them. An id that no sample
// has is an error, and so is a file without any.
func onlyIDs(all []corpus, file string) (kept []corpus, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("WINNOW_IDS: %w", err)
	}
	asked := strings.Fields(string(data))
	for _, c := range all {
		if pages := pagesOf(c.pages, asked); len(pages) > 0 {
			kept = append(kept, corpus{c.name, pages})
		}
	}
	for _, id := range asked {
		if !slices.ContainsFunc(kept, func(c corpus) bool { return len(pagesOf(c.pages, []string{id})) > 0 }) {
			return nil, fmt.Errorf("WINNOW_IDS: %s names %q, which is no page of the samples", file, id)
		}
	}
	if len(asked) == 0 {
		return nil, fmt.Errorf("WINNOW_IDS: %s has no ids", file)
	}
	return kept, nil
}

func pagesOf(pages []sample.Page, ids []string) []sample.Page {
	return slices.DeleteFunc(slices.Clone(pages), func(p sample.Page) bool { return !slices.Contains(ids, p.ID) })
}
