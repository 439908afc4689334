package fasttree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mode is a part of a page: what a token does depends on it. The names are those of the HTML standard.
type mode uint8

const (
	initial mode = iota
	beforeHTML
	beforeHead
	inHead
	afterHead
	inBody
	inText
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
	inTemplate
	afterBody
	afterAfterBody
)

// step does what a token does in the mode; false: it is to be looked at in another.
func (b *builder) step() bool {
	switch b.mode {
	case initial:
		return b.initial()
	case beforeHTML:
		return b.beforeHTML()
	case beforeHead:
		return b.beforeHead()
	case inHead:
		return b.inHead()
	case afterHead:
		return b.afterHead()
	case inBody:
		return b.inBody()
	case inText:
		return b.inText()
	case inTemplate:
		return b.inTemplate()
	case afterBody:
		return b.afterBody()
	case afterAfterBody:
		return b.afterAfterBody()
	}
	return b.stepInTable()
}

// take does what the token does.
func (b *builder) take() {
	for taken := false; !taken && b.refused == ""; {
		if b.inForeign() {
			taken = b.inForeignContent()
		} else {
			taken = b.step()
		}
	}
	b.foreign = len(b.open) > 0 && b.top().Namespace != ""
}

func (b *builder) initial() bool {
	switch b.tok.kind {
	case html.TextToken:
		if b.skipSpace() {
			return true
		}
	case html.CommentToken:
		b.addComment(b.doc)
		return true
	case html.DoctypeToken:
		b.doctype()
		b.mode = beforeHTML
		return true
	}
	b.quirks, b.mode = true, beforeHTML
	return false
}

func (b *builder) beforeHTML() bool {
	switch b.tok.kind {
	case html.DoctypeToken:
		return true
	case html.TextToken:
		if b.skipSpace() {
			return true
		}
	case html.StartTagToken:
		if b.tok.el.atom == atom.Html {
			b.add()
			b.mode = beforeHead
			return true
		}
	case html.EndTagToken:
		if !b.tok.endsStart() {
			return true
		}
	case html.CommentToken:
		b.addComment(b.doc)
		return true
	}
	b.implied(html.StartTagToken, "html")
	return false
}

func (b *builder) beforeHead() bool {
	switch b.tok.kind {
	case html.DoctypeToken:
		return true
	case html.TextToken:
		if b.skipSpace() {
			return true
		}
	case html.StartTagToken:
		switch b.tok.el.atom {
		case atom.Head:
			b.add()
			b.head = b.top().Node
			b.mode = inHead
			return true
		case atom.Html:
			return b.inBody()
		}
	case html.EndTagToken:
		if !b.tok.endsStart() {
			return true
		}
	case html.CommentToken:
		b.commentHere()
		return true
	}
	b.implied(html.StartTagToken, "head")
	return false
}

func (b *builder) inHead() bool {
	switch b.tok.kind {
	case html.DoctypeToken:
		return true
	case html.TextToken:
		if b.addSpace() {
			return true
		}
	case html.StartTagToken:
		if b.startInHead() {
			return true
		}
	case html.EndTagToken:
		switch {
		case b.tok.el.atom == atom.Head:
			b.pop()
			b.mode = afterHead
			return true
		case b.tok.el.atom == atom.Template:
			b.endTemplate()
			return true
		case !b.tok.endsStart():
			return b.unlessRefused()
		}
	case html.CommentToken:
		b.commentHere()
		return true
	}
	b.implied(html.EndTagToken, "head")
	return false
}

// startInHead adds an element of the head; false where none of these ends the head.
func (b *builder) startInHead() bool {
	switch b.tok.el.atom {
	case atom.Html:
		return b.inBody()
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta:
		b.addVoid()
	case atom.Noscript, atom.Script, atom.Title, atom.Noframes, atom.Style:
		b.addRaw()
	case atom.Template:
		b.startTemplate()
	case atom.Head:
	default:
		return b.tok.el.start == refused && b.unlessRefused()
	}
	return true
}

func (b *builder) afterHead() bool {
	switch b.tok.kind {
	case html.DoctypeToken:
		return true
	case html.TextToken:
		if b.addSpace() {
			return true
		}
	case html.StartTagToken:
		if b.startAfterHead() {
			return true
		}
	case html.EndTagToken:
		switch {
		case b.tok.el.atom == atom.Template:
			b.endTemplate()
			return true
		case !b.tok.endsStart() || b.tok.el.atom == atom.Head:
			return b.unlessRefused()
		}
	case html.CommentToken:
		b.commentHere()
		return true
	}
	b.implied(html.StartTagToken, "body")
	return b.tok.kind == html.ErrorToken
}

func (b *builder) startAfterHead() bool {
	switch el := b.tok.el; {
	case el.atom == atom.Html:
		return b.inBody()
	case el.atom == atom.Body:
		b.add()
		b.mode = inBody
	case el.is&headless != 0:
		b.enter(b.head, 0)
		b.startInHead()
		b.remove(b.head)
	case el.start == refused:
		b.unlessRefused()
	default:
		return el.atom == atom.Head
	}
	return true
}

// inText is within an element that holds text alone.
func (b *builder) inText() bool {
	if b.tok.kind == html.TextToken {
		b.addText(b.withoutNewline(b.textOf(), atom.Textarea))
		return true
	}
	b.pop() // raw texts that don't end are refused
	b.mode = b.back
	return true
}

func (b *builder) afterBody() bool {
	switch b.tok.kind {
	case html.ErrorToken:
		return true
	case html.TextToken:
		if b.isSpace() {
			return b.inBody()
		}
	case html.StartTagToken:
		if b.tok.el.atom == atom.Html {
			return b.inBody()
		}
	case html.EndTagToken:
		if b.tok.el.atom == atom.Html {
			b.mode = afterAfterBody
			return true
		}
	case html.CommentToken:
		b.addComment(b.open[0].Node)
		return true
	}
	b.mode = inBody
	return false
}

func (b *builder) afterAfterBody() bool {
	switch b.tok.kind {
	case html.ErrorToken, html.DoctypeToken:
		return true
	case html.TextToken:
		if b.isSpace() {
			return b.inBody()
		}
	case html.StartTagToken:
		if b.tok.el.atom == atom.Html {
			return b.inBody()
		}
	case html.CommentToken:
		b.addComment(b.doc)
		return true
	}
	b.mode = inBody
	return false
}

// addRaw opens the element of the tag, whose text comes next.
func (b *builder) addRaw() {
	b.add()
	b.back, b.mode = b.mode, inText
}

// implied does what a tag would do that the page leaves out.
func (b *builder) implied(kind html.TokenType, name string) {
	tok := b.tok
	b.tok = token{kind: kind, el: elements[name], name: name}
	b.take()
	b.tok = tok
}
