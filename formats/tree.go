package formats

import "github.com/winnow-go/winnow/formats/content"

// Tree is the page as main content is looked for in it, with a mask of what no format shows, for training: see
// formats/content/train. Both are nil when the page is not HTML.
func (d *DOM) Tree() (*content.Tree, content.Mask) {
	if d.kind != kindHTML {
		return nil, nil
	}
	return d.list()
}
