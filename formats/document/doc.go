// Package document turns files into HTML: PDF, office documents, feeds, images. The answer is one HTML document with
// headings, paragraphs, lists, tables and links, which is then cleaned and rendered like any page.
//
// It fetches nothing and writes nothing. It doesn't render markdown (formats does) and knows no cache and no engine.
// Files are untrusted: every reader here is bounded in time, memory and output, and none of them panics.
// Start from Convert; Detect returns the kind of a file.
//
//	document.go    Input, Options, Limits, Result; Convert
//	kinds.go       Kind, all of them; kinds by media type and name
//	detect.go      Detect: content first, then media type and name
//	errors.go      the errors, as types
//	html.go        the HTML document around a converted body
//	ocr.go         OCR: text from images
//	pictures.go    PagePictures: pages of a PDF, drawn for OCR
//	tesseract.go   Tesseract, the OCR that runs an installed program
//	pdf.go         PDF files, by package pdf or by an Extractor
//	office.go      office documents and feeds, by packages office and feed
//	archive.go     zip archives: a section for each file, by package archive
//	jsonl.go       lines of JSON
//	image.go       images
//	embedded.go    pictures that are in files
//
// # Files
//
// A URL, or a file handed to Engine.Parse, may be a PDF, docx, xlsx, pptx, doc, xls, ppt, odt, ods, odp, rtf, epub, eml, msg, csv, zip, a
// feed, JSON lines or a picture: formats/document detects the kind by the content first, then by type and name, and
// turns it into HTML, which is rendered like any page. go run ./examples/parse FILE… does it on the command line.
// The cache keeps the bytes, so any parser option can be applied later. Nothing in a file is run or fetched; what it
// may unpack to is bounded.
//
//   - PDF: text in reading order, also of several columns; headings by size, lists, tables, links; running headers
//     and footers left out. Parsers: [{Type: "pdf", …}]: Mode, MaxPages, Pages, Blocks (with boxes), PageMarkers,
//     Password. One credit a page. A scan needs text recognition: tesseract, where it is installed, or Options.OCR;
//     else SCRAPE_PDF_OCR_REQUIRED. Options.PagePictures (package pageimage) draws pages for it whose text is in several images,
//     in shapes or in glyphs that can't be read; without it, the latter two are named in a warning. Options.PDFExtractor plugs in
//     another reader.
//   - A zip archive that is no office file gives a section for each file, with its path as heading and its content by its own
//     kind. Count, size and ratio are bounded; archives in it stay closed. Files that are encrypted, too large, damaged or of no
//     readable kind are named in warnings. What macOS puts beside files is left out. A crawl doesn't follow links to archives.
//   - Not read: binary workbooks (xlsb), and files that are encrypted without their password or too damaged:
//     SCRAPE_UNSUPPORTED_FILE_ERROR; from Parse, UNSUPPORTED_FILE_TYPE for a type that can't be read, and
//     BAD_REQUEST for a file of 0 bytes; over HTTP all of them are 400.
//   - audio and video: the address of what the page plays, from elements, JSON-LD, meta elements, links and, for
//     sound, the page's feed.
package document
