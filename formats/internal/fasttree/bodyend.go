package fasttree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// endInBody does what an end tag does by the element's rule.
func (b *builder) endInBody() {
	name := b.tok.el.atom
	switch b.tok.el.end {
	case refused:
		b.refuse(b.tok.name)
	case body:
		if b.find(scopeDefault, atom.Body) >= 0 {
			b.mode = afterBody
		}
	case root:
		if b.find(scopeDefault, atom.Body) >= 0 {
			b.implied(html.EndTagToken, "body")
			b.take()
		}
	case block:
		if b.find(scopeDefault, name) >= 0 {
			b.endImplied(0)
			b.close(scopeDefault, name)
		}
	case ofHead:
		b.endTemplate()
	case form:
		b.endForm()
	case paragraph:
		b.endParagraph()
	case item:
		b.close(scopeItem, atom.Li)
	case term:
		b.close(scopeDefault, name)
	case heading:
		b.close(scopeDefault, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
	case formatting:
		b.endFormatting(name)
	case object:
		if b.close(scopeDefault, name) {
			b.clearActive()
		}
	case lineBreak:
		b.tok.kind = html.StartTagToken
		b.take()
	default:
		b.endOther(b.tok.name)
	}
}

func (b *builder) endForm() {
	if len(b.templates) > 0 {
		b.endFormOfTemplate()
		return
	}
	form := b.form
	b.form = nil
	i := b.find(scopeDefault, atom.Form)
	if form == nil || i < 0 || b.open[i].Node != form {
		return
	}
	b.endImplied(0)
	b.remove(form)
}

func (b *builder) endParagraph() {
	if b.find(scopeButton, atom.P) < 0 {
		b.implied(html.StartTagToken, "p")
	}
	b.close(scopeButton, atom.P)
}
