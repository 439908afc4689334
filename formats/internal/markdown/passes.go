package markdown

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// work is what one conversion knows beside its tree: it counts the nodes that are visited. Helpers that go through a
// subtree are its methods, so that none is left out.
type work struct {
	steps   *walk.Steps
	options Options
	holds   contents // of the tree at the beginning

	// Results about subtrees that are remembered while the tree doesn't change.
	codeTables map[*html.Node]codeTable
	numeric    map[*html.Node]bool       // whether there are but numbers in an element
	languages  map[*html.Node]string     // of code, as elements around it name them
	lastTexts  map[*html.Node]*html.Node // of headings
	besides    map[*html.Node]trail      // of headings: the way to their last text
	voids      map[*html.Node]bool       // of tables and items; nil where they change
	fits       map[*html.Node]fit        // of tables in tables
	around     int                       // tables around the one that is brought into shape
}

// contents are what a tree holds that passes are for, which needn't walk it otherwise. No pass before them makes any.
type contents struct{ code, definitions bool }

func (c *contents) see(n *html.Node) {
	switch n.DataAtom {
	case atom.Pre, atom.Code:
		c.code = true
	case atom.Dt, atom.Dd, atom.Summary:
		c.definitions = true
	}
}

// when is a pass that is left out unless there is something for it; what there is is known when it comes to it.
func (w *work) when(is *bool, pass func(*html.Node)) func(*html.Node) {
	return func(root *html.Node) {
		if *is {
			pass(root)
		}
	}
}

// trail is the nodes from one down to another.
type trail map[*html.Node]bool

// passes are the steps that bring a tree into shape, in their order. Each walks the tree once; the first one finds out what it holds.
func (w *work) passes() []func(*html.Node) {
	return []func(*html.Node){
		w.cutDepth,
		w.cutLinks,
		w.dropUnseen,
		w.pictures,
		w.mathInText,
		w.footnotes,
		w.when(&w.holds.code, w.flattenCode),
		w.markTaskBoxes,
		w.dropNoise,
		w.linkedBlocks,
		w.when(&w.holds.definitions, w.definitionLists),
		w.normalizeTables,
		w.unwrapContainers,
		w.repairLists,
		w.limitNesting,
		w.unwrapInline,
	}
}

// walk calls visit for every element below n, parents before children. visit may remove or replace
// its element; returning false keeps walk out of it.
func (w *work) walk(n *html.Node, visit func(*html.Node) bool) {
	for c := n.FirstChild; c != nil; {
		w.steps.Visit()
		next := c.NextSibling
		if c.Type == html.ElementNode && visit(c) && c.Parent == n {
			w.walk(c, visit)
			next = c.NextSibling
		}
		c = next
	}
}

// walkUnder is walk that knows the heading around each element, nil for none.
func (w *work) walkUnder(n, heading *html.Node, visit func(n, heading *html.Node) bool) {
	for c := n.FirstChild; c != nil; {
		w.steps.Visit()
		next := c.NextSibling
		if c.Type == html.ElementNode && visit(c, heading) && c.Parent == n {
			inner := heading
			if isHeading(c) {
				inner = c
			}
			w.walkUnder(c, inner, visit)
			next = c.NextSibling
		}
		c = next
	}
}

func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// unwrap puts the children of n in its place.
func unwrap(n *html.Node) {
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	remove(n)
}

// rename makes n another element; its attributes are dropped.
func rename(n *html.Node, a atom.Atom) {
	n.DataAtom, n.Data, n.Attr = a, a.String(), nil
}

func element(a atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
}

// Elements whose text is Markdown already and is written as it stands: in a line, and as a block of its own.
const (
	verbatimInline = "verbatim"
	verbatimBlock  = "verbatim-block"
)

// verbatim is an element of the given name, one of the two above, that holds s.
func verbatim(name, s string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name}
	n.AppendChild(text(s))
	return n
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key && a.Namespace == "" })
}

func setAttr(n *html.Node, key, val string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = val
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

// hasToken reports whether one of n's class names is among names.
func hasToken(n *html.Node, names map[string]bool) bool {
	for token := range strings.FieldsSeq(attr(n, "class")) {
		if names[strings.ToLower(token)] {
			return true
		}
	}
	return false
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// textOf is all the text below n.
func (w *work) textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	w.collectText(n, &b)
	return b.String()
}

func (w *work) collectText(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		} else {
			w.collectText(c, b)
		}
	}
}

// has reports whether an element that matches is below n.
func (w *work) has(n *html.Node, match func(*html.Node) bool) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type == html.ElementNode && (match(c) || w.has(c, match)) {
			return true
		}
	}
	return false
}
