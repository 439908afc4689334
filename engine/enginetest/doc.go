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
// A live page shows what scrapes can't: what comes of a click, how it looks, whether it is accessible.
//
//	page := enginetest.Open(t, e, "https://shop.example/")
//	page.Click("#buy")
//	enginetest.MatchScreenshot(t, page, "bought")
//	enginetest.Accessible(t, page)
//
// Sites of others are recorded once, to a file that [Cassette] replays. Examples/testkit is an app that is tested with all of it.
//
// Each engine starts a browser, which takes longer than most tests. The tests of a package
// share one with a TestMain, which has the flags -update and -record too:
//
//	func TestMain(m *testing.M) { os.Exit(enginetest.Shared{M: m}.Run()) }
//
// Pages are cached as in any engine: a test that changes a page and scrapes it again
// uses MaxAge 0.
//
//   - enginetest.go — [New]
//   - shared.go, flags.go — [Shared], one browser for a package, and its flags
//   - page.go, kit.go — [Open]: live pages, and what is known of those of an engine
//   - traffic.go — [Console], [CleanConsole], [Requests]
//   - screenshot.go, still.js — [MatchScreenshot], and how a page is held still
//   - picture.go, fonts.go — pictures that are compared, fonts that text is drawn in
//   - clock.go, clock.js — [Clock], and how the time of a document is stopped
//   - accessible.go — [Accessible]
//   - cassette.go — [Cassette], and how what was requested differs from what was recorded
//   - panics.go — handlers that panic
//   - unknown.go — hosts without a handler
//   - reports.go — what is attached to a failed test
package enginetest
