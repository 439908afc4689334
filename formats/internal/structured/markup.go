package structured

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// notation says by which attributes a page describes items.
type notation struct {
	scope, types, id, property string
	refs                       string // names elements elsewhere that belong to an item; "" for none
}

var (
	microdata = notation{scope: "itemscope", types: "itemtype", id: "itemid", property: "itemprop", refs: "itemref"}
	rdfa      = notation{scope: "typeof", types: "typeof", id: "resource", property: "property"}
)

// markup reads the items that the tree's attributes describe.
func (r *reader) markup(root *html.Node) {
	r.root = root
	for range root.Descendants() {
		r.Visit()
		r.left++
	}
	r.left = maxLooks*r.left + spareLooks
	for _, n := range []*notation{&microdata, &rdfa} {
		r.below(root, nil, n, 0, nil)
	}
}

// below reads the children of an element for the item that they belong to, nil for none. open
// are the elements under way by itemref.
func (r *reader) below(parent *html.Node, it *Item, n *notation, depth int, open []*html.Node) {
	for c := parent.FirstChild; c != nil; c = c.NextSibling {
		if !r.look() {
			return
		}
		if c.Type == html.ElementNode {
			r.element(c, it, n, depth, open)
		}
	}
}

// look counts a node; false when enough were looked at.
func (r *reader) look() bool {
	r.Visit()
	r.left--
	return r.left >= 0
}

func (r *reader) element(el *html.Node, it *Item, n *notation, depth int, open []*html.Node) {
	scope, isItem := lookup(el, n.scope)
	if n.scope == "typeof" && strings.TrimSpace(scope) == "" {
		isItem = false
	}
	names := r.propertyNames(el, it, n)
	if !isItem {
		for _, name := range names {
			r.add(it, name, r.value(el))
		}
		r.below(el, it, n, depth, open)
		return
	}
	if depth > maxDepth {
		return
	}
	inner := r.scoped(el, it, names, n)
	if inner == nil {
		return
	}
	r.below(el, inner, n, depth+1, open)
	r.referred(el, inner, n, depth+1, open)
}

// scoped makes the item of an element.
func (r *reader) scoped(el *html.Node, parent *Item, names []string, n *notation) *Item {
	it := r.item(nil, "")
	if it == nil {
		return nil
	}
	types, _ := lookup(el, n.types)
	for _, t := range firstFields(types, maxTypes) {
		if t = local(t); t != "" {
			it.Types = append(it.Types, t)
		}
	}
	it.ID, _ = lookup(el, n.id)
	for _, name := range names {
		r.add(parent, name, Value{Item: it})
	}
	return it
}

// referred reads the elements elsewhere that an item names as its own.
func (r *reader) referred(el *html.Node, it *Item, n *notation, depth int, open []*html.Node) {
	if n.refs == "" {
		return
	}
	refs, _ := lookup(el, n.refs)
	for _, id := range firstFields(refs, 100) {
		target := r.byElementID(id)
		if target == nil || len(open) > maxDepth || contains(open, target) {
			continue
		}
		r.element(target, it, n, depth, append(open[:len(open):len(open)], target))
	}
}

func (r *reader) byElementID(id string) *html.Node {
	if r.elements == nil {
		r.elements = map[string]*html.Node{}
		for n := range r.root.Descendants() {
			r.Visit()
			if id, ok := lookup(n, "id"); ok && n.Type == html.ElementNode && r.elements[id] == nil {
				r.elements[id] = n
			}
		}
	}
	return r.elements[id]
}

// propertyNames of an element, none outside of items.
func (r *reader) propertyNames(el *html.Node, it *Item, n *notation) []string {
	if it == nil {
		return nil
	}
	v, ok := lookup(el, n.property)
	if !ok {
		return nil
	}
	names := firstFields(v, 16)
	for i := range names {
		names[i] = local(names[i])
	}
	return names
}

// value of an element that is a property and no item: by the rules of HTML, but that a content
// attribute counts on any element, as pages use it.
func (r *reader) value(el *html.Node) Value {
	v := Value{Shown: r.text(el)}
	if content, ok := lookup(el, "content"); ok {
		v.Text = content
		return v
	}
	key := ""
	switch el.DataAtom {
	case atom.Audio, atom.Embed, atom.Iframe, atom.Img, atom.Source, atom.Track, atom.Video:
		key = "src"
	case atom.A, atom.Area, atom.Link:
		key = "href"
	case atom.Object:
		key = "data"
	case atom.Data, atom.Meter:
		key = "value"
	case atom.Time:
		key = "datetime"
	}
	if given, ok := lookup(el, key); ok && key != "" {
		v.Text = strings.TrimSpace(given)
		return v
	}
	v.Text = v.Shown
	return v
}

func contains(list []*html.Node, n *html.Node) bool {
	for _, m := range list {
		if m == n {
			return true
		}
	}
	return false
}

func firstFields(s string, limit int) []string {
	if len(s) > 10_000 {
		return nil
	}
	list := strings.Fields(s)
	return list[:min(len(list), limit)]
}

func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}
