package structured

import (
	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Bounds of what is read of a page.
const (
	maxItems  = 5000    // of all three notations together
	maxValues = 50_000  // of all items together
	maxDepth  = 32      // of items within items, and of arrays within arrays
	maxText   = 100_000 // bytes of one value
	maxLooks  = 8       // nodes that are looked at for each node of the page: some are looked at again
	// spareLooks is for small pages.
	spareLooks = 1000
)

// Page is the input of Read.
type Page struct {
	// Scripts are the texts of the JSON-LD scripts, repaired where pages break JSON. One that
	// isn't JSON is left out.
	Scripts [][]byte
	// Root of the page's tree, which isn't changed. Nil: there is none.
	Root *html.Node
	// Steps count the nodes that are looked at, and end the reading with their context: see package walk. Nil: neither.
	Steps *walk.Steps
}

// Graph holds the items of a page.
type Graph struct {
	// Items are all, those within others too, in the page's order: JSON-LD first. Mere
	// references stand for their targets and aren't listed.
	Items []*Item
}

// Read returns the items of a page.
func Read(p Page) *Graph {
	r := &reader{Steps: p.Steps, graph: &Graph{}, byID: map[string]*Item{}}
	for _, script := range p.Scripts {
		r.script(script)
	}
	if p.Root != nil {
		r.markup(p.Root)
	}
	r.resolve()
	return r.graph
}

// Of returns the items of one of the types, in order.
func (g *Graph) Of(types ...string) []*Item {
	var list []*Item
	for _, it := range g.Items {
		if it.Is(types...) {
			list = append(list, it)
		}
	}
	return list
}

type reader struct {
	*walk.Steps
	graph  *Graph
	byID   map[string]*Item // the first that says something
	values int
	left   int // nodes that may still be looked at
	limit  int // bytes of the text under way

	elements map[string]*html.Node // by id, made when first needed
	root     *html.Node
}

// item makes one, nil when there are enough.
func (r *reader) item(parent *Item, via string) *Item {
	if len(r.graph.Items) >= maxItems {
		return nil
	}
	it := &Item{Parent: parent, Via: via}
	r.graph.Items = append(r.graph.Items, it)
	return it
}

func (r *reader) add(it *Item, name string, v Value) {
	if name == "" || r.values >= maxValues {
		return
	}
	r.values++
	if len(v.Text) > maxText {
		v.Text = validPrefix(v.Text, maxText)
	}
	it.add(name, v)
}

// resolve puts what is meant in the place of references, and takes the references out of the
// list. Items of the same id are one: what the later ones say is added to the first.
func (r *reader) resolve() {
	for _, it := range r.graph.Items {
		if first := r.byID[it.ID]; it.ID != "" && first == nil && !it.reference() {
			r.byID[it.ID] = it
		}
	}
	kept := r.graph.Items[:0:0]
	for _, it := range r.graph.Items {
		r.replace(it)
		if !it.reference() {
			kept = append(kept, it)
		}
	}
	r.graph.Items = kept
}

func (r *reader) replace(it *Item) {
	for _, name := range it.names {
		list := it.props[name]
		for i := range list {
			v := &list[i]
			if v.Item == nil || !v.Item.reference() {
				continue
			}
			meant := r.byID[v.Item.ID]
			if meant == nil {
				*v = Value{Text: v.Item.ID, Shown: v.Shown}
				continue
			}
			v.Item = meant
			if meant.Parent == nil && meant != it && !isAncestor(meant, it) {
				meant.Parent, meant.Via = it, name
			}
		}
	}
}

// isAncestor reports whether a is above it, so that parents never make a circle.
func isAncestor(a, it *Item) bool {
	for steps := 0; it != nil && steps < 4*maxDepth; steps++ {
		if it == a {
			return true
		}
		it = it.Parent
	}
	return it != nil // too long a way to be sure
}
