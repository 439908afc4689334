package feed

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestRead_givesTheGoldenHTML(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, name := range files {
		if filepath.Ext(name) == ".html" {
			continue
		}
		pairs++
		t.Run(filepath.Base(name), func(t *testing.T) { goldenPair(t, name) })
	}
	if pairs < 4 {
		t.Errorf("%d pairs found", pairs)
	}
}

func goldenPair(t *testing.T, name string) {
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !Is(body) {
		t.Error("not known as a feed")
	}
	doc, err := Read(t.Context(), body, Options{URL: "https://example.org/dir/feed"})
	if err != nil {
		t.Fatal(err)
	}
	m := doc.Meta
	got := fmt.Sprintf("<!-- %s | %s | %s | %s -->\n%s\n", m.Title, m.Author, m.Language, m.Modified.Format("2006-01-02"), strings.TrimSpace(string(doc.Body)))
	if *update {
		if err := os.WriteFile(name+".html", []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name + ".html")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestIs_otherDocumentsAreNoFeeds(t *testing.T) {
	for _, body := range []string{"", "<html><body>rss</body></html>", `<?xml version="1.0"?><urlset/>`, `{"version":"1"}`, "rss", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>`, "<", "<!-- <rss> -->"} {
		if Is([]byte(body)) {
			t.Errorf("%q is taken for a feed", body)
		}
		if _, err := Read(t.Context(), []byte(body), Options{}); !errors.Is(err, ErrNotFeed) {
			t.Errorf("%q: got %v", body, err)
		}
	}
}

func TestRead_itemsBeforeTheBreakAreKeptWithAWarning(t *testing.T) {
	doc, err := Read(t.Context(), []byte(`<rss><channel><title>T</title><item><title>One</title></item><item><title>Tw`), Options{})
	if err != nil || len(doc.Warnings) != 1 || !strings.Contains(string(doc.Body), "<h2>One</h2>") {
		t.Errorf("got %s, %+v, %v", doc.Body, doc, err)
	}
}

func TestRead_itemsAreBounded(t *testing.T) {
	body := "<rss><channel><title>T</title>" + strings.Repeat("<item><title>One</title></item>", 20) + "</channel></rss>"
	doc, err := Read(t.Context(), []byte(body), Options{Items: 5})
	if err != nil || len(doc.Warnings) != 1 || strings.Count(string(doc.Body), "<h2>") != 5 {
		t.Errorf("got %s, %+v, %v", doc.Body, doc, err)
	}
}

func TestRead_expandsNoEntities(t *testing.T) {
	doc, err := Read(t.Context(), []byte(`<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><title>a&x;b</title></channel></rss>`), Options{})
	if err != nil || doc.Meta.Title != "a&x;b" {
		t.Errorf("got %+v, %v", doc, err)
	}
}

func TestRead_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, []byte("<rss><channel><title>T</title></channel></rss>"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if body, err := os.ReadFile(name); err == nil {
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		Is(body)
		doc, err := Read(t.Context(), body, Options{URL: "https://example.org/", Text: 1 << 20})
		if err == nil && strings.Contains(strings.ToLower(string(doc.Body)), "<script") {
			t.Errorf("a script in %q", doc.Body)
		}
	})
}

func ExampleRead() {
	body := []byte(`<rss version="2.0"><channel><title>News</title><item><title>One</title><link>https://example.org/1</link><description>Text</description></item></channel></rss>`)
	doc, err := Read(context.Background(), body, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.TrimSpace(string(doc.Body)))
	// Output:
	// <h1>News</h1>
	// <h2><a href="https://example.org/1">One</a></h2>
	// <p>Text</p>
}
