package formats

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/brand"
	"github.com/winnow-go/winnow/formats/internal/menus"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/products"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
)

// Brand is the look of a site: the answer of the branding format.
type Brand = brand.Brand

// product is the page's own, nil for none.
func (d *DOM) product() *product.Product {
	return products.Find(products.Page{
		Graph:     d.data.Graph(d.steps, d.doc),
		Root:      d.doc,
		Steps:     d.steps,
		Metas:     d.metas(),
		URL:       d.src.URL,
		Canonical: d.said.Canonical,
		Title:     cmp.Or(d.said.Title, d.said.OGTitle),
		Language:  d.said.Language,
		Absolute:  d.absolute,
	})
}

// menu is the page's, nil for none.
func (d *DOM) menu() *menu.Menu {
	return menus.Find(menus.Page{Graph: d.data.Graph(d.steps, d.doc), URL: d.src.URL, Language: d.said.Language, Absolute: d.absolute})
}

// maxMetas bounds the meta elements that are read for a product.
const maxMetas = 500

// metas are the values of the page's meta elements by name or property in lower case.
func (d *DOM) metas() map[string][]string {
	m, n := map[string][]string{}, 0
	d.eachElement(atom.Meta, func(el *html.Node) {
		name := strings.ToLower(strings.TrimSpace(cmp.Or(nodes.Attr(el, "property"), nodes.Attr(el, "name"))))
		if value := strings.TrimSpace(nodes.Attr(el, "content")); name != "" && value != "" && n < maxMetas {
			m[name] = append(m[name], value)
			n++
		}
	})
	return m
}

func (d *DOM) eachElement(a atom.Atom, visit func(*html.Node)) {
	for n := range d.nodes() {
		if n.DataAtom == a && n.Namespace == "" {
			visit(n)
		}
	}
}
