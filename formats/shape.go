package formats

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// shapeDepth is how many levels below the body are looked at: deeper ones depend on the text.
const shapeDepth = 3

// Shape returns a digest of the page's layout, in 32 hexadecimal digits: which kinds of elements divide it, down to the third level below
// its body, by tag, id and first class. Texts, numbers, order and repetition don't count, so pages of one template mostly have one shape.
// "" for a body that isn't HTML.
func (d *DOM) Shape(ctx context.Context) (_ string, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return "", nil
	}
	var body *html.Node
	for n := range d.nodes() {
		if n.DataAtom == atom.Body {
			body = n
			break
		}
	}
	if body == nil {
		return "", nil
	}
	parts := map[string]bool{partName(body): true}
	d.layoutBelow(body, "", shapeDepth, parts)
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, name)
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return hex.EncodeToString(sum[:16]), nil
}

// layoutBelow collects the parts below n, each with the way to it.
func (d *DOM) layoutBelow(n *html.Node, way string, depth int, parts map[string]bool) {
	if depth == 0 {
		return
	}
	for c := range n.ChildNodes() {
		d.steps.Visit()
		if c.Type == html.ElementNode && divides(c) {
			path := way + ">" + partName(c)
			parts[path] = true
			d.layoutBelow(c, path, depth-1, parts)
		}
	}
}

// divides reports elements that lay a page out, rather than those that its text consists of.
func divides(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Header, atom.Nav, atom.Main, atom.Section, atom.Article, atom.Aside, atom.Footer, atom.Form:
		return true
	case atom.Div:
		return nodes.Has(n, "id") || nodes.Has(n, "class")
	}
	return strings.Contains(n.Data, "-") && n.Namespace == ""
}

// partName names an element by its tag, and by its id or its first class.
func partName(n *html.Node) string {
	name := nodes.Attr(n, "id")
	if name == "" {
		if classes := strings.Fields(nodes.Attr(n, "class")); len(classes) > 0 {
			name = "." + classes[0]
		}
	}
	return n.Data + "#" + wordsOf(name)
}

// wordsOf drops the parts of a name that have digits: numbers of pages, and what build tools add.
func wordsOf(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	parts = slices.DeleteFunc(parts, func(s string) bool { return strings.ContainsAny(s, "0123456789") })
	return strings.Join(parts, "-")
}
