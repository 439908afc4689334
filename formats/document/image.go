package document

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"path"
	"strings"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

// imageTypes are the first bytes of images, their media types and names.
var imageTypes = []struct {
	at          int
	magic       string
	media, name string
}{
	{0, "\x89PNG\r\n\x1a\n", "image/png", "PNG"},
	{0, "\xFF\xD8\xFF", "image/jpeg", "JPEG"},
	{0, "GIF87a", "image/gif", "GIF"},
	{0, "GIF89a", "image/gif", "GIF"},
	{8, "WEBPVP8", "image/webp", "WebP"},
	{0, "II*\x00", "image/tiff", "TIFF"},
	{0, "MM\x00*", "image/tiff", "TIFF"},
	{4, "ftypavif", "image/avif", "AVIF"},
	{4, "ftypavis", "image/avif", "AVIF"},
	{4, "ftypheic", "image/heic", "HEIC"},
	{4, "ftypmif1", "image/heif", "HEIF"},
	{0, "\x00\x00\x00\x0CjP  \r\n\x87\n", "image/jp2", "JPEG 2000"},
}

// imageType is the media type and name of an image, "" for what is none.
func imageType(body []byte) (media, name string) {
	for _, t := range imageTypes {
		if len(body) >= t.at && bytes.HasPrefix(body[t.at:], []byte(t.magic)) {
			return t.media, t.name
		}
	}
	const bmpHeader = 14 // then the size of the next header
	if len(body) > bmpHeader+4 && string(body[:2]) == "BM" && body[15]|body[16]|body[17] == 0 && body[bmpHeader] >= 12 {
		return "image/bmp", "BMP"
	}
	return "", ""
}

func isImage(body []byte) bool {
	media, _ := imageType(body)
	return media != ""
}

// convertImage reports an image's type and size and, when OCR is there, its text. Metadata that cameras leave in it isn't read.
func convertImage(ctx context.Context, in Input, o Options) (*Result, error) {
	media, name := imageType(in.Body)
	if media == "" {
		return nil, &DamagedError{Kind: Picture, Err: errors.New("not an image of a known kind")}
	}
	res := &Result{Kind: Picture}
	if in.Name != "" {
		res.Metadata.Title = path.Base(strings.ReplaceAll(in.Name, `\`, "/"))
	}
	about := name + " image"
	if w, h := imageSize(in.Body); w > 0 && h > 0 {
		about += fmt.Sprintf(", %d × %d pixels", w, h)
	}
	body := "<p>" + html.EscapeString(about) + "</p>\n"
	text, err := recognize(ctx, Picture, media, in.Body, o)
	if err != nil {
		return nil, err
	}
	for _, p := range text {
		body += "<p>" + html.EscapeString(p.Text) + "</p>\n"
	}
	res.HTML = writeHTML(res.Metadata, []byte(body))
	return res, nil
}

// recognize reads the text of an image when OCR is wanted. Only ModeOCR makes it an error that there is none.
func recognize(ctx context.Context, kind Kind, media string, body []byte, o Options) ([]Paragraph, error) {
	switch {
	case o.OCR == nil && o.Mode == ModeOCR:
		return nil, &OCRRequiredError{Kind: kind, Pages: 1}
	case o.OCR == nil || o.Mode == ModeFast:
		return nil, nil
	}
	found, err := o.OCR.Recognize(ctx, Image{Body: body, MediaType: media})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &OCRRequiredError{Kind: kind, Pages: 1, Err: err}
	}
	return found.Paragraphs, nil
}

// imageSize is the width and height in pixels, 0 when they are unknown.
func imageSize(body []byte) (w, h int) {
	defer func() {
		if recover() != nil { // a decoder that trusts its input
			w, h = 0, 0
		}
	}()
	if c, _, err := image.DecodeConfig(bytes.NewReader(body)); err == nil {
		return c.Width, c.Height
	}
	head := body[:min(len(body), 64<<10)]
	if i := bytes.Index(head, []byte("ispe")); i >= 0 && len(head) >= i+16 { // AVIF, HEIF: version, width, height
		return int(binary.BigEndian.Uint32(head[i+8:])), int(binary.BigEndian.Uint32(head[i+12:]))
	}
	if i := bytes.Index(head, []byte("ihdr")); i >= 0 && len(head) >= i+12 { // JPEG 2000: height, width
		return int(binary.BigEndian.Uint32(head[i+8:])), int(binary.BigEndian.Uint32(head[i+4:]))
	}
	return 0, 0
}
