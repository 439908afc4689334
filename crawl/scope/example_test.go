package scope_test

import (
	"fmt"

	"github.com/winnow-go/winnow/crawl/scope"
)

func Example() {
	s, err := scope.New(scope.Options{
		Seed:                   "https://example.com/docs/",
		ExcludePaths:           []string{`/archive/`},
		AllowSubdomains:        true,
		DeduplicateSimilarURLs: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, url := range []string{
		"http://www.example.com/docs/start/index.html",
		"https://example.com/docs/archive/2019",
		"https://example.com/about",
		"https://api.example.com/v2",
		"https://example.org/",
	} {
		v := s.Judge(scope.Link{URL: url, From: "https://example.com/docs/", Hops: 1})
		if v.Accepted() {
			fmt.Println("yes:", v.Key)
		} else {
			fmt.Println("no: ", v.Reason, v.Detail)
		}
	}
	// Output:
	// yes: https://example.com/docs/start
	// no:  EXCLUDE_PATTERN /archive/
	// no:  BACKWARD_CRAWLING outside /docs/
	// yes: https://api.example.com/v2
	// no:  EXTERNAL_LINK example.org
}
