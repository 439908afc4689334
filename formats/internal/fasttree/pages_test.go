package fasttree

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/content/sample"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// minShare is the least share of pages whose trees are made here.
const minShare = 0.95

// compareAll compares the trees of pages, and counts why others are left to the other parser.
func compareAll(t *testing.T, pages [][]byte) {
	t.Helper()
	left, why := 0, map[string]int{}
	for _, page := range pages {
		if refused := compare(t, page); refused != "" {
			left++
			why[refused]++
		}
	}
	t.Logf("%d of %d pages are left to the other parser: %v", left, len(pages), why)
	if share := 1 - float64(left)/float64(len(pages)); len(pages) == 0 || share < minShare {
		t.Errorf("%.3f of %d pages, want %.3f: %v", share, len(pages), minShare, why)
	}
}

// saved are the pages of the tests of package formats.
func saved(tb testing.TB) (pages [][]byte) {
	tb.Helper()
	err := filepath.WalkDir("../../testdata", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		page, err := os.ReadFile(path)
		pages = append(pages, page)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return pages
}

func TestTree_savedPages(t *testing.T) { compareAll(t, saved(t)) }

func TestTree_realPages(t *testing.T) {
	root := os.Getenv("WINNOW_CORPUS")
	if root == "" {
		t.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	var pages [][]byte
	for _, name := range []string{"wcxb-dev", "wcxb-dev2"} {
		for p, err := range sample.Read(filepath.Join(root, name)) {
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, p.HTML)
		}
	}
	compareAll(t, pages)
}

// TestTree_allocatesLittle holds what this package is for by a figure that doesn't depend on the machine.
func TestTree_allocatesLittle(t *testing.T) {
	pages := saved(t)
	count := func(parse func(page []byte)) float64 {
		return testing.AllocsPerRun(1, func() {
			for _, page := range pages {
				parse(page)
			}
		})
	}
	here := count(func(page []byte) { Tree(t.Context(), page, new(nodes.Room)) })
	other := count(func(page []byte) { _, _ = html.Parse(bytes.NewReader(page)) })
	if here > other/4 {
		t.Errorf("%.0f allocations, and %.0f of the other parser", here, other)
	}
}

// BenchmarkTree compares both parsers on the pages of the tests.
func BenchmarkTree(b *testing.B) {
	pages, size := saved(b), 0
	for _, page := range pages {
		size += len(page)
	}
	parsers := map[string]func([]byte){
		"here":  func(page []byte) { Tree(b.Context(), page, new(nodes.Room)) },
		"other": func(page []byte) { _, _ = html.Parse(bytes.NewReader(page)) },
	}
	for name, parse := range parsers {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, page := range pages {
					parse(page)
				}
			}
		})
	}
}
