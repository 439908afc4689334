package searchindex

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats"
)

// imagesOf are the images of a page that have a text; the one that the page names as its own comes first, by the page's title.
func imagesOf(ctx context.Context, dom *formats.DOM, p *search.Page, m formats.Metadata) ([]search.PageImage, error) {
	pictures, _, err := dom.Pictures(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]search.PageImage, 0, len(pictures)+1)
	for _, picture := range pictures {
		list = append(list, search.PageImage(picture))
	}
	own := ownImage(p, m)
	if own.URL == "" {
		return list, nil
	}
	at := slices.IndexFunc(list, func(i search.PageImage) bool { return i.URL == own.URL })
	if at < 0 {
		return slices.Insert(list, 0, own), nil
	}
	shown := &list[at]
	shown.Alt = cmp.Or(shown.Alt, own.Alt)
	if shown.Width == 0 || shown.Height == 0 {
		shown.Width, shown.Height = own.Width, own.Height
	}
	return list, nil
}

// ownImage is the image that a page names as its own in Open Graph; without a URL for none, or one without a text.
func ownImage(p *search.Page, m formats.Metadata) search.PageImage {
	i := search.PageImage{
		URL: p.Image, Alt: cmp.Or(named(m, "og:image:alt"), p.Title),
		Width: pixels(named(m, "og:image:width")), Height: pixels(named(m, "og:image:height")),
	}
	if i.Alt == "" || i.Width == 1 || i.Height == 1 {
		return search.PageImage{}
	}
	return i
}

// named is the first value of a meta element.
func named(m formats.Metadata, name string) string {
	if list := m.Extra[name]; len(list) > 0 {
		return list[0]
	}
	return ""
}

// pixels is a length; 0 for one that cannot be read or believed.
func pixels(text string) int {
	const maxPixels = 1 << 20
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxPixels {
		return 0
	}
	return n
}
