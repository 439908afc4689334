// Package enginetest gives tests an engine whose websites are HTTP handlers: pages are
// rendered by a real browser, and no request leaves the machine.
//
//	e := enginetest.New(t, map[string]http.Handler{"shop.example": handler})
//	doc, err := e.Scrape(ctx, "https://shop.example/", engine.ScrapeOptions{})
//
// The engine is closed with the test. A request to a host without a
// handler fails the test, as does a handler's panic. When a test fails, its log has the
// console messages, the requests and the screenshots of the last pages.
//
// Each engine starts a browser, which takes longer than most tests. The tests of a package
// share one with a TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(enginetest.Shared{M: m}.Run()) }
//
// Pages are cached as in any engine: a test that changes a page and scrapes it again
// uses MaxAge 0.
//
//   - enginetest.go — [New]
//   - shared.go — [Shared], one browser for a package
//   - panics.go — handlers that panic
//   - unknown.go — hosts without a handler
//   - reports.go — what is attached to a failed test
package enginetest
