package formats

import "github.com/winnow-go/winnow/formats/content"

// Tree is the page as main content is looked for in it, with what no format shows left out. It is nil for what is no HTML.
func (d *DOM) Tree() (*content.Tree, content.Mask) {
	if d.kind != kindHTML {
		return nil, nil
	}
	return d.list()
}
