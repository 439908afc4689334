package formats

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/passages"
	"github.com/winnow-go/winnow/formats/tokens"
	"github.com/winnow-go/winnow/formats/window"
)

// corpusMarkdown is the Markdown of the pages of the larger corpus, every other one with all of the page, and its Markdown files.
func corpusMarkdown(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, c := range realPages(t) {
		for i, p := range c.pages {
			d, err := Parse(t.Context(), Source{URL: p.URL, MediaType: "text/html", Body: p.HTML})
			if err != nil {
				t.Fatal(err)
			}
			out, err := d.Render(t.Context(), Options{Formats: []Type{Markdown}, OnlyMainContent: i%2 == 0})
			if err != nil {
				t.Fatal(err)
			}
			all[c.name+"/"+p.ID] = out.Markdown
		}
	}
	files, err := filepath.Glob(filepath.Join(corpusFolder(t), "markdown", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of Markdown, %v", len(files), err)
	}
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[f] = string(body)
	}
	return all
}

func TestCorpus_partsKeepToTheirBudgetAndJoinedAreTheWhole(t *testing.T) {
	parts, used := 0, 0
	const limit = 500
	texts := corpusMarkdown(t)
	for name, md := range texts {
		var joined strings.Builder
		for b := (window.Budget{Tokens: limit}); ; {
			part, w := window.Read(md, b, window.Options{})
			if n := tokens.Bound(part); n > limit || n != w.Tokens {
				t.Fatalf("%s: the part from %d has %d tokens", name, b.From, n)
			}
			joined.WriteString(part)
			if b.From = w.Next; b.From == 0 {
				break
			}
			parts, used = parts+1, used+w.Tokens
		}
		if joined.String() != md {
			t.Fatalf("%s: the parts joined aren't the whole", name)
		}
	}
	t.Logf("%d texts, %d parts that others follow, %.0f %% of the budget used", len(texts), parts, 100*float64(used)/float64(parts*limit))
}

func TestCorpus_passagesAreVerbatimAndSmall(t *testing.T) {
	n, large, sum := 0, 0, 0
	for name, md := range corpusMarkdown(t) {
		at := 0
		for _, p := range passages.Split(md, passages.Options{}) {
			if p.From < at || md[p.From:p.To] != p.Text || strings.TrimSpace(md[at:p.From]) != "" {
				t.Fatalf("%s: passage from %d after %d", name, p.From, at)
			}
			if at = p.To; p.Tokens > passages.DefaultTokens {
				large++
			}
			n, sum = n+1, sum+p.Tokens
		}
		if strings.TrimSpace(md[at:]) != "" {
			t.Fatalf("%s: nothing has %q", name, md[at:])
		}
	}
	t.Logf("%d passages of %d tokens on average, %d of more than %d", n, sum/n, large, passages.DefaultTokens)
	if large*50 > n {
		t.Errorf("%d of %d are too large", large, n)
	}
}
