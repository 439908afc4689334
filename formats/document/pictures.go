package document

import (
	"context"
	"fmt"
)

// PagePictures draws pages of PDF files as they are shown, for text recognition. Those are pages whose text is in images, of any
// compression, number and direction, in shapes, or in glyphs that can't be read. Package pageimage has one. Implementations are safe for
// concurrent use.
type PagePictures interface {
	// OpenPages opens a file. Its errors should be those of this package.
	OpenPages(ctx context.Context, in Input) (OpenPages, error)
}

// OpenPages are the pages of an open file.
type OpenPages interface {
	// NumPages is how many pages the file has.
	NumPages() int
	// DrawPage draws a page, counted from 1, as an image for text recognition. It ends when ctx does.
	DrawPage(ctx context.Context, number int) (Image, error)
	Close() error
}

// drawing opens a file for its pictures when the first is wanted. It is used by one goroutine.
type drawing struct {
	from  PagePictures
	in    Input
	pages OpenPages
	err   error // of opening
}

// draw implements pdf.Options.Draw. In a damaged file the two readers may find other pages: a number means nothing then.
func (d *drawing) draw(ctx context.Context, number, all int) (image []byte, mediaType string, err error) {
	if d.pages == nil && d.err == nil {
		d.pages, d.err = d.from.OpenPages(ctx, d.in)
	}
	if d.err == nil && d.pages.NumPages() != all {
		d.err = fmt.Errorf("the page pictures are of %d pages, the file has %d", d.pages.NumPages(), all)
	}
	if d.err != nil {
		return nil, "", d.err
	}
	picture, err := d.pages.DrawPage(ctx, number)
	return picture.Body, picture.MediaType, err
}

func (d *drawing) close() {
	if d.pages != nil {
		_ = d.pages.Close() // what was drawn is there
	}
}
