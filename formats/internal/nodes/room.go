package nodes

import (
	"sync"

	"golang.org/x/net/html"
)

// Room is where the nodes of a page lie, many of them allocated at once. The zero value is ready, and left to the garbage collector. It is
// not safe for concurrent use.
type Room struct {
	nodes chunks[html.Node]
	attrs chunks[html.Attribute]
}

// maxPassedOn is how many nodes, and attributes, a room may have that is passed on.
const maxPassedOn = 1 << 16

var rooms = sync.Pool{New: func() any { return new(Room) }}

// BorrowRoom returns an empty room. It may be given back, or left to the garbage collector.
func BorrowRoom() *Room { return rooms.Get().(*Room) }

// GiveBack passes the room on to the next page. Nothing of what lies in it may be used any more.
func (r *Room) GiveBack() {
	if r.nodes.size > maxPassedOn || r.attrs.size > maxPassedOn {
		return
	}
	r.nodes.clear()
	r.attrs.clear()
	rooms.Put(r)
}

// Node returns an empty node. Where there is no room left it is allocated together with those to come, so many in all.
func (r *Room) Node(atOnce int) *html.Node { return &r.nodes.take(1, atOnce)[0] }

// Attributes copies a list, to which nothing can be added in place. Where there is no room left it is allocated together with others to
// come, so many in all.
func (r *Room) Attributes(list []html.Attribute, atOnce int) []html.Attribute {
	own := r.attrs.take(len(list), atOnce)
	copy(own, list)
	return own
}

// chunks are pieces of memory, filled one after the other.
type chunks[T any] struct {
	all  [][]T
	size int // of all
	used int // chunks that are full, and the one that is being filled
	rest []T // of that one
}

func (c *chunks[T]) take(n, atOnce int) []T {
	for len(c.rest) < n {
		if c.used == len(c.all) {
			c.all = append(c.all, make([]T, max(n, atOnce)))
			c.size += len(c.all[c.used])
		}
		c.rest = c.all[c.used]
		c.used++
	}
	taken := c.rest[:n:n]
	c.rest = c.rest[n:]
	return taken
}

func (c *chunks[T]) clear() {
	for _, chunk := range c.all[:c.used] {
		clear(chunk)
	}
	c.used, c.rest = 0, nil
}
