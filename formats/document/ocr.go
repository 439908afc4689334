package document

import "context"

// OCR reads the text of an image. Implementations are safe for concurrent use and end when ctx does.
type OCR interface {
	// Recognize reads one image: PNG, JPEG, TIFF, GIF, BMP, WebP, JPEG 2000 or AVIF, as far as the implementation
	// can. An image without text is an empty answer, not an error.
	Recognize(ctx context.Context, img Image) (Recognized, error)
}

// Image is an image to read.
type Image struct {
	Body []byte
	// MediaType is like "image/png".
	MediaType string
	// Language is a language tag as hint. Empty: unknown.
	Language string
}

// Recognized is the text of an image.
type Recognized struct {
	// Paragraphs are in reading order; lines inside one are already joined.
	Paragraphs []Paragraph
}

// Paragraph is recognized text that belongs together.
type Paragraph struct {
	Text string
	// BBox is left, top, right, bottom as parts of the image's size, from the top left. Zero if unknown.
	BBox [4]float64
	// Confidence is 0 to 1.
	Confidence float64
}
