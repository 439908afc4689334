package fasttree

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// startTemplate opens a template. Those within pictures and formulas are left to the other parser.
func (b *builder) startTemplate() {
	if slices.ContainsFunc(b.open, func(o open) bool { return o.Namespace != "" }) {
		b.refuse("template in a picture")
		return
	}
	b.add()
	b.active = append(b.active, nil)
	b.templates = append(b.templates, inTemplate)
	b.mode = inTemplate
}

func (b *builder) endTemplate() {
	if len(b.templates) == 0 {
		return
	}
	b.endImplied(0)
	i := len(b.open) - 1
	for b.open[i].DataAtom != atom.Template {
		i--
	}
	b.open = b.open[:i]
	b.clearActive()
	b.templates = b.templates[:len(b.templates)-1]
	b.resetMode()
}

// endFormOfTemplate ends a form that the template holds.
func (b *builder) endFormOfTemplate() {
	i := b.find(scopeDefault, atom.Form)
	if i < 0 {
		return
	}
	b.endImplied(0)
	b.close(scopeDefault, atom.Form)
}

// inTemplate is within a template whose first element isn't known yet.
func (b *builder) inTemplate() bool {
	switch b.tok.kind {
	case html.StartTagToken:
		return b.startInTemplate()
	case html.EndTagToken:
		if b.tok.el.atom == atom.Template {
			b.endTemplate()
		}
		return true
	}
	return b.inBody()
}

// startInTemplate goes by its first element on in the mode for such.
func (b *builder) startInTemplate() bool {
	next := inBody
	switch b.tok.el.atom {
	case atom.Caption, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
		next = inTable
	case atom.Col:
		next = inColumnGroup
	case atom.Tr:
		next = inTableBody
	case atom.Td, atom.Th:
		next = inRow
	default:
		if b.tok.el.is&headless != 0 {
			b.startInHead()
			return true
		}
	}
	b.templates[len(b.templates)-1] = next
	b.mode = next
	return false
}
