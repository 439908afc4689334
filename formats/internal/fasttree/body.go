package fasttree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (b *builder) inBody() bool {
	switch b.tok.kind {
	case html.TextToken:
		b.bodyText()
	case html.StartTagToken:
		b.startInBody()
	case html.EndTagToken:
		b.endInBody()
	case html.CommentToken:
		b.commentHere()
	case html.ErrorToken:
		if len(b.templates) > 0 {
			b.refuse("template breaks off")
		}
	}
	return true
}

func (b *builder) bodyText() {
	if s := b.withoutNewline(b.textOf(), atom.Pre, atom.Listing); s != "" {
		b.goOn()
		b.addText(s)
	}
}

// startInBody does what a start tag does by the element's rule.
func (b *builder) startInBody() {
	switch rule := b.tok.el.start; rule {
	case refused:
		b.refuse(b.tok.name)
	case ignored:
	case root, body, ofHead, rawElement, textarea, xmp:
		b.startOfPage(rule)
	case block, heading, pre, form, item, term, table:
		b.startBlock(rule)
	case link, formatting, nobr:
		b.startFormatting(rule)
	case void, voidPart, input, line, image:
		b.startVoid(rule)
	case selection, option, optgroup, rubyBase, rubyText:
		b.startPart(rule)
	default:
		b.startInText(rule)
	}
}

func (b *builder) startOfPage(r rule) {
	switch r {
	case root:
		if len(b.templates) == 0 {
			b.addAttrs(b.open[0].Node)
		}
	case body:
		if len(b.templates) == 0 && len(b.open) >= 2 && b.open[1].DataAtom == atom.Body {
			b.addAttrs(b.open[1].Node)
		}
	case ofHead:
		b.startInHead()
	case xmp:
		b.close(scopeButton, atom.P)
		b.goOn()
		b.addRaw()
	default:
		b.addRaw()
	}
}

func (b *builder) startBlock(r rule) {
	switch r {
	case form:
		if b.form != nil && len(b.templates) == 0 {
			return
		}
	case item:
		b.endItem(atom.Li, atom.Li)
	case term:
		b.endItem(atom.Dd, atom.Dt)
	}
	if r != table || !b.quirks {
		b.close(scopeButton, atom.P)
	}
	if r == heading && b.top().isHeading() {
		b.pop()
	}
	b.add()
	switch r {
	case form:
		if len(b.templates) == 0 {
			b.form = b.top().Node
		}
	case table:
		b.mode = inTable
	}
}
