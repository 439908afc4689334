package fasttree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (b *builder) stepInTable() bool {
	switch b.mode {
	case inCaption:
		return b.inCaption()
	case inColumnGroup:
		return b.inColumnGroup()
	case inTableBody:
		return b.inTableBody()
	case inRow:
		return b.inRow()
	case inCell:
		return b.inCell()
	}
	return b.inTable()
}

func (b *builder) inTable() bool {
	switch b.tok.kind {
	case html.TextToken:
		if b.top().is&tablePart != 0 && b.isSpace() {
			b.addText(b.unescaped(b.tok.raw))
			return true
		}
	case html.StartTagToken:
		if taken, known := b.startInTable(); known {
			return taken
		}
	case html.EndTagToken:
		switch b.tok.el.atom {
		case atom.Table:
			if b.close(scopeTable, atom.Table) {
				b.resetMode()
			}
			return true
		case atom.Template:
			b.endTemplate()
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			return true
		}
	case html.CommentToken:
		b.commentHere()
		return true
	case html.ErrorToken:
		return b.inBody()
	case html.DoctypeToken:
		return true
	}
	b.foster = true
	taken := b.inBody()
	b.foster = false
	return taken
}

// startInTable opens a part of a table; not known are tags that are none.
func (b *builder) startInTable() (taken, known bool) {
	switch b.tok.el.atom {
	case atom.Caption:
		b.closeTo(atom.Html, atom.Template, atom.Table)
		b.active = append(b.active, nil)
		b.add()
		b.mode = inCaption
	case atom.Colgroup:
		b.closeTo(atom.Html, atom.Template, atom.Table)
		b.add()
		b.mode = inColumnGroup
	case atom.Col:
		b.implied(html.StartTagToken, "colgroup")
		return false, true
	case atom.Tbody, atom.Tfoot, atom.Thead:
		b.closeTo(atom.Html, atom.Template, atom.Table)
		b.add()
		b.mode = inTableBody
	case atom.Td, atom.Th, atom.Tr:
		b.implied(html.StartTagToken, "tbody")
		return false, true
	case atom.Table:
		if b.close(scopeTable, atom.Table) {
			b.resetMode()
			return false, true
		}
	case atom.Style, atom.Script, atom.Template:
		b.startInHead()
	case atom.Input:
		if !b.tok.isHidden() {
			return false, false
		}
		b.addVoid()
	case atom.Form:
		if b.form == nil && len(b.templates) == 0 {
			b.add()
			b.form = b.top().Node
			b.pop()
		}
	default:
		return false, false
	}
	return true, true
}

// resetMode finds the mode of what is open.
func (b *builder) resetMode() {
	for i := len(b.open) - 1; i >= 0; i-- {
		switch b.open[i].DataAtom {
		case atom.Td, atom.Th:
			b.mode = inCell
		case atom.Tr:
			b.mode = inRow
		case atom.Tbody, atom.Thead, atom.Tfoot:
			b.mode = inTableBody
		case atom.Caption:
			b.mode = inCaption
		case atom.Colgroup:
			b.mode = inColumnGroup
		case atom.Table:
			b.mode = inTable
		case atom.Template:
			b.mode = b.templates[len(b.templates)-1]
		case atom.Head:
			b.mode = inHead
		case atom.Body:
			b.mode = inBody
		case atom.Html:
			b.mode = afterHead
		default:
			continue
		}
		return
	}
}

// endPart ends the innermost part of a table of these names, which has active elements of its own, for what comes in another mode.
func (b *builder) endPart(next mode, names ...atom.Atom) bool {
	if !b.close(scopeTable, names...) {
		return false
	}
	b.clearActive()
	b.mode = next
	return true
}

func (b *builder) inCaption() bool {
	start, end := b.tok.kind == html.StartTagToken, b.tok.kind == html.EndTagToken
	switch b.tok.el.atom {
	case atom.Caption:
		if end {
			b.endPart(inTable, atom.Caption)
			return true
		}
		if start {
			return !b.endPart(inTable, atom.Caption)
		}
	case atom.Table:
		if end {
			return !b.endPart(inTable, atom.Caption)
		}
	case atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Thead, atom.Tr:
		if start {
			return !b.endPart(inTable, atom.Caption)
		}
		return true
	case atom.Body, atom.Html, atom.Th:
		if end {
			return true
		}
	}
	return b.inBody()
}

func (b *builder) inColumnGroup() bool {
	switch b.tok.kind {
	case html.TextToken:
		if b.addSpace() {
			return true
		}
	case html.CommentToken:
		b.commentHere()
		return true
	case html.ErrorToken:
		return b.inBody()
	case html.DoctypeToken:
		return true
	case html.StartTagToken:
		switch b.tok.el.atom {
		case atom.Html:
			return b.inBody()
		case atom.Template:
			b.startTemplate()
			return true
		case atom.Col:
			b.addVoid()
			return true
		}
	case html.EndTagToken:
		switch b.tok.el.atom {
		case atom.Colgroup:
			if b.top().DataAtom == atom.Colgroup {
				b.pop()
				b.mode = inTable
			}
			return true
		case atom.Col:
			return true
		case atom.Template:
			b.endTemplate()
			return true
		}
	}
	if b.tok.el.start == refused {
		return b.unlessRefused()
	}
	if b.top().DataAtom != atom.Colgroup {
		return true
	}
	b.pop()
	b.mode = inTable
	return false
}

func (b *builder) inTableBody() bool {
	switch b.tok.kind {
	case html.StartTagToken:
		switch b.tok.el.atom {
		case atom.Tr:
			b.closeTo(atom.Html, atom.Template, atom.Tbody, atom.Tfoot, atom.Thead)
			b.add()
			b.mode = inRow
			return true
		case atom.Td, atom.Th:
			b.implied(html.StartTagToken, "tr")
			return false
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
			return !b.endBody()
		}
	case html.EndTagToken:
		switch name := b.tok.el.atom; name {
		case atom.Tbody, atom.Tfoot, atom.Thead:
			if b.find(scopeTable, name) >= 0 {
				b.closeTo(atom.Html, atom.Template, atom.Tbody, atom.Tfoot, atom.Thead)
				b.pop()
				b.mode = inTable
			}
			return true
		case atom.Table:
			return !b.endBody()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th, atom.Tr:
			return true
		}
	}
	return b.inTable()
}

// endBody ends a part of a table that has rows, and reports whether there was one.
func (b *builder) endBody() bool {
	if !b.close(scopeTable, atom.Tbody, atom.Thead, atom.Tfoot) {
		return false
	}
	b.mode = inTable
	return true
}

func (b *builder) inRow() bool {
	switch b.tok.kind {
	case html.StartTagToken:
		switch b.tok.el.atom {
		case atom.Td, atom.Th:
			b.closeTo(atom.Html, atom.Template, atom.Tr)
			b.add()
			b.active = append(b.active, nil)
			b.mode = inCell
			return true
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			return !b.endRow()
		}
	case html.EndTagToken:
		switch name := b.tok.el.atom; name {
		case atom.Tr:
			b.endRow()
			return true
		case atom.Table:
			return !b.endRow()
		case atom.Tbody, atom.Tfoot, atom.Thead:
			return b.find(scopeTable, name) < 0 || !b.endRow()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th:
			return true
		}
	}
	return b.inTable()
}

// endRow ends a row, and reports whether there was one.
func (b *builder) endRow() bool {
	if b.find(scopeTable, atom.Tr) < 0 {
		return false
	}
	b.closeTo(atom.Html, atom.Template, atom.Tr)
	b.pop()
	b.mode = inTableBody
	return true
}

func (b *builder) inCell() bool {
	switch b.tok.kind {
	case html.StartTagToken:
		switch b.tok.el.atom {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			return !b.endPart(inRow, atom.Td, atom.Th)
		}
	case html.EndTagToken:
		switch name := b.tok.el.atom; name {
		case atom.Td, atom.Th:
			b.endPart(inRow, name)
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
			return true
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			if b.find(scopeTable, name) < 0 {
				return true
			}
			b.endPart(inRow, atom.Td, atom.Th)
			b.mode = inRow
			return false
		}
	}
	return b.inBody()
}
