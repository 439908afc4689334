// Package searchtest has the tests that every search.Provider must pass. It may change without notice.
// It also has a scripted SearXNG server for tests and example programs that must not ask the internet.
//
//   - suite.go — [Run]
//   - docs.go — [Doc], what is to be found
//   - searxng.go — [SearXNG]
package searchtest
