package fasttree

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (l *inline) startFormatting(r rule) {
	switch r {
	case link:
		if a := l.activeOf(atom.A); a != nil {
			l.endFormatting(atom.A)
			l.remove(a)
			l.deactivate(a)
		}
		l.goOn()
	case nobr:
		l.goOn()
		if l.find(scopeDefault, atom.Nobr) >= 0 {
			l.endFormatting(atom.Nobr)
			l.goOn()
		}
	default:
		l.goOn()
	}
	l.addFormatting()
}

// addFormatting opens the element of the tag, which goes on where it is left open. Of several alike, three do.
func (l *inline) addFormatting() {
	l.add()
	n := l.top().Node
	slices.SortFunc(n.Attr, compareAttrs)
	for i, alike := len(l.active)-1, 0; i >= 0 && l.active[i] != nil; i-- {
		if other := l.active[i]; other.DataAtom == n.DataAtom && slices.Equal(other.Attr, n.Attr) {
			if alike++; alike >= 3 {
				l.active = slices.Delete(l.active, i, i+1)
			}
		}
	}
	l.active = append(l.active, n)
}

func compareAttrs(a, b html.Attribute) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Val, b.Val))
}

// goOn opens those active elements again that have ended without end tags.
func (l *inline) goOn() {
	first := len(l.active)
	for first > 0 && l.active[first-1] != nil && !l.isOpen(l.active[first-1]) {
		first--
	}
	for i := first; i < len(l.active); i++ {
		l.push(l.copyOf(l.active[i]), 0)
		l.active[i] = l.top().Node
	}
}

// activeOf is the last active element of a name; nil for none.
func (l *inline) activeOf(name atom.Atom) *html.Node {
	for i := len(l.active) - 1; i >= 0 && l.active[i] != nil; i-- {
		if l.active[i].DataAtom == name {
			return l.active[i]
		}
	}
	return nil
}

func (l *inline) isActive(n *html.Node) bool { return slices.Contains(l.active, n) }

func (l *inline) deactivate(n *html.Node) {
	if i := slices.Index(l.active, n); i >= 0 {
		l.active = slices.Delete(l.active, i, i+1)
	}
}

// clearActive forgets the active elements of a part of a page that has ended.
func (l *inline) clearActive() {
	for len(l.active) > 0 {
		last := l.active[len(l.active)-1]
		if l.active = l.active[:len(l.active)-1]; last == nil {
			return
		}
	}
}
