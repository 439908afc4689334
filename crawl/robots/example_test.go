package robots_test

import (
	"fmt"

	"github.com/winnow-go/winnow/crawl/robots"
)

func Example() {
	body := []byte(`
User-agent: *
Crawl-delay: 2
Disallow: /private/
Allow: /private/press/

Sitemap: https://example.com/sitemap.xml
`)
	file, again := robots.FromStatus(200, body)
	fmt.Println(again)
	for _, url := range []string{"https://example.com/private/a", "https://example.com/private/press/b", "https://example.com/"} {
		line, _ := file.Rule("winnow", url)
		fmt.Printf("%v %q\n", file.Allowed("winnow", url), line)
	}
	fmt.Println(file.CrawlDelay("winnow"))
	fmt.Println(file.Sitemaps())
	// Output:
	// false
	// false "Disallow: /private/"
	// true "Allow: /private/press/"
	// true ""
	// 2s true
	// [https://example.com/sitemap.xml]
}
