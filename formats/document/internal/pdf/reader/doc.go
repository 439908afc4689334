// Package reader opens PDF files and interprets their pages: which characters, rules and pictures stand where. It puts
// nothing in order and makes no text of them.
//
// ledongthuc/pdf is used as the reader of objects only, behind a view of the file that was checked before; pdfcpu
// decrypts, and rewrites what can be opened in no other way. Content and fonts are read here. What a file may cost is
// bounded by its Budget; when time is up, functions panic with Stopped, which the caller recovers.
//
// Start from Open, then NewInterpreter for each page.
//
//	budget.go      time and bytes that a file may still cost
//	errors.go      typed errors
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
//	tags.go        headings and alternative texts of tagged files; tagtables.go: their tables and lists;
//	               tagparts.go: their paragraphs, in order
//	images.go      images as files, for recognition
//
//	interpret.go   content streams: the operators and the state
//	showtext.go    text operators: where each character stands
//	marks.go       marked content: replacement text, artifacts, numbers
//	draw.go        paths: the rules of tables
//	font.go        strings to characters and widths
//	composite.go   fonts of many glyphs: codes to CIDs to characters
//	cmap.go        character maps
//	vertical.go    where glyphs of vertical writing stand
//	encoding.go    encodings and names of glyphs
//	numbered.go    names that are numbers
//	truetype.go    the glyph tables of an embedded font
//	type1.go       the same for Type 1
//	cff.go         the same for the Compact Font Format
package reader
