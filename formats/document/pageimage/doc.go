// Package pageimage draws pages of PDF files as pictures. It may change without notice.
//
// A picture is of a page, or of a region, such as that of a block: for looking, for citing and for text recognition.
//
// It is PDFium (by go-pdfium), compiled to WebAssembly and run by wazero: it needs no C compiler and no library on the machine. An
// instance of it sees one file, and neither the disk nor the network; a file that breaks it, or takes too long, costs that instance.
// Fonts that a file names and does not have are drawn in PDFium's own, which have Latin letters only. Scripts of a file don't run. Only
// programs that import this package link it, some 11 MB. Its text is a second opinion: package document reads files by itself, and is
// compared with it in tests.
//
//	renderer, err := pageimage.New(pageimage.Options{CacheDir: dir})
//	…
//	defer renderer.Close() // after the engine
//	e, err := engine.New(engine.Options{PagePictures: renderer}) // text recognition sees pages as they are shown
//
// Start from New and Renderer.Open.
//
//	renderer.go  Renderer: options, start and end
//	file.go      File: an open file, and how its calls end
//	draw.go      pages and regions as pictures; sizes and text
//	pages.go     pages for the text recognition of package document
package pageimage
