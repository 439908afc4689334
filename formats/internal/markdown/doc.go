// Package markdown writes a page's elements as GitHub-flavoured Markdown.
//
// The tree is first brought into a shape that Markdown can hold, by passes that each do one thing and can be tested alone; the answers of
// one of them about an element and all around it are remembered, so that no subtree is walked again at each level (work, in passes.go).
// html-to-markdown then walks the tree from element to element, and this package's renderer writes each of them, and its texts, in one
// go. The package neither cleans a page of boilerplate nor resolves URLs: those in the tree are written as they stand. Start from Convert.
//
//	convert.go   Convert: passes, then the writer
//	writer.go    html-to-markdown as the walker, and what each element becomes
//	sheet.go     what is written on: blocks, their distances, lists and quotations
//	line.go      the line that is being collected: white space, marks, code
//	texts.go     texts, and addresses in them
//	emphasis.go  marks where they would not be read as such, and signs that would
//	delimiters.go  whether a reader finds the emphasis that was meant
//	escape.go    the rest of what needs a backslash
//	address.go   links, images and their addresses
//	passes.go    the order of the passes, and small helpers on the tree
//	depth.go     trees, and links in links, that are too deep to work on
//	noise.go     what readers do not miss: heading anchors, skip links, empty links
//	pictures.go  pictures that show nothing; data.go: pictures that are data; beside.go: texts said twice
//	media.go     frames, players and embedded files as links, titles of drawings
//	footnotes.go footnotes from links that lead there and back, and as text
//	math.go      formulas from their sources
//	mathtext.go  formulas in texts that a script would render
//	mathml.go    MathML as TeX; its signs are in texsymbols.go
//	code.go      code blocks of plain text
//	language.go  the language of a code block
//	linkedpre.go preformatted texts with links
//	linenumbers.go  line numbers beside code, and tables that hold both
//	cards.go     links that wrap blocks
//	lists.go     task boxes, definition lists, nesting, loose and tight
//	tables.go    tables: which stay one in Markdown, which become lists or blocks
//	grid.go      a table as rows of cells in their columns
//	cells.go     cells on one line
//	tables_write.go  tables as text
//	unwrap.go    elements that go but leave what they hold
//	inline.go    spans, empty emphasis, links in code, characters that no text needs
package markdown
