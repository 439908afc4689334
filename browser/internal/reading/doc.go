// Package reading reads the documents of a tab where the page's scripts can neither see nor forge it: as HTML, as an accessibility tree
// whose elements can be acted on by reference, and by scripts of a world of their own. It may change without notice.
//
// Start from New. A Reader loads nothing.
//
//	reader.go          Options, Reader
//	content.go, .js    Content: the document with shadow trees and frames
//	snapshot.go, .js   Snapshot: what the page shows, as a tree with references
//	ref.go             elements by reference: properties, clicks, focus, choice
//	inspect.go         Inspect: a script in a world of its own
//	frames.go          which frames a page has
//	world.go           worlds apart from the page's scripts, in frames of any process
package reading
