// Package documenttest makes pages of known structure and scores what is read from their prints. It may change without notice.
//
// It prints nothing and reads no file: a browser prints Made.Page, the reader under test makes HTML of the print, and
// Compare says how much of the structure that HTML has. Start from Make and Compare.
//
//	made.go      Make: a page of a kind, by seed
//	kinds.go     the kinds of pages
//	tables.go    tables with rules, without, with cells that span
//	words.go     sentences and names by chance
//	blocks.go    HTML to blocks, in reading order
//	compare.go   Compare: order, headings and tables
//	tree.go      the distance of two trees
package documenttest
