package content

import (
	"slices"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Tree is a parsed page as a list in document order, so that a subtree is a range and statistics are
// sums over ranges. It refers to the nodes of the page and is valid while these do not change.
// It is not safe for concurrent use.
type Tree struct {
	nodes   []node
	steps   *walk.Steps
	classes map[string]mark // while it is made
}

type node struct {
	*html.Node
	parent int32 // index of the parent; -1 for the root
	end    int32 // index after the last descendant
	block  int32 // index of the nearest block element, the node itself included
	before int32 // words of all nodes before it
	words  int32 // of a text that a reader sees
	marks  int32 // of its sentences
	mark   mark
	inLink bool
	unseen bool // script, style and the like: no reader sees what is inside
}

// NewTree lists the elements and texts under root. Comments and the like are left out. All that is done with the tree is counted by
// steps, which may be nil, and left when their context ends: see package walk.
func NewTree(steps *walk.Steps, root *html.Node) *Tree {
	t := &Tree{steps: steps, classes: make(map[string]mark)}
	t.nodes = slices.Grow(*lists.Get().(*[]node), t.count(root))
	t.add(root, node{parent: -1})
	t.classes = nil
	words := int32(0)
	for i := range t.nodes {
		t.nodes[i].before = words
		words += t.nodes[i].words
	}
	return t
}

// lists have room for another page.
var lists = sync.Pool{New: func() any { return new([]node) }}

// maxPassedOn is how many nodes a list may have that is passed on.
const maxPassedOn = 1 << 16

// Free passes on the memory of the list to the next page. Nothing of it may be used any more.
func (t *Tree) Free() {
	if list := t.nodes; cap(list) <= maxPassedOn {
		clear(list)
		list = list[:0]
		lists.Put(&list)
	}
	t.nodes = nil
}

// Watch makes other steps count what is done with the tree from now on.
func (t *Tree) Watch(steps *walk.Steps) { t.steps = steps }

// count is the number of elements and texts in a subtree.
func (t *Tree) count(n *html.Node) int {
	sum := 1
	t.steps.Visit()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode {
			sum += t.count(c)
		}
	}
	return sum
}

// add appends n and what is below it; from is the entry it inherits from.
func (t *Tree) add(n *html.Node, from node) {
	t.steps.Visit()
	i := len(t.nodes)
	e := node{Node: n, parent: from.parent, block: from.block, inLink: from.inLink, unseen: from.unseen}
	switch n.Type {
	case html.ElementNode:
		e.inLink = e.inLink || n.DataAtom == atom.A
		e.unseen = e.unseen || isUnseen(n)
		e.mark = markOf(n, t.classes)
		if isBlock(n) {
			e.block = int32(i)
		}
	case html.TextNode:
		if !e.unseen {
			e.words = int32(Words(n.Data))
			e.marks = int32(sentences(n.Data))
		}
	}
	t.nodes = append(t.nodes, e)
	e.parent = int32(i)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode {
			t.add(c, e)
		}
	}
	t.nodes[i].end = int32(len(t.nodes))
}

// Len is the number of nodes; the root has index 0.
func (t *Tree) Len() int { return len(t.nodes) }

// Node is the node at index i.
func (t *Tree) Node(i int) *html.Node { return t.nodes[i].Node }

// End is the index after the last descendant of the node at index i.
func (t *Tree) End(i int) int { return int(t.nodes[i].end) }

func (t *Tree) parent(i int) int { return int(t.nodes[i].parent) }

// Mask says for each node of a Tree whether it is left out, with all that is below it.
// Under a node that is left out the entries mean nothing.
type Mask []bool

// NewMask is a mask that leaves nothing out.
func (t *Tree) NewMask() Mask { return make(Mask, len(t.nodes)) }

// Each calls visit for the nodes that the mask keeps, in document order.
func (t *Tree) Each(m Mask, visit func(i int, n *html.Node)) {
	for i := 0; i < len(t.nodes); {
		t.steps.Visit()
		if m[i] {
			i = t.End(i)
			continue
		}
		visit(i, t.nodes[i].Node)
		i++
	}
}

// Words counts the words that a reader sees of what the mask keeps.
func (t *Tree) Words(m Mask) int {
	sum := 0
	t.Each(m, func(i int, _ *html.Node) { sum += int(t.nodes[i].words) })
	return sum
}

// SeenWords is what [Tree.Words] counts of a whole page, without a list of it.
func SeenWords(steps *walk.Steps, n *html.Node) int {
	steps.Visit()
	switch {
	case n.Type == html.TextNode:
		return Words(n.Data)
	case isUnseen(n) || nodes.IsUnseen(n):
		return 0
	}
	sum := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		sum += SeenWords(steps, c)
	}
	return sum
}

// Text is the text that a reader sees of what the mask keeps, white space folded.
func (t *Tree) Text(m Mask) string {
	var f folder
	last := int32(-1)
	t.Each(m, func(i int, n *html.Node) {
		e := &t.nodes[i]
		if e.block != last || n.DataAtom == atom.Br || n.DataAtom == atom.Img {
			f.gap()
			last = e.block
		}
		if n.Type == html.TextNode && !e.unseen {
			f.text(n.Data)
		}
	})
	return f.String()
}

// Copy returns a copy of what the mask keeps, without links to the page; nil when the root is left
// out. edit is called for each new element before its children are added. room is where it lies.
func (t *Tree) Copy(room *nodes.Room, m Mask, edit func(*html.Node)) *html.Node {
	if m[0] {
		return nil
	}
	return t.CopyFrom(room, 0, m, edit)
}

// CopyFrom is Copy for the subtree of the node at index from, which must not be left out.
func (t *Tree) CopyFrom(room *nodes.Room, from int, m Mask, edit func(*html.Node)) *html.Node {
	end := t.End(from)
	copies := make([]*html.Node, end-from)
	for i := from; i < end; {
		t.steps.Visit()
		if m[i] {
			i = t.End(i)
			continue
		}
		copies[i-from] = copied(room, t.nodes[i].Node, edit)
		if i > from {
			copies[t.parent(i)-from].AppendChild(copies[i-from])
		}
		i++
	}
	return copies[0]
}

// copiesAtOnce is how many nodes or attributes are allocated for copies at once.
const copiesAtOnce = 128

func copied(room *nodes.Room, n *html.Node, edit func(*html.Node)) *html.Node {
	c := room.Node(copiesAtOnce)
	c.Type, c.DataAtom, c.Data, c.Namespace = n.Type, n.DataAtom, n.Data, n.Namespace
	if len(n.Attr) > 0 {
		c.Attr = room.Attributes(n.Attr, copiesAtOnce)
	}
	if n.Type == html.ElementNode {
		edit(c)
	}
	return c
}

// isUnseen reports elements whose text is not for readers.
func isUnseen(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Title, atom.Svg,
		atom.Noembed, atom.Noframes, atom.Datalist:
		return true
	}
	return n.Namespace == "svg"
}

// isBlock reports elements that begin a line of their own.
func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Br, atom.Cite, atom.Code, atom.Data,
		atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Img, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Nobr, atom.Q,
		atom.Ruby, atom.Rb, atom.Rt, atom.Rp, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time,
		atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Picture, atom.Source, atom.Input:
		return false
	}
	return n.Namespace == ""
}

// WordsBelow counts the words that a reader sees in the subtree of the node at index i.
func (t *Tree) WordsBelow(i int) int {
	last := &t.nodes[t.End(i)-1]
	return int(last.before + last.words - t.nodes[i].before)
}

// UnseenMask leaves out what no format shows: the head, scripts, styles and what is for pages without them.
func UnseenMask(t *Tree) Mask {
	m := t.NewMask()
	t.Each(m, func(i int, n *html.Node) { m[i] = nodes.IsUnseen(n) })
	return m
}
