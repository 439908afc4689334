package document

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/pictures"
)

// Input is a file. Body is neither changed nor kept.
type Input struct {
	// Body is the whole file.
	Body []byte
	// MediaType is the Content-Type that came with it, parameters allowed. It counts less than the content of the body.
	MediaType string
	// Name is the file's name, for its extension. It counts least.
	Name string
	// URL is where the file came from: relative links are resolved against it. Empty leaves them out.
	URL string
	// Password opens an encrypted file. The empty password is always tried.
	Password string
}

// The modes of reading a PDF.
const (
	// ModeAuto reads the text, and uses OCR for pages that have none. It is the default.
	ModeAuto = "auto"
	// ModeFast reads the text only: a scanned file is an OCRRequiredError.
	ModeFast = "fast"
	// ModeOCR uses OCR for every page that shows an image.
	ModeOCR = "ocr"
)

// Options control how a file is read. The zero value reads all of it, with no OCR.
type Options struct {
	// MaxPages is how many pages of a PDF are read. Defaults to 0, which is all (up to Limits.Pages).
	MaxPages int
	// Mode is how a PDF is read: ModeFast, ModeAuto or ModeOCR. Defaults to ModeAuto.
	Mode string
	// Pages requests Result.Pages with the HTML of each page.
	Pages bool
	// Blocks requests Result.Pages with the blocks of each page.
	Blocks bool
	// PageMarkers puts <hr> and a comment "page N" between pages, never before the first.
	PageMarkers bool
	// OCR reads images. Defaults to nil: none.
	OCR OCR
	// PagePictures draws the pages of a PDF that OCR reads, unless they are one upright image. Defaults to nil: OCR gets the largest
	// image of a page, and pages whose text is in shapes or in glyphs that can't be read are named in a warning.
	PagePictures PagePictures
	// Limits bound what a file may cost.
	Limits Limits
	// Extractor reads PDF files in place of this package's reader. Defaults to nil: this package's reader.
	Extractor Extractor
	// Progress is called after each page of a PDF, with how many were read and how many will be. It must return soon. Defaults to nil: no
	// calls.
	Progress func(done, all int)
	// KeepPicture stores a picture of a DOCX, XLSX, PPTX, ODT, ODP, EPUB or PDF, also of one in a ZIP, and returns the address that the
	// HTML gives it in its place. It is called once for each different picture of a file, by content; hash is its SHA-256 in hexadecimal.
	// Pictures are PNG, JPEG, GIF, WebP, AVIF, BMP, and SVG without scripts, as they are in the file; those of a PDF that are no JPEG
	// are made PNG, without transparency. All others, and what exceeds
	// Limits, 32 MiB or 100 million pixels, are left out and named in Warnings, and their alternative text stands in their place; so it
	// does where the address is "". Addresses may have 16 MiB together, each place counted. Of a PDF those count
	// that are content: not masks, what is marked as decoration, is smaller than 16 points, is as large as the page, or is at one place of
	// most pages. An error ends Convert with it. img.Body must not be changed. Defaults to nil: alternative texts stand for pictures,
	// which aren't read.
	KeepPicture func(hash string, img Image) (address string, err error)

	pictures *pictures.Set // of this file and those in it
}

// Limits bound what one file may cost. Zero fields mean their defaults.
type Limits struct {
	// Bytes is the size of a file. Defaults to 50 MiB.
	Bytes int64
	// Unzipped is the size of everything unpacked from a file, together. Defaults to 256 MiB.
	Unzipped int64
	// Entries is the number of entries of an archive. Defaults to 10,000.
	Entries int
	// Cells is the number of table cells of a workbook or text table. Defaults to 1,000,000.
	Cells int
	// Pages is the number of PDF pages or slides. Defaults to 10,000.
	Pages int
	// Memory is about what an office document, e-book or table may take in memory while it is read, beside the HTML made, in bytes: the
	// parts that are unpacked and the elements made of them. Defaults to 256 MiB. Paragraphs and rows are read one after another.
	Memory int64
	// Text is the size of the HTML made, in bytes. Defaults to 32 MiB. What is beyond it is left out, with a warning.
	Text int64
	// Pictures is the number of different pictures that are kept. Defaults to 1,000.
	Pictures int
	// PictureBytes is the size of all pictures that are looked at, together. Defaults to 256 MiB. They don't count as Unzipped.
	PictureBytes int64
}

// DefaultMemory is the default of Limits.Memory.
const DefaultMemory = 256 << 20

func (l Limits) withDefaults() Limits {
	l.Bytes = cmp.Or(max(l.Bytes, 0), 50<<20)
	l.Unzipped = cmp.Or(max(l.Unzipped, 0), 256<<20)
	l.Entries = cmp.Or(max(l.Entries, 0), 10_000)
	l.Cells = cmp.Or(max(l.Cells, 0), 1_000_000)
	l.Pages = cmp.Or(max(l.Pages, 0), 10_000)
	l.Memory = cmp.Or(max(l.Memory, 0), DefaultMemory)
	l.Text = cmp.Or(max(l.Text, 0), 32<<20)
	l.Pictures = cmp.Or(max(l.Pictures, 0), 1000)
	l.PictureBytes = cmp.Or(max(l.PictureBytes, 0), 256<<20)
	return l
}

// Extractor reads a PDF in place of the reader of this package, for example through a native library. Options are
// resolved: no Limits field is zero. It must end when ctx does and is called by many goroutines at once. Its errors
// should be those of this package.
type Extractor interface {
	ExtractPDF(ctx context.Context, in Input, o Options) (*Result, error)
}

// Result is a converted file.
type Result struct {
	// Kind is what the file is.
	Kind Kind
	// HTML is one UTF-8 document with title, meta elements and structure. Pictures are alternative text, but for those that
	// Options.KeepPicture has kept.
	HTML []byte
	// Pages are the pages of a PDF, if Options.Pages or Options.Blocks is set.
	Pages []Page
	// NumPages is how many pages (PDF) or slides were read; TotalPages how many the file has. 0 for other kinds.
	NumPages, TotalPages int
	// Metadata is the file's description of itself.
	Metadata Metadata
	// Incomplete reports that the time was over before all pages of a PDF were read; Warnings name the missing ones.
	Incomplete bool
	// Warnings describe what is missing, in sentences.
	Warnings []string
}

// Metadata is a file's description of itself. Any field may be empty.
type Metadata struct {
	Title, Author, Subject, Language string
	Keywords                         []string
	// Authors are the names in Author, one by one, of a file that lists them: an e-book. Nil for others.
	Authors []string
	// Producer is the program that made the file.
	Producer string
	// Created and Modified are zero if unknown.
	Created, Modified time.Time
}

// Page is one page of a PDF.
type Page struct {
	// Number counts from 1.
	Number int
	// Width and Height are the page's size as shown, in points (1/72 inch).
	Width, Height float64
	// Status is "ok", "partial" (something on the page could not be read) or "failed".
	Status string
	// HTML is the page's content without html and body elements.
	HTML []byte
	// Blocks are in reading order. They include the running headers, footers and page numbers that HTML leaves out.
	Blocks []Block
}

// Block is a part of a page.
type Block struct {
	// ID is "p<page>.b<index>", both from 1.
	ID string
	// Type is title, section_header, text, table, formula, figure, caption, page_number, page_header or page_footer.
	Type string
	// Label is more precise: "heading 2", "list_item", "paragraph".
	Label string
	// BBox is left, top, right, bottom as parts of the page's size, 0 to 1, from the top left.
	BBox [4]float64
	// Text is the block's text, HTML its markup. Headers, footers and page numbers have no HTML.
	Text string
	HTML []byte
	// ReadingOrder counts from 0 on each page.
	ReadingOrder int
	// Source is "text" or "ocr".
	Source string
	// Confidence of layout and text recognition, 0 to 1. Text that was not recognized has OCR 1.
	Confidence Confidence
}

// Confidence is how sure a block is, 0 to 1.
type Confidence struct{ Layout, OCR float64 }

// Convert reads a file. It ends when ctx does, with an error that wraps ctx's; a PDF is read until four fifths of the time to
// ctx's deadline are over, and returned with the pages that were read by then. Errors are those of errors.go; files that are
// partly readable return a Result with Warnings instead. It is safe for concurrent use.
func Convert(ctx context.Context, in Input, o Options) (res *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, &DamagedError{Kind: Detect(in), Err: fmt.Errorf("reader failed: %v", p)}
		}
	}()
	o.Limits = o.Limits.withDefaults()
	if o.Mode == "" {
		o.Mode = ModeAuto
	}
	if int64(len(in.Body)) > o.Limits.Bytes {
		return nil, &TooLargeError{What: "bytes", Limit: o.Limits.Bytes}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.KeepPicture != nil && o.pictures == nil {
		return convertPictured(ctx, in, o)
	}
	kind := Detect(in)
	if len(in.Body) == 0 && kind.Converts() && kind != CSV && kind != TSV && kind != JSONL {
		return nil, &DamagedError{Kind: kind, Err: errEmpty}
	}
	if kind == PDF {
		return convertPDF(ctx, in, o)
	}
	return convertOther(ctx, kind, in, o)
}
