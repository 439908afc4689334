// Package pdf reads PDF files: text in reading order with headings, lists, tables and links, as HTML. Package reader
// opens the file and says where each character stands; columns, tables and paragraphs are found here.
//
// It draws nothing, recognizes no text itself (a Recognizer may), writes no file, and knows no web page and no
// markdown. Every file is untrusted: time, bytes unpacked, objects, pages, glyphs, forms within forms and text are
// bounded, and no file makes it panic. Start from Read.
//
//	options.go     Options, Document, Page, Block
//	errors.go      typed errors
//	read.go        Read: the flow from file to pages, in order
//
//	words.go       characters to words
//	bullets.go     marks of list items that are drawn
//	lines.go       words to lines; text from right to left
//	space.go       the white space of a page
//	columns.go     columns: which part of a page is read after which
//	gutter.go      the white strip between two columns
//	tagged.go      tables that the file has marked
//	leftout.go     empty cells that it leaves out of them
//	figures.go     pictures: which are content, and their addresses
//	passages.go    the order and the paragraphs that it has marked
//	grid.go        tables and the rules around them
//	records.go     records that no rule parts
//	aligned.go     tables by alignment
//	rows.go        the rows of such a table
//	cutoff.go      rows that the end of a page or column parts from their table
//	continued.go   tables that go on in the next column or on the next page
//	beside.go      columns that go on beside each other over pages
//	cells.go       how much aligned text looks like a table
//	furniture.go   running headers, footers, page numbers
//	blocks.go      a region's tables, pictures, code and text
//	paragraphs.go  lines to paragraphs and list items
//	inline.go      text with links and emphasis; hyphens
//	headings.go    which blocks are headings, and of which level
//	output.go      lists, the HTML
//
//	unread.go      pages whose glyphs can't be read
//	recognize.go   scanned pages
package pdf
