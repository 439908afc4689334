package formats

import (
	"context"
	"math"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
)

// page is what cleaning leaves of a DOM.
type page struct {
	tree *content.Tree
	all  content.Mask // without onlyMainContent
	main content.Mask // with it; nil when not requested, or when nothing would be left

	unmatched  bool     // no element matches includeTags
	confidence *float64 // of main; nil when there is none, or it has no words
	replaced   *page    // the page itself, where the content comes from its data and LeftOut is requested; else nil
}

func (p page) mask() content.Mask {
	if p.main != nil {
		return p.main
	}
	return p.all
}

// leftOut is what onlyMainContent leaves out.
func (p page) leftOut() []LeftOut {
	switch {
	case p.replaced != nil:
		nothing := p.replaced.tree.NewMask()
		nothing[0] = true
		return leftOutOf(p.replaced.tree, p.replaced.all, nothing)
	case p.main != nil:
		return leftOutOf(p.tree, p.all, p.main)
	}
	return nil
}

// nothingFound is the confidence of main content that comes out empty.
func (p page) nothingFound() *float64 {
	if p.confidence == nil {
		return nil
	}
	return new(0.0)
}

// foundMain is the main content of the page as it is.
func (d *DOM) foundMain() content.Found {
	t, unseen := d.list()
	if d.found == nil {
		d.found = new(t.Find(unseen))
	}
	return *d.found
}

func (d *DOM) mainMask() content.Mask { return d.foundMain().Kept }

// findMain leaves the main content of p, or all of it when that has neither words nor images.
func (d *DOM) findMain(p *page) {
	var found content.Found
	if p.tree == d.tree && &p.all[0] == &d.unseen[0] {
		found = d.foundMain()
	} else {
		found = p.tree.Find(p.all)
	}
	if p.tree.Words(found.Kept) > 0 {
		p.main, p.confidence = found.Kept, new(rounded(found.Confidence))
		return
	}
	images := false
	p.tree.Each(found.Kept, func(_ int, n *html.Node) { images = images || n.DataAtom == atom.Img })
	if images {
		p.main = found.Kept
	}
}

// rounded keeps the significant digits of a confidence.
func rounded(c float64) float64 { return math.Round(c*1000) / 1000 }

// IsArticle reports whether the page is an article (news, a blog post, an essay): by its structure, or because it says so in
// JSON-LD, microdata or og:type, however short it is. A page that is not HTML is none.
func (d *DOM) IsArticle(ctx context.Context) (_ bool, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return false, nil
	}
	t, unseen := d.list()
	return t.IsArticle(unseen), nil
}
