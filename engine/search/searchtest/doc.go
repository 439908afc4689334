// Package searchtest has the tests that every search.Provider must pass. It may change without notice.
// It also has a scripted SearXNG server for tests and example programs that must not use the internet.
//
//   - suite.go — [Run]
//   - docs.go — [Doc], a page to be found
//   - searxng.go — [SearXNG]
package searchtest
