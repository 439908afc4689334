package formats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
	"github.com/winnow-go/winnow/formats/structured"
)

// things are what the page describes for machines, read once.
func (d *DOM) things() *structured.Graph {
	if d.graph == nil {
		p := structured.Page{Root: d.doc, Steps: d.steps}
		for _, s := range d.data {
			if s.linked {
				p.Scripts = append(p.Scripts, repairJSON(s.text))
			}
		}
		d.graph = structured.Read(p)
	}
	return d.graph
}

// product is the page's own, nil for none.
func (d *DOM) product() *product.Product {
	return product.Find(product.Page{
		Graph:     d.things(),
		Root:      d.doc,
		Steps:     d.steps,
		Metas:     d.metas(),
		URL:       d.src.URL,
		Canonical: d.said.Canonical,
		Title:     first(d.said.Title, d.said.OGTitle),
		Language:  d.said.Language,
		Absolute:  d.absolute,
	})
}

// menu is the page's, nil for none.
func (d *DOM) menu() *menu.Menu {
	return menu.Find(menu.Page{Graph: d.things(), URL: d.src.URL, Language: d.said.Language, Absolute: d.absolute})
}

// maxMetas bounds the meta elements that are read for a product.
const maxMetas = 500

// metas are the values of the page's meta elements by name or property in lower case.
func (d *DOM) metas() map[string][]string {
	m, n := map[string][]string{}, 0
	d.eachElement(atom.Meta, func(el *html.Node) {
		name := strings.ToLower(strings.TrimSpace(first(attr(el, "property"), attr(el, "name"))))
		if value := strings.TrimSpace(attr(el, "content")); name != "" && value != "" && n < maxMetas {
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
