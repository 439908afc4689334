// Package pdf reads PDF files: text in reading order with headings, lists, tables and links, as HTML. It may change without notice.
//
// It draws nothing, recognizes no text itself (a Recognizer may), writes no file, and knows no web page and no
// markdown. ledongthuc/pdf is used as the reader of objects only, behind a view of the file that was checked before;
// pdfcpu decrypts, and rewrites what can be opened in no other way. Content, fonts and layout are read here.
//
// Every file is untrusted: time, bytes unpacked, objects, pages, glyphs, forms within forms and text are bounded,
// and no file makes it panic. Start from Read.
//
//	options.go     Options, Document, Page, Block
//	errors.go      typed errors
//	read.go        Read: the flow from file to pages, in order
//
//	budget.go      time and bytes that a file may still cost
//	lex.go         PDF syntax: tokens and objects
//	lexstrings.go  its strings and names
//	xref.go        the cross-reference, checked
//	repair.go      a cross-reference made by searching for objects
//	serialize.go   objects in plain syntax, for objects found by searching
//	overlay.go     the view of the file that the object reader gets
//	rewrite.go     pdfcpu as second opener
//	file.go        an open file: the ways to open it, fonts, optional content
//	objects.go     values of the file, without panics
//	filters.go     streams unpacked
//	pages.go       the page tree, content, links, forms and notes
//	info.go        title, author, dates, outline
//	tags.go        headings and alternative texts of tagged files
//
//	interpret.go   content streams: the operators and the state
//	showtext.go    text operators: where each character stands
//	marks.go       marked content: replacement text, artifacts, numbers
//	draw.go        paths: the rules of tables
//	font.go        strings to characters and widths
//	cmap.go        character maps
//	encoding.go    encodings and names of glyphs
//	truetype.go    the glyph tables of an embedded font
//	type1.go       the same for Type 1
//
//	words.go       characters to words
//	lines.go       words to lines; text from right to left
//	regions.go     lines to columns
//	grid.go        tables and the rules around them
//	aligned.go     tables by alignment
//	furniture.go   running headers, footers, page numbers
//	blocks.go      a region's tables, pictures, code and text
//	paragraphs.go  lines to paragraphs and list items
//	inline.go      text with links and emphasis; hyphens
//	output.go      headings, lists, the HTML
//
//	images.go      images as files, for recognition
//	recognize.go   scanned pages
package pdf
