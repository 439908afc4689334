package fasttree

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maker makes nodes of tokens.
type maker struct {
	scanner
	stack
	doc    *html.Node
	quirks bool
	foster bool // what is put into a table is moved
	joined int  // bytes of texts that were put together
}

func (m *maker) node(t html.NodeType, data string) *html.Node {
	n := m.room.Node(m.atOnce())
	n.Type, n.Data = t, data
	return n
}

func (m *maker) element(name atom.Atom, data string, attr []html.Attribute) *html.Node {
	n := m.node(html.ElementNode, data)
	n.DataAtom, n.Attr = name, attr
	return n
}

// parent is where nodes are put; nil where they would have to be moved.
func (m *maker) parent() *html.Node {
	if len(m.open) == 0 {
		return m.doc
	}
	top := m.top()
	if m.foster && top.is&tablePart != 0 {
		m.refuse("moved out of a table")
		return nil
	}
	return top.Node
}

// push puts a node under the innermost element and opens it.
func (m *maker) push(n *html.Node, is flags) {
	if p := m.parent(); p != nil {
		appendTo(p, n)
	}
	m.enter(n, is)
}

func (m *maker) enter(n *html.Node, is flags) {
	m.open = append(m.open, open{n, is})
	if len(m.open) > maxOpen {
		m.refuse("deep")
	}
}

// appendTo is what p.AppendChild(n) does, for a node without parent.
func appendTo(p, n *html.Node) {
	n.Parent, n.PrevSibling = p, p.LastChild
	if p.LastChild != nil {
		p.LastChild.NextSibling = n
	} else {
		p.FirstChild = n
	}
	p.LastChild = n
}

// add opens the element of the tag.
func (m *maker) add() {
	m.push(m.element(m.tok.el.atom, m.tok.name, m.tok.attr), m.tok.el.is)
}

// addVoid adds the element of the tag, which has no content.
func (m *maker) addVoid() {
	m.add()
	m.pop()
}

func (m *maker) addText(s string) {
	p := m.parent()
	if s == "" || p == nil {
		return
	}
	last := p.LastChild
	if last == nil || last.Type != html.TextNode {
		appendTo(p, m.node(html.TextNode, s))
		return
	}
	if m.joined += len(last.Data); m.joined > maxJoined {
		m.refuse("texts in pieces")
		return
	}
	last.Data += s
}

// maxJoined bounds the work for texts that come in many pieces, in bytes.
const maxJoined = 1 << 20

func (m *maker) addComment(p *html.Node) {
	appendTo(p, m.node(html.CommentNode, m.unescaped(m.tok.raw)))
}

// commentHere adds a comment to the innermost element.
func (m *maker) commentHere() {
	if p := m.parent(); p != nil {
		m.addComment(p)
	}
}

// skipSpace drops the white space that a text begins with, and reports whether that was all.
func (m *maker) skipSpace() bool {
	m.tok.raw = bytes.TrimLeft(m.tok.raw, whitespace)
	return len(m.tok.raw) == 0 || m.tok.raw[0] == '&' && m.refersToSpace()
}

// refersToSpace leaves white space in references, which is seldom, to the other parser.
func (m *maker) refersToSpace() bool {
	if strings.TrimLeft(m.unescaped(m.tok.raw), whitespace) != m.unescaped(m.tok.raw) {
		m.refuse("reference to white space")
	}
	return false
}

// addSpace adds the white space that a text begins with, and reports whether that was all.
func (m *maker) addSpace() bool {
	n := len(m.tok.raw) - len(bytes.TrimLeft(m.tok.raw, whitespace))
	m.addText(m.common(m.tok.raw[:n]))
	return m.skipSpace()
}

// doctype adds the document type. All but the usual one are read by the other parser, which shows by a table what they mean.
func (m *maker) doctype() {
	if string(m.tok.raw) == "html" {
		appendTo(m.doc, m.node(html.DoctypeNode, "html"))
		return
	}
	doc, err := html.Parse(strings.NewReader("<!DOCTYPE " + string(m.tok.raw) + "><p><table>"))
	if err != nil || doc.FirstChild == nil || doc.FirstChild.Type != html.DoctypeNode {
		m.refuse("doctype")
		return
	}
	for n := range doc.Descendants() {
		m.quirks = m.quirks || n.DataAtom == atom.Table && n.Parent.DataAtom == atom.P
	}
	n := m.node(html.DoctypeNode, doc.FirstChild.Data)
	n.Attr = doc.FirstChild.Attr
	appendTo(m.doc, n)
}

// textOf is the text of the token.
func (m *maker) textOf() string {
	if m.tok.plain {
		return string(m.tok.raw)
	}
	return m.unescaped(m.tok.raw)
}

// withoutNewline drops the line end that comes first in elements of these names.
func (m *maker) withoutNewline(s string, names ...atom.Atom) string {
	top := m.top()
	for _, name := range names {
		if top.DataAtom == name && top.FirstChild == nil {
			return strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
		}
	}
	return s
}

func (m *maker) isSpace() bool { return strings.TrimLeft(m.unescaped(m.tok.raw), whitespace) == "" }

// addAttrs gives an element the attributes of the tag that it doesn't have.
func (m *maker) addAttrs(n *html.Node) {
	has := map[string]bool{}
	for _, a := range n.Attr {
		has[a.Key] = true
	}
	for _, a := range m.tok.attr {
		if !has[a.Key] {
			n.Attr = append(n.Attr, a)
		}
	}
}
