package pdf

import (
	"context"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
	"github.com/winnow-go/winnow/formats/document/internal/pictures"
)

// Modes of reading.
const (
	ModeAuto = "auto" // text, and recognition for pages without, and for those whose glyphs can't be read
	ModeFast = "fast" // text only
	ModeOCR  = "ocr"  // recognition for every page that shows an image
)

// Options control how a file is read. The zero value reads every page's text.
type Options struct {
	// MaxPages is how many pages are read. 0: all.
	MaxPages int
	// Mode is ModeAuto, ModeFast or ModeOCR. Empty: ModeAuto.
	Mode string
	// Markers puts <hr> and a comment with the page's number between pages.
	Markers bool
	// Password opens an encrypted file; the empty one is tried too.
	Password string
	// Recognize reads the text of an image. nil: images have no text.
	Recognize Recognizer
	// Draw draws a page, counted from 1, of all for Recognize. nil: pages are recognized by their largest image, and those whose text is
	// not in one are named in a warning.
	Draw func(ctx context.Context, page, all int) (image []byte, mediaType string, err error)
	// Pictures takes the pictures of pages that are content. nil: alternative texts stand for them.
	Pictures *pictures.Set
	// Unpacked bounds the bytes of all streams unpacked together. 0: 256 MiB.
	Unpacked int64
	// Text bounds the HTML, in bytes. 0: 32 MiB. What is beyond is left out, with a warning.
	Text int64
	// ResolveURL makes a link's URL absolute; "" drops the link. nil: links stay as they are.
	ResolveURL func(string) string
	// Progress is called after each page that was read, with how many there are. nil: no calls.
	Progress func(done, all int)
}

// Recognizer reads an image of the given media type. It ends when ctx does.
type Recognizer func(ctx context.Context, image []byte, mediaType string) ([]Recognized, error)

// Recognized is a paragraph read from an image. Box is left, top, right, bottom as parts of the image, or zero.
type Recognized struct {
	Text       string
	Box        [4]float64
	Confidence float64
}

// Document is the result of Read.
type Document struct {
	// HTML is the content of all pages, without html and body elements.
	HTML  []byte
	Pages []Page
	// TotalPages is the number of pages in the file.
	TotalPages int
	Info       reader.Info
	// Incomplete reports that pages are missing because the time was over.
	Incomplete bool
	Warnings   []string
}

// Page is one page. Width and Height are in points, as shown.
type Page struct {
	Number        int
	Width, Height float64
	Status        string // "ok", "partial", "failed"
	HTML          []byte
	Blocks        []Block
}

// Block is a part of a page, in reading order.
type Block struct {
	Type  string // as facts call it: title, section_header, text, table, figure, caption, page_header, …
	Label string // more precise: "heading 2", "paragraph", "list_item", "code"
	Box   [4]float64
	Text  string
	HTML  []byte
	// OCR is the confidence of text that was recognized, 0 for text of the file.
	OCR float64
}
