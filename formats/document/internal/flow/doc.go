// Package flow writes the HTML that document readers make: paragraphs of styled text, headings, lists,
// tables, in the order a reader meets them.
//
// A reader reports what it finds (an item of level 2, a bold text); the package handles the nesting,
// escaping and the bound on the output. It knows no file format. Start from New.
//
//	flow.go      Flow: blocks one after another; Budget
//	inline.go    Inline: the text of a paragraph, Style
//	list.go      items of nested lists
//	table.go     Table
//	fragment.go  Fragment: foreign HTML, reduced to harmless structure
//	document.go  Document and Meta, the results of readers
package flow
