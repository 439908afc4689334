package sitemaps

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/sitemap"
)

func TestPlacesOf(t *testing.T) {
	file := robots.Parse([]byte("Sitemap: https://cdn.example/a.xml\nSitemap: https://shop.example/sitemap.xml"))
	for _, c := range []struct {
		seed           string
		file           *robots.File
		named, guessed string
	}{
		{"https://shop.example/", nil, "", "https://shop.example/sitemap.xml"},
		{"https://www.shop.example/", nil, "", "https://www.shop.example/sitemap.xml"},
		{"https://user:pass@shop.example:8443/a/b.html?x=/y/#/z", nil, "", "https://shop.example:8443/a/sitemap.xml https://shop.example:8443/sitemap.xml"},
		{"https://blog.shop.example/docs/", nil, "", "https://blog.shop.example/docs/sitemap.xml https://blog.shop.example/sitemap.xml https://shop.example/sitemap.xml"},
		{"https://me.github.io/", nil, "", "https://me.github.io/sitemap.xml"},
		{"http://192.0.2.1/", nil, "", "http://192.0.2.1/sitemap.xml"},
		{"https://shop.example/", file, "https://cdn.example/a.xml https://shop.example/sitemap.xml", ""},
		{"https://shop.example/map.XML.gz?x", file, "https://shop.example/map.XML.gz?x", ""},
		{"https://shop.example/feed.xml", file, "https://shop.example/feed.xml", ""},
	} {
		p := placesOf(c.seed, c.file)
		if got := strings.Join(p.named, " "); got != c.named {
			t.Errorf("%s: named %q, want %q", c.seed, got, c.named)
		}
		if got := strings.Join(p.guessed, " "); got != c.guessed {
			t.Errorf("%s: guessed %q, want %q", c.seed, got, c.guessed)
		}
	}
}

// shelf has the files of granary.example by path; an empty one is not there.
type shelf struct {
	files   map[string]string
	fetched map[string]bool
}

func newShelf(files map[string]string) *shelf {
	return &shelf{files: files, fetched: map[string]bool{}}
}

var errMissing = errors.New("not there")

func (s *shelf) Fetch(_ context.Context, href string) (io.ReadCloser, error) {
	s.fetched[href] = true
	body := s.files[strings.TrimPrefix(href, "https://granary.example")]
	if body == "" {
		return nil, errMissing
	}
	return io.NopCloser(strings.NewReader(body)), nil
}

func urlset(locs ...string) string {
	return "<urlset><url><loc>" + strings.Join(locs, "</loc></url><url><loc>") + "</loc></url></urlset>"
}

func sitemapIndex(locs ...string) string {
	return "<sitemapindex><sitemap><loc>" + strings.Join(locs, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

// walked collects what a walk gives.
func walked(t *testing.T, s *shelf, seed string, file *robots.File) (urls []string, problems []error) {
	t.Helper()
	for u, err := range Pages(t.Context(), s, seed, file, sitemap.WalkOptions{}) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		urls = append(urls, u.Loc)
	}
	return urls, problems
}

func TestPages_indexesAndGzip(t *testing.T) {
	s := newShelf(map[string]string{
		"/sitemap.xml":     sitemapIndex("https://granary.example/one.xml.gz", "https://granary.example/two.txt"),
		"/one.xml.gz":      gzipped(urlset("https://granary.example/barley")),
		"/two.txt":         "https://granary.example/oats\nhttps://granary.example/rye\n",
		"/sitemap.txt":     "https://granary.example/not-asked-for",
		"/wp-sitemap.xml":  "",
		"/robots-says.xml": urlset("https://granary.example/wheat"),
	})
	urls, problems := walked(t, s, "https://granary.example/", robots.Parse([]byte("Sitemap: https://granary.example/robots-says.xml")))
	want := []string{"https://granary.example/wheat", "https://granary.example/barley", "https://granary.example/oats", "https://granary.example/rye"}
	if !slices.Equal(urls, want) || len(problems) != 0 {
		t.Errorf("got %q, %v", urls, problems)
	}
	if s.fetched["https://granary.example/sitemap.txt"] {
		t.Error("the unlikely places were tried")
	}
}

func TestPages_otherUsualPlaces(t *testing.T) {
	s := newShelf(map[string]string{"/wp-sitemap.xml": urlset("https://granary.example/barley"), "/sitemap.xml": "<p>Not here"})
	urls, problems := walked(t, s, "https://granary.example/", nil)
	if !slices.Equal(urls, []string{"https://granary.example/barley"}) || len(problems) != 0 {
		t.Errorf("got %q, %v", urls, problems)
	}
}

// What is named and missing is reported; what was only guessed isn't.
func TestPages_problems(t *testing.T) {
	s := newShelf(map[string]string{"/broken.xml": "", "/page.xml": "<p>A page"})
	named := robots.Parse([]byte("Sitemap: https://granary.example/broken.xml\nSitemap: https://granary.example/page.xml\nSitemap: https://granary.example/none.xml"))
	urls, problems := walked(t, s, "https://granary.example/", named)
	var got []string
	for _, err := range problems {
		p, ok := errors.AsType[*sitemap.Problem](err)
		if !ok {
			t.Fatalf("got %v", err)
		}
		got = append(got, string(p.Code)+" "+p.Sitemap)
		if p.Code == sitemap.FetchFailed && !errors.Is(p, errMissing) {
			t.Errorf("%v is without its cause", p)
		}
	}
	if len(urls) != 0 || strings.Join(got, "; ") != "FETCH_FAILED https://granary.example/broken.xml; NOT_SITEMAP https://granary.example/page.xml; FETCH_FAILED https://granary.example/none.xml" {
		t.Errorf("got %q, %q", urls, got)
	}
}
