package engine

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// barn is an archive of a table, a letter, a page with a link, and an archive.
func barn(t testing.TB) []byte {
	inner := zipOf(t, [][2]string{{"deep.txt", "Too deep."}})
	return zipOf(t, [][2]string{
		{"tables/crops.csv", "Crop,Sacks\nOats,12\n"}, {"letter.docx", string(docxOf(t, "To the miller", strings.Repeat("Twelve sacks are yours. ", 200)))},
		{"page.html", `<p>See <a href="https://granary.example/inside">inside</a>.</p>`}, {"inner.zip", string(inner)},
	})
}

func TestParse_readsTheFilesOfAnArchive(t *testing.T) {
	e := newTestEngine(t, Options{})
	doc := parsed(t, e, ParseInput{Reader: bytes.NewReader(barn(t)), Name: "barn.zip"}, ParseOptions{})
	for _, want := range []string{"# tables/crops.csv\n\n| Crop | Sacks |\n|---|---|\n| Oats | 12 |", "# letter.docx\n\n## To the miller\n\nTwelve sacks", "# page.html\n\nSee [inside](https://granary.example/inside)."} {
		if !strings.Contains(doc.Markdown, want) {
			t.Errorf("got %q, want %q in it", doc.Markdown, want)
		}
	}
	if strings.Contains(doc.Markdown, "deep") || !strings.Contains(doc.Warning, "archives in the archive): inner.zip") {
		t.Errorf("got %q, warning %q", doc.Markdown, doc.Warning)
	}
	bomb := zipOf(t, [][2]string{{"bomb.txt", strings.Repeat("a", 16<<20)}})
	if _, err := e.Parse(t.Context(), ParseInput{Reader: bytes.NewReader(bomb), Name: "bomb.zip"}, ParseOptions{}); CodeOf(err) != CodeFileType || !strings.Contains(err.Error(), "packed too well") {
		t.Errorf("a bomb: got %v", err)
	}
}

func TestCrawl_leavesArchivesAlone(t *testing.T) {
	archive := barn(t)
	e := cachingEngine(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(`<main><h1>Barn</h1><p>All of it: <a href="/barn.zip">named</a> or <a href="/download">unnamed</a>.</p></main>`))
		case "/barn.zip", "/download":
			w.Header().Set("Content-Type", "application/zip")
			w.Write(archive)
		default:
			t.Errorf("%s was requested", r.URL.Path)
			http.NotFound(w, r)
		}
	}))
	if doc := scrapeOK(t, e, "https://granary.example/barn.zip", ScrapeOptions{}); !strings.Contains(doc.Markdown, "| Oats | 12 |") {
		t.Errorf("scraped: got %q", doc.Markdown)
	}
	job, err := e.Crawl(t.Context(), "https://granary.example/", CrawlOptions{Sitemap: SitemapSkip, IgnoreRobotsTxt: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, doc.Metadata.URL)
	}
	slices.Sort(got)
	if want := []string{"https://granary.example/", "https://granary.example/download"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
