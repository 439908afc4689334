package sitemap_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/winnow-go/winnow/crawl/sitemap"
)

func ExampleRead() {
	const doc = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://shop.example/</loc><lastmod>2026-01-02</lastmod><priority>1.0</priority></url>
  <url><loc>/sale</loc></url>
</urlset>`
	for item, err := range sitemap.Read(context.Background(), strings.NewReader(doc), "https://shop.example/sitemap.xml", sitemap.Limits{}) {
		if problem, ok := errors.AsType[*sitemap.Problem](err); ok {
			fmt.Println("problem:", problem.Code, problem.Detail)
		} else if err != nil {
			fmt.Println(err) // the context's
		} else {
			fmt.Println(item.Kind, item.Loc, item.LastMod.Format("2006"), item.Priority)
		}
	}
	// Output:
	// urlset https://shop.example/ 2026 1
	// problem: RELATIVE_LOC /sale
	// urlset https://shop.example/sale 0001 -1
}

// catalog is a Fetcher without a network.
type catalog map[string]string

func (s catalog) Fetch(_ context.Context, url string) (io.ReadCloser, error) {
	doc, ok := s[url]
	if !ok {
		return nil, errors.New("404 Not Found")
	}
	return io.NopCloser(strings.NewReader(doc)), nil
}

func ExampleWalk() {
	site := catalog{
		"https://shop.example/sitemap.xml": `<sitemapindex><sitemap><loc>https://shop.example/pages.txt</loc></sitemap><sitemap><loc>https://shop.example/old.xml</loc></sitemap></sitemapindex>`,
		"https://shop.example/pages.txt":   "https://shop.example/a\nhttps://shop.example/b",
	}
	for u, err := range sitemap.Walk(context.Background(), site, []string{"https://shop.example/sitemap.xml"}, sitemap.WalkOptions{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(u.Loc)
	}
	// Output:
	// https://shop.example/a
	// https://shop.example/b
	// sitemap https://shop.example/old.xml: FETCH_FAILED: 404 Not Found
}
