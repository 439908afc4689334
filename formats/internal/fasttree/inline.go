package fasttree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inline adds parts of a line of text.
type inline struct {
	maker
	// active are the formatting elements that are open, or go on where text comes next; nil marks where those outside don't.
	active []*html.Node
}

func (l *inline) startVoid(r rule) {
	switch r {
	case image:
		l.tok.el, l.tok.name = elements["img"], "img"
		l.goOn()
	case void:
		l.goOn()
	case input:
		l.close(scopeDefault, atom.Select)
		l.goOn()
	case line:
		if l.find(scopeButton, atom.P) >= 0 {
			l.endImplied(atom.P)
			l.close(scopeDefault, atom.P)
		}
		if l.find(scopeDefault, atom.Select) >= 0 {
			l.endImplied(0)
		}
	}
	l.addVoid()
}

// startPart opens a list to choose from, a part of it, or one of a ruby.
func (l *inline) startPart(r rule) {
	switch r {
	case selection:
		if l.close(scopeDefault, atom.Select) {
			return
		}
		l.goOn()
	case option, optgroup:
		l.startOption(r)
	case rubyBase, rubyText:
		if except := map[rule]atom.Atom{rubyText: atom.Rtc}[r]; l.find(scopeDefault, atom.Ruby) >= 0 {
			l.endImplied(except)
		}
	}
	l.add()
}

func (l *inline) startOption(r rule) {
	switch {
	case l.find(scopeDefault, atom.Select) >= 0 && r == option:
		l.endImplied(atom.Optgroup)
	case l.find(scopeDefault, atom.Select) >= 0:
		l.endImplied(0)
	case l.top().DataAtom == atom.Option:
		l.pop()
	}
	l.goOn()
}

// startInText opens an element of a line of text.
func (l *inline) startInText(r rule) {
	if r == button && l.find(scopeDefault, atom.Button) >= 0 {
		l.endImplied(0)
		l.close(scopeDefault, atom.Button)
	}
	l.goOn()
	switch r {
	case svg, math:
		l.startForeign()
		return
	}
	l.add()
	if r == object {
		l.active = append(l.active, nil)
	}
}
