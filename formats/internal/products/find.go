package products

import (
	"cmp"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/structured"
	"github.com/winnow-go/winnow/formats/internal/walk"
	"github.com/winnow-go/winnow/formats/product"
)

// Bounds of one product.
const (
	maxVariants = 200
	maxImages   = 30
	maxText     = 20_000 // bytes of a description; other texts are a tenth
)

// Page is the input of Find.
type Page struct {
	// Graph of the things that the page describes. Nil: none.
	Graph *structured.Graph
	// Root of the tree, for how prices are shown. Nil: not known.
	Root *html.Node
	// Steps count the nodes that are looked at, and end the search with their context: see package walk. Nil: neither.
	Steps *walk.Steps
	// Metas are the values of meta elements by their names in lower case.
	Metas map[string][]string
	// URL of the page, absolute, and Canonical as it names itself, absolute or "".
	URL, Canonical string
	// Title of the page.
	Title string
	// Language of the page, BCP 47; may be empty.
	Language string
	// Absolute resolves a reference of the page; "" when it is none. Nil leaves all as they are.
	Absolute func(string) string
}

// Find returns the page's product, nil when the page has none, or several of which none is shown
// to be its own: a list of products isn't a product.
func Find(p Page) *product.Product {
	f := &finder{Page: p}
	if f.Absolute == nil {
		f.Absolute = func(s string) string { return s }
	}
	if f.Graph == nil {
		f.Graph = &structured.Graph{}
	}
	var out *product.Product
	if own := f.own(); own != nil {
		out = f.read(own)
	}
	if out = f.addMetas(out); out == nil {
		return nil
	}
	f.finish(out)
	return out
}

type finder struct {
	Page
}

// finish adds what belongs to every product.
func (f *finder) finish(p *product.Product) {
	p.URL = cmp.Or(f.Canonical, f.URL)
	p.Category = cmp.Or(p.Category, f.breadcrumbs(p.Title))
	if p.Variants == nil {
		p.Variants = []product.Variant{}
	}
	for i := range p.Variants {
		if v := &p.Variants[i]; v.Images == nil {
			v.Images = []product.Image{}
		}
	}
	f.showPrices(p)
}

// short bounds a text that isn't a description.
func short(s string) string { return cut(s, maxText/10) }

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
