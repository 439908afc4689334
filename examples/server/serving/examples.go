package serving

import "github.com/winnow-go/winnow/engine/httpapi"

// pageExamples are what the page offers of the built-in sites: of each a page, and the formats in which it is worth seeing.
func (s *settings) pageExamples() []httpapi.PageExample {
	if !s.demo {
		return nil
	}
	return []httpapi.PageExample{
		{URL: "https://shop.example/products/hand-mill", About: "a product", Formats: []string{"markdown", "product"}},
		{URL: "https://blog.example/articles/the-east-wind", About: "an article", Formats: []string{"markdown", "links"}},
		{URL: "https://cafe.example/", About: "a menu", Formats: []string{"markdown", "menu"}},
		{URL: "https://files.example/report.pdf", About: "a PDF", Formats: []string{"markdown"}},
		{URL: "https://lab.example/changing", About: "a page that changes", Formats: []string{"markdown", "changeTracking"}},
		{URL: "https://app.example/", About: "a page made by scripts", Formats: []string{"markdown", "screenshot"}},
	}
}
