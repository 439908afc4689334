package content

import (
	"slices"
	"sync"

	"golang.org/x/net/html"
)

// Room is where copies of nodes lie, many of them allocated at once. The zero value is ready, and left to the garbage collector. It is
// not safe for concurrent use.
type Room struct {
	nodes [][]html.Node
	attrs [][]html.Attribute
	node  int // the chunk of nodes that is being filled
	attr  int // that of attributes
}

// roomOfCopies is how many nodes or attributes are allocated at once.
const roomOfCopies = 128

// maxChunks is how many chunks of either a room may have that is passed on.
const maxChunks = 512

var copyRooms = sync.Pool{New: func() any { return new(Room) }}

// BorrowRoom returns an empty room. It may be given back, or left to the garbage collector.
func BorrowRoom() *Room { return copyRooms.Get().(*Room) }

// GiveBack passes the room on to the next page. Nothing of what was copied into it may be used any more.
func (r *Room) GiveBack() {
	if len(r.nodes) > maxChunks || len(r.attrs) > maxChunks {
		return
	}
	for i, chunk := range r.nodes {
		clear(chunk)
		r.nodes[i] = chunk[:0]
	}
	for i, chunk := range r.attrs {
		clear(chunk)
		r.attrs[i] = chunk[:0]
	}
	r.node, r.attr = 0, 0
	copyRooms.Put(r)
}

func (r *Room) copy(n *html.Node, edit func(*html.Node)) *html.Node {
	c := r.newNode()
	c.Type, c.DataAtom, c.Data, c.Namespace = n.Type, n.DataAtom, n.Data, n.Namespace
	if len(n.Attr) > 0 {
		c.Attr = r.attributes(n.Attr)
	}
	if n.Type == html.ElementNode {
		edit(c)
	}
	return c
}

func (r *Room) newNode() *html.Node {
	if r.node < len(r.nodes) && len(r.nodes[r.node]) == roomOfCopies {
		r.node++
	}
	if r.node == len(r.nodes) {
		r.nodes = append(r.nodes, make([]html.Node, 0, roomOfCopies))
	}
	chunk := &r.nodes[r.node]
	*chunk = (*chunk)[:len(*chunk)+1]
	return &(*chunk)[len(*chunk)-1]
}

// attributes copies a list, to which nothing can be added in place.
func (r *Room) attributes(list []html.Attribute) []html.Attribute {
	if len(list) > roomOfCopies {
		return slices.Clip(slices.Clone(list))
	}
	if r.attr < len(r.attrs) && len(list) > roomOfCopies-len(r.attrs[r.attr]) {
		r.attr++
	}
	if r.attr == len(r.attrs) {
		r.attrs = append(r.attrs, make([]html.Attribute, 0, roomOfCopies))
	}
	chunk := &r.attrs[r.attr]
	from := len(*chunk)
	*chunk = append(*chunk, list...)
	return slices.Clip((*chunk)[from:])
}
