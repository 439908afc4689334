// Package document turns files into HTML: PDF, office documents, feeds, images. The answer is one HTML document with
// headings, paragraphs, lists, tables and links, which is then cleaned and rendered like any page.
//
// It fetches nothing and writes nothing. It doesn't render markdown (formats does) and knows no cache and no engine.
// Files come from strangers: every reader here is bounded in time, memory and output, and none of them panics.
// Start from Convert; Detect tells what a file is.
//
//	document.go    Input, Options, Limits, Result; Convert
//	kinds.go       Kind, all of them; what media types and names tell
//	detect.go      Detect: content first, then media type and name
//	errors.go      what can go wrong, as types
//	html.go        the HTML document around a converted body
//	ocr.go         OCR: text from images
//	tesseract.go   Tesseract, the OCR that runs an installed program
//	pdf.go         PDF files, by package pdf or by an Extractor
//	office.go      office documents and feeds, by packages office and feed
//	jsonl.go       lines of JSON
//	image.go       images
package document
