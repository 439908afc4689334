package fasttree

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxAdoptions is how many blocks one end tag moves.
const maxAdoptions = 8

// endFormatting ends a formatting element. A block that has begun in it is moved behind it, with a copy of the element within: the HTML
// standard calls that the adoption agency algorithm.
func (l *inline) endFormatting(name atom.Atom) {
	if top := l.top(); top.DataAtom == name && !l.isActive(top.Node) {
		l.pop()
		return
	}
	for i := 0; i < maxAdoptions && l.refused == ""; i++ {
		n := l.activeOf(name)
		if n == nil {
			l.endOther(name.String())
			return
		}
		at := l.indexOf(n)
		switch {
		case at < 0:
			l.deactivate(n)
			return
		case l.find(scopeDefault, name) < 0:
			return
		}
		block := slices.IndexFunc(l.open[at:], func(o open) bool { return o.is&special != 0 })
		if block < 0 {
			l.open = l.open[:at]
			l.deactivate(n)
			return
		}
		l.adopt(n, at, at+block)
	}
}

// adopt moves the block that is open at a place behind the formatting element at another, and what is between them into the block.
func (l *inline) adopt(n *html.Node, at, blockAt int) {
	around, block := l.open[at-1], l.open[blockAt].Node
	if around.is&tablePart != 0 {
		l.refuse("moved out of a table")
		return
	}
	last, bookmark := l.rewrap(block, at, blockAt)
	move(last, around.Node)
	again := l.copyOf(n)
	for c := block.FirstChild; c != nil; c = block.FirstChild {
		move(c, again)
	}
	block.AppendChild(again)
	if old := slices.Index(l.active, n); old < bookmark {
		bookmark--
	}
	l.deactivate(n)
	l.active = slices.Insert(l.active, bookmark, again)
	l.remove(n)
	l.open = slices.Insert(l.open, l.indexOf(block)+1, open{again, 0})
}

// rewrap puts copies of the formatting elements between around the block. It returns the outermost, and where in the list of active
// elements the next copy goes.
func (l *inline) rewrap(block *html.Node, at, blockAt int) (last *html.Node, bookmark int) {
	const copied = 3 // those further out aren't
	last, bookmark = block, slices.Index(l.active, l.open[at].Node)
	for i, level := blockAt-1, 1; i > at; i, level = i-1, level+1 {
		active := slices.Index(l.active, l.open[i].Node)
		switch {
		case active < 0:
			l.open = slices.Delete(l.open, i, i+1)
			continue
		case level > copied:
			l.active = slices.Delete(l.active, active, active+1)
			if active <= bookmark {
				bookmark--
			}
			continue
		}
		again := l.copyOf(l.open[i].Node)
		l.active[active], l.open[i] = again, open{again, 0}
		if last == block {
			bookmark = active + 1
		}
		move(last, again)
		last = again
	}
	return last, bookmark
}

// copyOf is an element without what is in it.
func (l *inline) copyOf(n *html.Node) *html.Node {
	return l.element(n.DataAtom, n.Data, slices.Clone(n.Attr))
}

// move puts a node, which may be a copy that is nowhere yet, under another.
func move(n, to *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
	to.AppendChild(n)
}
