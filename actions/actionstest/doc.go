// Package actionstest proves that an [actions.Page] keeps its contract. It may change without notice.
// It has a fake one for tests that need no browser. Start from [Run] and [NewFake].
//
// The suite brings its own pages as HTML strings and needs no network. It has
// two parts: [RunContract] is what a page without layout and script engine can
// do, and the fake passes it; [RunBrowser] needs a real browser. The pages carry
// data-fake-… attributes that describe to the fake what a browser sees by itself.
//
//   - suite.go — [Run], and what the tests share
//   - contract.go — the reasons, timeouts and the end of the context, on any page
//   - waits.go, clicks.go, frames.go, keyboard.go, scrolls.go, scripts.go, captures.go — what a real browser does
//   - pages.go — the HTML of the suite
//   - fake.go — [Fake], the page of the unit tests
//   - element.go — [Element], of which the fake is made, and its HTML
package actionstest
