// Package enginetest gives tests an engine whose web is made of handlers: pages are
// rendered by a real browser, and nothing leaves the process.
//
//	e := enginetest.New(t, map[string]http.Handler{"shop.example": handler})
//	doc, err := e.Scrape(ctx, "https://shop.example/", engine.ScrapeOptions{})
//
// The engine is closed with the test. A request to a host that isn't among the
// handlers fails the test. When a test has failed, what the last pages wrote to
// their consoles, what they requested, and how they looked is attached to its log.
//
// Pages are cached as in any engine: a test that changes a page and wants to see the
// change scrapes it with MaxAge 0.
//
//   - enginetest.go — [New]
//   - unknown.go — hosts that nobody serves
//   - reports.go — what is attached to a failed test
package enginetest
