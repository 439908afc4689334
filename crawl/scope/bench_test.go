package scope

import (
	"fmt"
	"testing"
)

// BenchmarkJudge is one link of a page as it has hundreds: most internal, some not, some with a fragment, some files.
func BenchmarkJudge(b *testing.B) {
	var links []Link
	for i := range 300 {
		url := fmt.Sprintf("https://example.com/docs/page-%d?ref=%d", i, i%7)
		switch i % 10 {
		case 3:
			url = fmt.Sprintf("https://example.com/assets/picture-%d.png", i)
		case 5:
			url = fmt.Sprintf("https://other-%d.org/page", i)
		case 7:
			url = fmt.Sprintf("https://shop.example.com/product/%d/", i)
		case 9:
			url = fmt.Sprintf("https://www.example.com/docs/page-%d#part", i)
		}
		links = append(links, Link{URL: url, From: "https://example.com/docs/", Hops: 1})
	}
	patterns := []string{`^/docs/`, `^/product/\d+`, `\.html$`}
	for name, o := range map[string]Options{
		"plain":    {},
		"similar":  {DeduplicateSimilarURLs: true, IgnoreQueryParameters: true},
		"patterns": {IncludePaths: patterns, ExcludePaths: []string{`/private/`, `(?i)login|logout`}, DeduplicateSimilarURLs: true},
		"wide":     {AllowSubdomains: true, AllowExternalLinks: true, DeduplicateSimilarURLs: true},
	} {
		b.Run(name, func(b *testing.B) {
			s := mustNew(b, o)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s.Judge(links[i%len(links)])
				i++
			}
		})
	}
}
