package pageimage

import (
	"bytes"
	"context"
	"image"
	"image/png"

	"github.com/klippa-app/go-pdfium/requests"

	"github.com/winnow-go/winnow/formats/document"
)

var _ document.PagePictures = (*Renderer)(nil)

// OpenPages implements document.PagePictures.
func (r *Renderer) OpenPages(ctx context.Context, in document.Input) (document.OpenPages, error) {
	f, err := r.Open(ctx, in.Body, in.Password)
	if err != nil {
		return nil, err
	}
	return pages{f}, nil
}

type pages struct{ *File }

// recognitionDPI is what text recognition is made for: letters of 10 points are 40 pixels high.
const recognitionDPI = 300

// DrawPage implements document.OpenPages: a page as PNG in shades of gray, of 300 pixels an inch, or of fewer where those would be too
// many.
func (p pages) DrawPage(ctx context.Context, number int) (document.Image, error) {
	var b bytes.Buffer
	err := p.draw(ctx, number, View{}, recognitionDPI, requests.RenderImageFormatGrayscale, func(drawn image.Image) error {
		e := png.Encoder{CompressionLevel: png.BestSpeed}
		return e.Encode(&b, drawn)
	})
	if err != nil {
		return document.Image{}, err
	}
	return document.Image{Body: b.Bytes(), MediaType: "image/png"}, nil
}
