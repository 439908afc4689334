// Package viewdiff says in few lines how a snapshot of a live page differs from the one before it, so that a model that works on the page
// need not read all of it again after each step. It may change without notice.
//
// Start with [Between].
//
//   - viewdiff.go — [Between]: which lines have come, gone and changed, and where
//   - script.go — the shortest way from one list of lines to the other
package viewdiff
