// Package markdown writes a page's elements as GitHub-flavoured Markdown.
//
// The tree is first brought into a shape that Markdown can hold, by passes that each do one thing and
// can be tested alone; html-to-markdown then writes it. The package neither cleans a page of
// boilerplate nor resolves URLs: those in the tree are written as they stand. Start from Convert.
//
//	convert.go   Convert: passes, then the writer
//	writer.go    the writer and its renderers for links, images and task boxes
//	passes.go    the order of the passes, and small helpers on the tree
//	noise.go     what readers do not miss: heading anchors, skip links, empty links
//	media.go     frames, players and embedded files as links, titles of drawings
//	math.go      formulas from their sources
//	mathtext.go  formulas in texts that a script would render
//	mathml.go    MathML as TeX; its signs are in texsymbols.go
//	code.go      code blocks of plain text
//	language.go  the language of a code block
//	linenumbers.go  line numbers beside code, and tables that hold both
//	cards.go     links that wrap blocks
//	lists.go     task boxes, definition lists, nesting
//	tables.go    tables: which stay one in Markdown, which become lists or blocks
//	grid.go      a table as rows of cells in their columns
//	cells.go     cells on one line
//	tables_write.go tables as text
//	inline.go    spans, empty emphasis, characters that the writer needs for itself
//	tidy.go      the last touch on the text: tight lists, no trailing blanks
package markdown
