package pdf

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// corpusFiles are the PDFs of a folder of the corpus, whose path WINNOW_CORPUS gives.
func corpusFiles(t *testing.T, folder string) []string {
	t.Helper()
	root := os.Getenv("WINNOW_CORPUS")
	if root == "" {
		t.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	files, err := filepath.Glob(filepath.Join(root, folder, "*.pdf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no PDFs in %s: %v", folder, err)
	}
	return files
}

// tokens are the words of a text, NFKC in lower case; characters of scripts without spaces are words.
func tokens(s string) map[string]int {
	out := map[string]int{}
	var cur strings.Builder
	flush := func() {
		if cur.Len() > 0 {
			out[cur.String()]++
			cur.Reset()
		}
	}
	for _, r := range strings.ToLower(norm.NFKC.String(s)) {
		switch {
		case isWide(r) && unicode.IsLetter(r):
			flush()
			out[string(r)]++
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			cur.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return out
}

// turned has words of scripts from right to left both ways round: the reference has them as they are drawn.
func turned(m map[string]int) map[string]int {
	for w, n := range maps.Clone(m) {
		if r := []rune(w); slices.ContainsFunc(r, isRTL) {
			slices.Reverse(r)
			m[string(r)] += n
		}
	}
	return m
}

// recall is the part of the reference's tokens that are found; precision is the reverse.
func recall(want, got map[string]int) float64 {
	hit, all := 0, 0
	for w, n := range want {
		all += n
		hit += min(n, got[w])
	}
	if all == 0 {
		return 1
	}
	return float64(hit) / float64(all)
}

func missing(want, got map[string]int) []string {
	var out []string
	for w, n := range want {
		if got[w] < n {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), 12)]
}

// allText is everything that was found on the pages, furniture too.
func allText(d *Document) string {
	var b strings.Builder
	for _, p := range d.Pages {
		for _, x := range p.Blocks {
			b.WriteString(x.Text + "\n")
		}
	}
	return b.String()
}

func TestRead_wordsOfTheCorpusAreFound(t *testing.T) {
	var recalls, precisions float64
	n := 0
	for _, path := range corpusFiles(t, "pdf") {
		ref, err := os.ReadFile(filepath.Join(filepath.Dir(path), "ref", strings.TrimSuffix(filepath.Base(path), ".pdf")+".txt"))
		want := tokens(string(ref))
		if err != nil || len(want) == 0 {
			continue // no reference, or a file of images
		}
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Read(t.Context(), body, Options{})
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		got := tokens(allText(doc))
		r, p := recall(want, turned(got)), recall(got, turned(want))
		t.Logf("%-40s recall %.3f precision %.3f; not found %q, added %q", filepath.Base(path), r, p, missing(want, got), missing(got, want))
		recalls, precisions, n = recalls+r, precisions+p, n+1
	}
	mean := recalls / float64(n)
	t.Logf("%d files: mean recall %.4f, mean precision %.4f", n, mean, precisions/float64(n))
	if mean < 0.97 {
		t.Errorf("mean recall %.4f, want at least 0.97", mean)
	}
}

func TestRead_hostileFilesOfTheCorpusEnd(t *testing.T) {
	const limit = 5 * time.Second
	for _, path := range corpusFiles(t, "pdf/hostile") {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		doc, err := Read(ctx, body, Options{})
		if ctx.Err() != nil {
			t.Errorf("%s: took all of %s", filepath.Base(path), limit)
		}
		cancel()
		if err != nil {
			t.Logf("%-36s %v", filepath.Base(path), err)
			continue
		}
		t.Logf("%-36s %d of %d pages, %q, warnings %q", filepath.Base(path), len(doc.Pages), doc.TotalPages, shorten(allText(doc)), doc.Warnings)
	}
}

func shorten(s string) string { return s[:min(len(s), 60)] }
