package fasttree

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// stack holds the elements that are open, the outermost first.
type stack struct{ open []open }

// open is an element on the stack.
type open struct {
	*html.Node
	is flags
}

func (s *stack) top() open { return s.open[len(s.open)-1] }

func (s *stack) pop() { s.open = s.open[:len(s.open)-1] }

// find is the place of the innermost element of a name in a scope, which the flags end; -1 for none.
func (s *stack) find(scope flags, names ...atom.Atom) int {
	for i := len(s.open) - 1; i >= 0; i-- {
		o := &s.open[i]
		for _, name := range names {
			if o.DataAtom == name && o.Namespace == "" {
				return i
			}
		}
		if o.is&scope != 0 {
			return -1
		}
	}
	return -1
}

// close ends the innermost element of a name in a scope, and all in it.
func (s *stack) close(scope flags, names ...atom.Atom) bool {
	i := s.find(scope, names...)
	if i >= 0 {
		s.open = s.open[:i]
	}
	return i >= 0
}

// closeTo ends the elements within the innermost of those names.
func (s *stack) closeTo(names ...atom.Atom) {
	for i := len(s.open) - 1; i >= 0; i-- {
		for _, name := range names {
			if s.open[i].DataAtom == name {
				s.open = s.open[:i+1]
				return
			}
		}
	}
}

// endImplied ends the innermost elements whose end tags may be left out, up to one of the name that is excepted.
func (s *stack) endImplied(except atom.Atom) {
	for top := s.top(); top.is&ends != 0 && (except == 0 || top.DataAtom != except); top = s.top() {
		s.pop()
	}
}

// remove takes an element off the stack, and leaves those within it open.
func (s *stack) remove(n *html.Node) {
	if i := s.indexOf(n); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
	}
}

func (s *stack) isOpen(n *html.Node) bool { return s.indexOf(n) >= 0 }

// indexOf is the place of an open element; -1 for one that isn't.
func (s *stack) indexOf(n *html.Node) int {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i].Node == n {
			return i
		}
	}
	return -1
}

// endItem ends the item that is open, for the next one.
func (s *stack) endItem(names ...atom.Atom) {
	for i := len(s.open) - 1; i >= 0; i-- {
		switch o := s.open[i]; {
		case o.DataAtom == names[0] || o.DataAtom == names[1]:
			s.open = s.open[:i]
			return
		case o.is&special != 0 && o.is&passed == 0:
			return
		}
	}
}

// endOther ends the innermost element of a name, if no special one is open within it.
func (s *stack) endOther(name string) {
	for i := len(s.open) - 1; i >= 0; i-- {
		o := s.open[i]
		if o.Namespace == "" && o.Data == name {
			s.open = s.open[:i]
			return
		}
		if o.is&special != 0 {
			return
		}
	}
}

func (o open) isHeading() bool { return o.Namespace == "" && elements[o.Data].start == heading }

// The scopes.
const (
	scopeDefault = stops
	scopeItem    = stops | stopsItem
	scopeButton  = stops | stopsP
	scopeTable   = stopsTable
)
